"""What a suite has found, as sections of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.document.numbers import interval, quantity
from chef.document.sections import Section, Table
from chef.suite.members.figures import Value
from chef.suite.members.file import SuiteFigure
from chef.suite.members.result import SuiteResult

_HEADERS = ("figure", "value", "95% interval", "n")


def sections_of(result: SuiteResult) -> list[Section]:
    """The figures with what they are made of and what is missing; then those by category."""
    rows = [line for item in result.file.figures for line in _lines(result, item)]
    title = f"{result.file.title}: {result.model}"
    note = "\n".join(_notes(result))
    return [Table(title, _HEADERS, rows, note, spare=("n",)), *_categories(result)]


def _lines(result: SuiteResult, item: SuiteFigure) -> Iterator[Sequence[str]]:
    yield _line(item.name, result.figures[item.name])
    for name, value in result.shown[item.name].items():
        yield _line(f"· {name}", value)


def _line(name: str, value: Value) -> Sequence[str]:
    item = value.estimate
    if item.value is None:
        return (name, "-", "", "")
    return (name, quantity(item), interval(item), str(item.n))


def _categories(result: SuiteResult) -> Iterator[Table]:
    for name, values in result.categories.items():
        if values:
            rows = [_line(category, value) for category, value in values.items()]
            headers = ("category", *_HEADERS[1:])
            yield Table(f"{name} by category", headers, rows, spare=("n",))


def _notes(result: SuiteResult) -> Iterator[str]:
    for name, value in result.figures.items():
        if value.withheld:
            yield f"{name} is withheld: {value.withheld}"
        if value.missing:
            yield f"{name} is withheld: {', '.join(value.missing)} is missing"
    for name, one in result.members.items():
        if one.why:
            yield f"{name} is missing: {one.why}"
        elif one.coverage < 1:
            yield f"{name}: {100 * one.coverage:.1f}% of the samples were scored"
    for name, ids in result.lists().items():
        yield f"{name}: {len(ids)} samples"
