"""What a suite says, as sections of a report, and its page with links to its members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from chef.document.numbers import interval, number
from chef.document.outline import shorten_end
from chef.document.sections import Cell, Plot, Section, Table
from chef.report.load import Run, load_run
from chef.report.page.content import PageContent
from chef.report.page.plots import Point, lines, mark_of
from chef.report.page.plots.bars import unit_of
from chef.report.page.write import write_page
from chef.scoring.figures import FIGURE, figure_cells, titled, without_empty
from chef.suite.members.figures import FigureValue
from chef.suite.members.result import (
    HEADERS,
    CurveValues,
    SuiteResult,
    figure_line,
    figures_section,
)
from chef.suite.pages.pages import Pages, now

#: So many lines of a curve are drawn, as many as there are colours: the least ones.
_DRAWN = 8


def sections_of(result: SuiteResult) -> list[Section]:
    """The figures with what they are made of and what is missing; curves; those by category."""
    curves = [section for one in result.curves for section in _curve(one)]
    sheet = [] if result.sheet is None else result.sheet.sections()
    return [figures_section(result), *sheet, *curves, *_categories(result)]


def _curve(curve: CurveValues) -> Iterator[Section]:
    """A table, the least line first, and a drawing of what has values."""
    yield _lines_table(curve) if curve.curve.of else _points_table(curve)
    drawn = {
        name: points for name in list(curve.lines)[:_DRAWN] if (points := [*_points(curve, name)])
    }
    if drawn:
        yield _plot(curve, drawn)


def _lines_table(curve: CurveValues) -> Table:
    """A row for each line: its mean with the interval, and its value at each number."""
    numbers = sorted({place for line in curve.lines.values() for place in line})
    rows: list[list[str | Cell]] = []
    for name, line in curve.lines.items():
        mean = curve.means[name].estimate
        cells = [_cell(line[place]) if place in line else "" for place in numbers]
        rows.append([name, number(mean.value, mean.unit), interval(mean), *cells])
    headers = (curve.curve.of, "mean", "95% interval", *(f"{place:g}" for place in numbers))
    unit = f" (in {curve.curve.unit})" if curve.curve.unit == "points" else ""
    note = f"By {curve.curve.over}{unit}, the least first; the mean is that over all of them."
    return Table(curve.curve.name, headers, rows, note)


def _points_table(curve: CurveValues) -> Table:
    """A row for each number of the only line."""
    (line,) = curve.lines.values()
    rows = [figure_line(f"{place:g}", value) for place, value in sorted(line.items())]
    return Table(curve.curve.name, (curve.curve.over, *HEADERS[1:]), rows, spare=("n",))


def _cell(value: FigureValue) -> Cell:
    item = value.estimate
    text = number(item.value, item.unit)
    return Cell(f"{text} {interval(item)}".strip(), short=text)


def _points(curve: CurveValues, name: str) -> Iterator[Point]:
    for place, value in curve.lines[name].items():
        mark = mark_of("", value.estimate)
        if mark.value is not None:
            yield Point(place, mark.value, mark.low, mark.high)


def _plot(curve: CurveValues, drawn: dict[str, list[Point]]) -> Plot:
    reference = None if curve.reference is None else mark_of("", curve.reference.estimate).value
    values = [value for line in curve.lines.values() for value in line.values()]
    rest = len(curve.lines) - len(drawn)
    title = curve.curve.name if rest <= 0 else f"{curve.curve.name}: the least {len(drawn)}"
    return lines(
        title,
        {name or title: points for name, points in drawn.items()},
        x_label=curve.curve.over,
        unit=unit_of(values[0].estimate),
        reference=reference,
    )


def _categories(result: SuiteResult) -> Iterator[Table]:
    for name, values in result.categories.items():
        if values:
            rows = [figure_line(category, value) for category, value in values.items()]
            headers = ("category", *HEADERS[1:])
            yield Table(f"{name} by category", headers, rows, spare=("n",))


#: So many characters of a question are shown in a list.
_SHOWN = 160


def write_suite_page(result: SuiteResult, file: Path) -> list[Path]:
    """Write the page of a suite, which stands first in what is returned, and that of each run."""
    folders = {name: one.folder for name, one in result.members.items() if one.folder is not None}
    runs = {name: load_run(folder) for name, folder in folders.items()}
    addresses, written = Pages([*runs.values()]).linked(file) if runs else ([], [])
    links = dict(zip(runs, addresses, strict=True))
    content = PageContent(
        kind="suite",
        title=f"{result.file.title} · {result.model}",
        subtitle=f"{len(runs)} of {len(result.members)} members have finished",
        made=now(),
        sections=[*sections_of(result), *_lists(result, runs, links), members_table(result, links)],
    )
    return [*write_page(content, file), *written]


def _lists(
    result: SuiteResult, runs: Mapping[str, Run], links: Mapping[str, str]
) -> Iterator[Section]:
    """Each list of samples, with links to them in the run of the first member."""
    first = next(iter(runs), "")
    if not first:
        return
    lines = {line["id"]: line for line in runs[first].report.samples}
    for name, ids in result.lists().items():
        rows = [
            (
                Cell(id_, href=f"{links[first]}#sample={quote(id_)}" if links[first] else ""),
                _short(lines.get(id_, {}).get("question")),
                _short(lines.get(id_, {}).get("truth")),
            )
            for id_ in ids
        ]
        note = f"{len(ids)} samples; links lead to them in {first}."
        title = name.replace("_", " ")
        yield Table(title, ("sample", "question", "answer"), rows, note, True, names=3)


def _short(text: object) -> str:
    return shorten_end(" ".join(str("" if text is None else text).split()), _SHOWN)


def members_table(result: SuiteResult, links: Mapping[str, str]) -> Table:
    """The main figure of each member; ``links`` are those to the pages of their runs, by name."""
    more = titled(one.report for one in result.members.values() if one.report is not None)
    empty: list[str | Cell] = ["-", *[""] * (len(FIGURE) - 1 + len(more))]
    rows: list[list[str | Cell]] = []
    for name, one in result.members.items():
        report, cells = one.report, empty
        if report is not None and report.primary in report.metrics:
            cells = figure_cells(report, report.primary, report.chance, more)
        metric = one.why if report is None else report.primary
        rows.append([Cell(name, href=links.get(name, "")), metric, *cells])
    headers, rows = without_empty(
        ("member", "metric", *FIGURE, *more), rows, ("clusters", "chance", *more)
    )
    return Table("Members", headers, rows, names=2)
