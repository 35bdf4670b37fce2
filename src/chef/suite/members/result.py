"""What a suite has found of one model."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.document.numbers import interval, quantity
from chef.document.outline import outline
from chef.stats.estimate import Estimate
from chef.suite.formula import Formula, evaluate, ratios
from chef.suite.members.figures import ERRORS, MemberRun, Value, value_of
from chef.suite.members.file import SuiteFigure, SuiteFile


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a member.

    Attributes:
        name: of the member.
        folder: of its run; None where it has not finished.
        metric: the name of its main figure.
        figure: its main figure.
        coverage: the share of its samples that were scored, 0 to 1.
        why: why it has not finished; empty where it has.
    """

    name: str
    folder: Path | None = None
    metric: str = ""
    figure: Estimate | None = None
    coverage: float = 0.0
    why: str = ""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """The figures of a suite for one model.

    Attributes:
        file: the suite.
        model: the name of the model.
        figures: the value of each figure, by its name.
        shown: the further values of each figure, by their names.
        members: what became of each member.
        runs: the samples of those that have finished.
    """

    file: SuiteFile
    model: str
    figures: Mapping[str, Value]
    shown: Mapping[str, Mapping[str, Value]]
    members: Mapping[str, Outcome]
    runs: Mapping[str, MemberRun]

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
                    name: value_of(one, runs, unit_of(one)) for name, one in item.shown.items()
                }
                for item in file.figures
            },
            members,
            runs,
        )

    @property
    def safe_name(self) -> str:
        """The name of the model as the name of a file."""
        return re.sub(r"[^\w.-]+", "-", self.model)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "suite": self.file.name,
            "title": self.file.title,
            "model": self.model,
            "figures": {
                item.name: {
                    **_plain(self.figures[item.name]),
                    "shown": {name: _plain(one) for name, one in self.shown[item.name].items()},
                }
                for item in self.file.figures
            },
            "members": {
                name: {
                    "folder": None if one.folder is None else str(one.folder),
                    "metric": one.metric,
                    "figure": None if one.figure is None else one.figure.to_json(),
                    "coverage": one.coverage,
                    "why": one.why,
                }
                for name, one in self.members.items()
            },
        }

    def table(self, width: int | None = None) -> str:
        """The figures, what they are made of, and what is missing, as text.

        Args:
            width: the columns of the terminal; None for any number.
        """
        lines = [line for item in self.file.figures for line in self._lines(item)]
        headers = ("figure", "value", "95% interval", "n")
        shown = outline(headers, lines, width, names=1, spare=("n",))
        notes = [*self._notes()]
        wide = 100 if width is None else max(40, width)
        told = [textwrap.fill(note, wide, subsequent_indent="  ") for note in notes]
        return "\n".join([f"{self.file.title}: {self.model}", shown, *told])

    def _lines(self, item: SuiteFigure) -> Iterator[list[str]]:
        yield _line(item.name, self.figures[item.name])
        for name, value in self.shown[item.name].items():
            yield _line(f"· {name}", value)

    def _notes(self) -> Iterator[str]:
        for name, value in self.figures.items():
            if value.withheld:
                yield f"{name} is withheld: {value.withheld}"
            if value.missing:
                yield f"{name} is withheld: {', '.join(value.missing)} is missing"
        for name, one in self.members.items():
            if one.why:
                yield f"{name} is missing: {one.why}"
            elif one.coverage < 1:
                yield f"{name}: {100 * one.coverage:.1f}% of the samples were scored"


def unit_of(formula: Formula) -> str:
    """The unit of a formula: ``0-1`` or ``0-100`` by its best value, empty of quotients and others.

    >>> from chef.suite.formula import read_formula
    >>> unit_of(read_formula({"times": [100, {"inverse": {"field": "ece", "of": "a"}}]}))
    '0-100'
    """
    import numpy as np

    if any(True for _ in ratios(formula)):
        return ""
    best = evaluate(formula, lambda item: np.full(1, float(item.field not in ERRORS)))[0]
    return {1.0: "0-1", 100.0: "0-100"}.get(round(float(best), 9), "")


def _line(name: str, value: Value) -> list[str]:
    item = value.estimate
    if item.value is None:
        return [name, "-", "", ""]
    return [name, quantity(item), interval(item), str(item.n)]


def _plain(value: Value) -> dict[str, Any]:
    missing = {"missing": [*value.missing]} if value.missing else {}
    withheld = {"withheld": value.withheld} if value.withheld else {}
    return {**value.estimate.to_json(), **missing, **withheld}
