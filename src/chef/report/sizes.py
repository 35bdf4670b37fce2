"""How many samples a question needs, before they are asked: from earlier runs, or without any."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations, islice
from pathlib import Path
from typing import TypeAlias

from chef.document.sections import Section, Table, Words
from chef.errors import ChefError
from chef.frozen import Frozen
from chef.report.compare.compare import compare
from chef.report.runs import RunLine, list_runs
from chef.stats.estimate import PERCENT, Estimate
from chef.stats.power import samples_for_difference, samples_for_interval

#: The number of samples by their standard deviation and the points.
SizeOf: TypeAlias = Callable[[float, float], int]
#: Without an earlier run: a share of one half, and two runs that differ on 30% of the samples.
_SHARE, _DIFFERENCE = 50.0, 100 * math.sqrt(0.3)
#: Runs that are looked at, and pairs of them that are compared, the newest first.
_RUNS, _PAIRS = 10, 6
#: A pilot has so many samples.
PILOT = 50


class SampleSpread(Frozen):
    """A sample's standard deviation in points, its source, and the mean samples in a cluster."""

    deviation: float
    source: str
    cluster: float | None = None


class Sizes(Frozen):
    """How many samples of a recipe answer two questions, by how much scores and differences vary.

    ``points`` is how far an interval may reach, and how far apart two models are; ``total`` the
    samples that the scenario has.
    """

    label: str
    points: float
    total: int
    score: SampleSpread
    difference: SampleSpread

    def sections(self) -> list[Section]:
        """The answer as sections of a report."""
        p = f"{self.points:g}"
        rows = [
            self._row(f"the score within {p} points", self.score, samples_for_interval),
            self._row(
                f"two models {p} points apart (power 80%)", self.difference, samples_for_difference
            ),
        ]
        title = f"{self.label}: how many samples?"
        headers = ("to know", "samples", "clusters", f"all {self.total:,} show")
        table = Table(title, headers, rows, "\n".join(self._from()))
        return [table, Words("", [f"next: {line}" for line in self._next()])]

    def _row(self, what: str, spread: SampleSpread, needed: SizeOf) -> tuple[str, str, str, str]:
        number = needed(spread.deviation, self.points)
        clusters = "-" if spread.cluster is None else f"{math.ceil(number / spread.cluster):,}"
        # The number falls with the square of the points.
        shown = self.points * math.sqrt(number / max(1, self.total))
        return what, f"{number:,}", clusters, f"{shown:.1f} points"

    def _from(self) -> list[str]:
        lines = [f"the score: {self.score.source}", f"the difference: {self.difference.source}"]
        return [*lines, "Of questions like these, of which the samples are a draw."]

    def _next(self) -> list[str]:
        samples = samples_for_interval(self.score.deviation, self.points)
        if not self.score.cluster:
            return [f"a pilot makes this exact: the same command with --limit {PILOT}, and again"]
        if samples >= self.total:
            return ["ask all samples: the same command without --plan"]
        return [f"the same command with --limit {samples}, or with --precision {self.points:g}"]


def sizes(
    label: str, total: int, points: float, folder: Path, models: Collection[str] = ()
) -> Sizes:
    """How many samples of a recipe are needed for intervals and differences of so many points.

    Earlier runs of ``label`` (``scenario/recipe``) below ``folder`` tell how scores vary; the own
    runs of ``models`` count alone where there are any.
    """
    runs = [run for run in list_runs(folder).runs if run.label == label and _points(run)]
    runs = runs[:_RUNS]
    own = [run for run in runs if run.model in models]
    return Sizes(label, points, total, spread_of_scores(own or runs), _of_differences(runs))


def _points(run: RunLine) -> Estimate | None:
    """The main figure in points; None where it is no share or has no standard error."""
    item = run.estimate
    if item is None or not item.stderr or item.unit not in PERCENT:
        return None
    return item.scaled(PERCENT[item.unit], "%")


def spread_of_scores(runs: Sequence[RunLine]) -> SampleSpread:
    """How much scores vary by the main figures of runs; the worst case where none tells."""
    figures = [item for run in runs if (item := _points(run)) is not None]
    if not figures:
        return SampleSpread(
            _SHARE, "no earlier run whose answers vary; a score of 50%, which varies most"
        )
    deviation, cluster = _pooled(figures)
    names = ", ".join(dict.fromkeys(run.model for run in runs))
    return SampleSpread(deviation, f"as in {_runs(len(figures))} of {names}", cluster)


def _of_differences(runs: Sequence[RunLine]) -> SampleSpread:
    """From the paired differences of runs of other models, or of other days."""
    figures = list(islice(_differences(runs), _PAIRS))
    if not figures:
        return SampleSpread(
            _DIFFERENCE, "no two earlier runs that differ; two that do on 30% of the samples"
        )
    deviation, cluster = _pooled(figures)
    pairs = "a pair" if len(figures) == 1 else f"{len(figures)} pairs"
    return SampleSpread(deviation, f"as in {pairs} of earlier runs", cluster)


def _differences(runs: Sequence[RunLine]) -> Iterable[Estimate]:
    for one, other in combinations(runs, 2):
        if one.model == other.model:
            continue
        try:
            found = compare([one.path, other.path], allow=["subset"])
        except ChefError:
            continue  # they do not ask the same
        item = found.main.differences[found.primary].difference
        if item.stderr and item.unit in PERCENT:
            yield item.scaled(PERCENT[item.unit], "%")


def _pooled(figures: Sequence[Estimate]) -> tuple[float, float | None]:
    """The standard deviation of a sample, larger runs counting more, and samples in a cluster."""
    total = sum(item.n for item in figures)
    square = sum(item.n * (item.stderr or 0.0) ** 2 * item.n for item in figures) / total
    sizes_ = [item.n / item.clusters for item in figures if item.clusters]
    return math.sqrt(square), sum(sizes_) / len(sizes_) if sizes_ else 1.0


def _runs(number: int) -> str:
    return "an earlier run" if number == 1 else f"{number} earlier runs"
