"""What a suite has found of one model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import field

from chef.document.numbers import interval, quantity
from chef.document.outline import as_text, shown_in_notebook
from chef.document.sections import Section, Table, Words
from chef.frozen import Frozen
from chef.scoring.result import RunResult
from chef.stats.arrays import np
from chef.suite.formula import Combined, Formula, evaluate, ratios
from chef.suite.members.figures import ERRORS, FigureValue, MemberRun, is_offered, value_of
from chef.suite.members.file import SuiteFile
from chef.suite.members.parts import Curve, SuiteFigure
from chef.suite.trust.sheets import TrustSheet

HEADERS = ("figure", "value", "95% interval", "n")
#: So many members that lack for one cause are named.
_NAMED = 4


class Outcome(Frozen):
    """What became of a member: its scores, or why it has none or does not fit what is asked."""

    name: str
    report: RunResult | None = None
    why: str = ""
    is_left_out: bool = False

    @property
    def folder(self) -> Path | None:
        """Of its run; None where it has not finished."""
        return None if self.report is None else self.report.folder

    @property
    def coverage(self) -> float:
        """The share of its samples that were scored, 0 to 1."""
        return 0.0 if self.report is None else self.report.coverage.coverage or 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        nothing = {"folder": None, "metric": "", "figure": None, "coverage": 0.0}
        return {**(nothing if self.report is None else self.report.main()), "why": self.why}


class CurveValues(Frozen):
    """The values of a curve: by line, the one with the least mean first, those without one last."""

    curve: Curve
    lines: Mapping[str, Mapping[float, FigureValue]]
    means: Mapping[str, FigureValue]
    reference: FigureValue | None = None

    @classmethod
    def of(cls, curve: Curve, runs: Mapping[str, MemberRun]) -> CurveValues:
        """Compute every value of a curve."""

        def value(formula: Formula) -> FigureValue:
            return value_of(formula, runs, curve.unit or unit_of(formula))

        means = {
            name: value(Combined(tuple((1 / len(line), one) for one in line.values())))
            for name, line in curve.lines.items()
        }

        def place(name: str) -> tuple[bool, float]:
            mean = means[name].estimate.value
            return mean is None, mean or 0.0

        lines = {
            name: {number: value(one) for number, one in curve.lines[name].items()}
            for name in sorted(curve.lines, key=place)
        }
        reference = None if curve.reference is None else value(curve.reference)
        return cls(curve, lines, means, reference)

    def to_json(self) -> dict[str, Any]:
        """Plain data: each line with its mean and its values, by their numbers."""
        return {
            name: {
                "mean": _plain(self.means[name]),
                "at": {f"{number:g}": _plain(one) for number, one in line.items()},
            }
            for name, line in self.lines.items()
        }


class SuiteResult(Frozen):
    """The figures of a suite for one model.

    Attributes:
        file: the suite.
        model: the name of the model.
        figures: the value of each figure, by its name.
        shown: the further values of each figure, by their names.
        members: what became of each member.
        runs: the samples of those that have finished.
        categories: the value of each figure in each category, for those that are shown by it.
        curves: figures against numbers.
        sheet: the score sheet of MMTrustEval, of a suite that asks for it.
    """

    file: SuiteFile
    model: str
    figures: Mapping[str, FigureValue]
    shown: Mapping[str, Mapping[str, FigureValue]]
    members: Mapping[str, Outcome]
    runs: Mapping[str, MemberRun]
    categories: Mapping[str, Mapping[str, FigureValue]] = field(default_factory=dict)
    curves: Sequence[CurveValues] = ()
    sheet: TrustSheet | None = None

    @property
    def has_runs(self) -> bool:
        """Whether any member has finished."""
        return any(one.report is not None for one in self.members.values())

    @classmethod
    def of(
        cls,
        file: SuiteFile,
        model: str,
        runs: Mapping[str, MemberRun],
        members: Mapping[str, Outcome],
    ) -> SuiteResult:
        """Compute every figure of a suite."""
        return cls(
            file,
            model,
            {
                item.name: value_of(item.formula, runs, item.unit or unit_of(item.formula))
                for item in file.figures
            },
            {
                item.name: {
                    name: value_of(one, runs, unit_of(one))
                    for name, one in item.shown.items()
                    if is_offered(one, runs)
                }
                for item in file.figures
            },
            members,
            runs,
            {item.name: _by_category(item, runs) for item in file.figures if item.by},
            [CurveValues.of(curve, runs) for curve in file.curves],
        )

    @property
    def safe_name(self) -> str:
        """The name of the model as the name of a file."""
        return re.sub(r"[^\w.-]+", "-", self.model)

    def __str__(self) -> str:
        return as_text([figures_section(self)])

    _repr_html_ = shown_in_notebook

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "suite": self.file.name,
            "title": self.file.title,
            "model": self.model,
            "figures": {item.name: self._plain(item.name) for item in self.file.figures},
            **({} if self.sheet is None else {"sheet": self.sheet.to_json()}),
            "curves": {one.curve.name: one.to_json() for one in self.curves},
            "members": {name: one.to_json() for name, one in self.members.items()},
        }

    def _plain(self, name: str) -> dict[str, Any]:
        """A figure with what is shown with it."""
        plain = {**_plain(self.figures[name]), "shown": _each_plain(self.shown[name])}
        of = self.categories.get(name)
        return {**plain, "categories": _each_plain(of)} if of else plain

    def lists(self) -> dict[str, list[str]]:
        """The ids of the lists of samples, whose members have all finished, by their names."""
        lists: dict[str, list[str]] = {}
        for item in self.file.lists:
            if any(name not in self.runs for name in item.right):
                continue
            runs = [self.runs[name] for name in item.right]
            scored = set.intersection(*(set(run.scores) for run in runs))
            right = set.intersection(*(run.right for run in runs))
            order = [name for name in runs[0].samples.ids if name in scored]
            lists[item.name] = [name for name in order if name in right]
            if item.others:
                lists[item.others] = [name for name in order if name not in right]
        return lists


def _by_category(item: SuiteFigure, runs: Mapping[str, MemberRun]) -> dict[str, FigureValue]:
    """The figure of each category, where there are several."""
    names = {name for run in runs.values() for name in run.samples.categories if name}
    if len(names) < 2:
        return {}
    unit = item.unit or unit_of(item.formula)
    return {
        name: value_of(
            item.formula, {key: run.of_category(name) for key, run in runs.items()}, unit
        )
        for name in sorted(names)
    }


def unit_of(formula: Formula) -> str:
    """The unit of a formula: ``0-1`` or ``0-100`` by its best value, empty of quotients and others.

    >>> from chef.suite.formula import read_formula
    >>> unit_of(read_formula({"times": [100, {"inverse": {"field": "ece", "of": "a"}}]}))
    '0-100'
    """
    if any(True for _ in ratios(formula)):
        return ""
    best = evaluate(formula, lambda item: np.full(1, float(item.field not in ERRORS)))[0]
    return {1.0: "0-1", 100.0: "0-100"}.get(round(float(best), 9), "")


def _plain(value: FigureValue) -> dict[str, Any]:
    missing = {"missing": [*value.missing]} if value.missing else {}
    withheld = {"withheld": value.withheld} if value.withheld else {}
    return {**value.estimate.to_json(), **missing, **withheld}


def _each_plain(values: Mapping[str, FigureValue]) -> dict[str, Any]:
    return {name: _plain(one) for name, one in values.items()}


def figures_section(result: SuiteResult) -> Section:
    """The figures with what they are made of, and what is missing."""
    rows = [line for item in result.file.figures for line in _lines(result, item)]
    title, note = f"{result.file.title}: {result.model}", "\n".join(_notes(result))
    if not rows:
        return Words(title, [note] if note else [])
    return Table(title, HEADERS, rows, note, spare=("n",))


def _lines(result: SuiteResult, item: SuiteFigure) -> Iterator[Sequence[str]]:
    if _is_left_out(result, result.figures[item.name]):
        return
    yield figure_line(item.name, result.figures[item.name])
    for name, value in result.shown[item.name].items():
        yield figure_line(f"· {name}", value)


def _is_left_out(result: SuiteResult, value: FigureValue) -> bool:
    """Whether a figure lacks nothing but members that do not fit what is asked."""
    missing = [result.members[name] for name in value.missing if name in result.members]
    return bool(missing) and all(one.is_left_out for one in missing)


def figure_line(name: str, value: FigureValue) -> Sequence[str]:
    """The cells of a figure, with the headers of `HEADERS`."""
    item = value.estimate
    if item.value is None:
        return (name, "-", "", "")
    return (name, quantity(item), interval(item), str(item.n))


def _notes(result: SuiteResult) -> Iterator[str]:
    for name, value in result.figures.items():
        if value.withheld:
            yield f"{name} is withheld: {value.withheld}"
        if value.missing and not _is_left_out(result, value):
            yield f"{name} is withheld: {', '.join(value.missing)} is missing"
    causes: dict[str, list[str]] = {}
    for name, one in result.members.items():
        if one.why:
            causes.setdefault(one.why, []).append(name)
        elif one.coverage < 1:
            yield f"{name}: {100 * one.coverage:.1f}% of the samples were scored"
    for why, names in causes.items():
        told = ", ".join(names[:_NAMED])
        rest = f" and {len(names) - _NAMED} others" if len(names) > _NAMED else ""
        yield f"{told}{rest} {'is' if len(names) == 1 else 'are'} missing: {why}"
    for name, ids in result.lists().items():
        yield f"{name}: {len(ids)} samples"
