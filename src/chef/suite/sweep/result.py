"""What a sweep finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.document.outline import as_csv, as_text, shown_in_notebook
from chef.document.sections import Cell, Table, Words, text_of
from chef.frozen import Frozen
from chef.scoring.figures import FIGURE, figure_cells, titled, titled_values, without_empty
from chef.scoring.result import RunResult
from chef.stats.estimate import Estimate, undefined

#: So many combinations are listed on a terminal; the others are in the files that the sweep writes.
LISTED = 30


class Combination(Frozen):
    """One combination of values, by factor, and the result of its run, without its samples."""

    values: Mapping[str, str]
    report: RunResult

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.report.model

    @property
    def folder(self) -> Path:
        """The run folder."""
        return self.report.folder

    @property
    def figure(self) -> Estimate:
        """The main figure of the run."""
        return self.report.figure or undefined("")

    @property
    def coverage(self) -> float:
        """Share of its samples that were scored, 0 to 1."""
        return self.report.coverage.coverage

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"values": {**self.values}, "model": self.model, **self.report.main()}


class Share(Frozen):
    """How much of the variance of the score a factor decides.

    Attributes:
        term: the factor, or two joined by `` × `` for their interaction, ``other interactions``
            (what runs differ by and no term explains), ``samples`` (which sample it is), or
            ``rest``.
        share: of the variance between the runs, 0-1, with its interval; the value is None for
            ``samples`` and ``rest``, and where runs differ by no more than chance.
        deviation: the standard deviation that it gives the score of a run, in points of percent;
            None for ``samples`` and ``rest``.
        of_answers: share of the variance of single answers' scores, 0-1.
        p_value: of no effect: how often the noise of the samples alone makes one of this size;
            None for ``samples`` and ``rest``.
    """

    term: str
    share: Estimate
    deviation: Estimate | None = None
    of_answers: Estimate | None = None
    p_value: float | None = None


class Stability(Frozen):
    """A recipe: one value of each factor that is a choice of the recipe's author.

    Attributes:
        values: by factor.
        accuracy: on the half of the samples that did not choose it; the mean of its runs, in
            percent (in points where scores are not from 0 to 1).
        spread: standard deviation of its scores over the other factors, in points, on the same half
            and without the noise of the samples; 0 where ``interval`` is None, as it is unknown.
        chosen: whether it was chosen on the first half: highest accuracy less its spread.
        interval: the spread with its interval; None where a recipe has one run.
        first_half: its accuracy on the half that chose, in the unit of ``accuracy``.
        on_front: whether no other recipe is better in accuracy or spread without being worse in the
            other (the Pareto front).
        lead: of the chosen recipe, by how many points its accuracy exceeds that of the one that
            came second on the first half; None for the others.
        runs: how many runs it has.
    """

    values: Mapping[str, str]
    accuracy: Estimate
    spread: float
    chosen: bool = False
    interval: Estimate | None = None
    first_half: float | None = None
    on_front: bool = False
    lead: Estimate | None = None
    runs: int = 1


class Position(Frozen):
    """How often a letter is chosen and right, in percent, and the difference with its interval."""

    letter: str
    chosen: Estimate
    right: Estimate
    bias: Estimate


class PositionBias(Frozen):
    """How far the letters that are chosen differ from those that are right.

    Attributes:
        factor, value: of the runs that it is of; empty for all runs.
        distance: the total variation distance in points: half of the sum of the biases' sizes,
            which is the share of answers that would have to move to another letter.
        by_chance: what it would be on average without any bias, by permutation within clusters.
        p_value: of no bias, by the same permutation.
        letters: of each option letter.
    """

    factor: str
    value: str
    distance: float
    by_chance: float
    p_value: float
    letters: Sequence[Position]


class Level(Frozen):
    """A value of a factor, all else being equal.

    Attributes:
        score: mean of its runs, in percent (points where scores are not from 0 to 1).
        effect: its difference from the mean of all values, in points, on the same samples.
    """

    factor: str
    value: str
    score: Estimate
    effect: Estimate


class SweepResult(Frozen):
    """A sweep.

    Attributes:
        name: of the sweep.
        folder: where it is written.
        factors: the values of each factor, by its name.
        combinations: the runs.
        shares: of the variance, the largest first, ``samples`` and ``rest`` last.
        stable: recipes, the most stable first; empty where no factor is a choice of the recipe.
        levels: the score of each value of each factor.
        biases: the position bias over all runs, then by the values of the factors that change it;
            empty where there are no options.
        rotation: change of the score when options are moved to other letters, in points: moved
            minus original order, paired by sample; None where the sweep does not rotate.
        fall: how far the recipe that was chosen on one half of the samples falls on the other,
            against the mean of all recipes, in points; None where none was chosen.
        notes: what a reader has to know.
    """

    name: str
    folder: Path
    factors: Mapping[str, Sequence[str]]
    combinations: Sequence[Combination]
    shares: Sequence[Share] = ()
    stable: Sequence[Stability] = ()
    levels: Sequence[Level] = ()
    biases: Sequence[PositionBias] = ()
    rotation: Estimate | None = None
    fall: float | None = None
    notes: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        bare = replace(self, combinations=())
        runs = [one.to_json() for one in self.combinations]
        return {**to_jsonable(asdict(bare)), "combinations": runs}

    def __str__(self) -> str:
        title = Words("", [f"{self.name}: {len(self.combinations)} runs"])
        return as_text([title, runs_table(self)])

    _repr_html_ = shown_in_notebook

    def as_csv(self) -> str:
        """The combinations as a table: the factors, the model, the figure and the folder."""
        factors = [name for name in self.factors if name != "model"]
        runs = [(one, titled_values(one.report)) for one in self.combinations]
        more = dict.fromkeys(name for _, values in runs for name in values)
        numbers = ("low", "high", "unit", "n")
        headers = (*factors, "model", "score", *numbers, "coverage", *more, "folder")
        rows = []
        for one, values in runs:
            figure = one.figure
            cells: list[object] = [one.values.get(name, "") for name in factors]
            cells += [one.model, figure.value, *(getattr(figure, name) for name in numbers)]
            cells += [one.coverage, *(values.get(name) for name in more), one.folder]
            rows.append(["" if cell is None else str(cell) for cell in cells])
        return as_csv([Table("", headers, rows)])


def varied(found: SweepResult) -> list[str]:
    """The factors that runs differ in."""
    return [
        name
        for name in found.factors
        if len({item.values.get(name) for item in found.combinations}) > 1
    ]


def ranked(found: SweepResult) -> Sequence[int]:
    """The places of the combinations, the best main figure first; undefined ones last."""
    figures = [item.figure for item in found.combinations]
    down = any(figure.higher_is_better is False for figure in figures)

    def key(place: int) -> tuple[bool, float]:
        value = figures[place].value
        return value is None, 0.0 if value is None else value if down else -value

    return sorted(range(len(figures)), key=key)


def runs_table(found: SweepResult, links: Sequence[str] = ()) -> Table:
    """The runs by their score; ``links`` are those to their pages."""
    names = varied(found)
    more = titled(item.report for item in found.combinations)
    rows: list[list[str | Cell]] = []
    for place in ranked(found):
        item = found.combinations[place]
        values = [item.values.get(name, "") for name in names]
        link = links[place] if place < len(links) else ""
        report = item.report
        value, *cells = figure_cells(report, report.primary, report.chance, more)
        rows.append([*values, Cell(text_of(value), href=link), *cells])
    headers, rows = without_empty((*names, *FIGURE, *more), rows, ("clusters", "chance", *more))
    return Table("Runs", headers, rows, names=len(names), most=LISTED)
