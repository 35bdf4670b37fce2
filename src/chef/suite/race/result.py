"""Who is ahead of whom in a race, by confidence sequences, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any, Literal, TypeAlias

from chef.document.outline import as_text, shown_in_notebook
from chef.document.sections import Section, Table
from chef.frozen import Frozen
from chef.scoring.figures import titled_values
from chef.scoring.result import RunResult, result_tables
from chef.scoring.stopping import draws_of
from chef.stats.confidence_sequence import ALPHA, Draws, Interval, Population, difference_interval
from chef.stats.guide import Guide

_WHERE = {"questions": "on questions like these", "benchmark": "on this benchmark"}


class Race(Frozen):
    """The end of a race.

    Attributes:
        label: ``scenario/recipe``.
        on: where the winner is better: on all ``questions`` like these, or on this ``benchmark``.
        total: number of samples of the benchmark.
        asked: how many the models that stayed to the end were asked.
        limit: the most that each model could be asked.
        winner: the name of the model that is better than every other one; None if not decided.
        duels: the pairs: of those that stayed to the end, and of each model with the one that beat
            it, when it left.
        reports: of each model, in the order in which they were given.
    """

    label: str
    on: On
    total: int
    asked: int
    limit: int
    winner: str | None
    duels: Sequence[Duel]
    reports: Sequence[RunResult]

    @property
    def saved(self) -> int:
        """How many samples less were asked than all models could have been.

        A run of before may have more answers than the race asks for.
        """
        return sum(max(0, self.limit - item.coverage.total) for item in self.reports)

    @property
    def verdict(self) -> str:
        """Who won, by how much and after how many samples; or why there is no winner."""
        at = f"at {self.asked} of {self.total} samples"
        if self.winner is not None:
            beaten = [item for item in self.duels if item.first == self.winner and item.is_decided]
            by = ", ".join(f"{item.by(self.on)} than {item.second}" for item in beaten)
            others = len(self.reports) - 1 - len(beaten)
            more = f", and than {others} that others beat" if others else ""
            return f"{self.winner} wins {at}: {_WHERE[self.on]} better by {by}{more}."
        if self.asked < self.total:
            text = f"Not decided {at}, where the limit ended the race; a larger --limit goes on."
            return text + self._on_the_other()
        return (
            f"Not decided by all {self.total} samples: what is between the models may be chance. "
            "`chef compare` looks once, at all of them, with narrower intervals."
        )

    def _on_the_other(self) -> str:
        """Which model is known to be better on this benchmark, where that was not the question."""
        better = [
            f" On this benchmark, {item.first} is better by {item.by('benchmark')} than "
            f"{item.second}."
            for item in self.duels
            if self.on == "questions" and not item.is_decided and item.benchmark_low > 0
        ]
        return "".join(better)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "label": self.label,
            "on": self.on,
            "winner": self.winner,
            "verdict": self.verdict,
            "asked": self.asked,
            "total": self.total,
            "limit": self.limit,
            "saved": self.saved,
            "duels": [_plain(item) for item in self.duels],
            "runs": [
                {
                    "model": item.model,
                    "folder": str(item.folder),
                    "asked": item.coverage.total,
                    "figure": item.primary,
                    **item.metrics[item.primary].to_json(),
                    **titled_values(item),
                }
                for item in self.reports
            ],
        }

    def table(self, width: int | None = None) -> str:
        """The verdict, the pairs and the runs as plain text.

        Args:
            width: the columns of the terminal; None for any number.
        """
        return as_text(self.sections(), width)

    def sections(self) -> list[Section]:
        """The pairs with the verdict, and the runs."""
        rows = [
            [item.first, item.second, f"{item.difference:.1f}", item.interval("questions"),
             item.interval("benchmark"), str(item.samples), str(item.scored),
             "yes" if item.is_decided else "no"]
            for item in self.duels
        ]  # fmt: skip
        headers = ("ahead", "of", "points", "questions like these", "this benchmark", "samples",
                   "n", "decided")  # fmt: skip
        lines = [self.verdict]
        if self.saved:
            most = self.limit * len(self.reports)
            lines.append(f"{self.saved:,} of {most:,} questions did not have to be asked.")
        spare = ("n", "samples", "points")
        title = f"race: {self.label}"
        duels = Table(title, headers, rows, "\n".join(lines), names=2, spare=spare)
        return [duels, *result_tables(self.reports)]

    def __str__(self) -> str:
        return self.table()

    _repr_html_ = shown_in_notebook


def _plain(duel: Duel) -> dict[str, Any]:
    data = asdict(duel)
    return {**data, "decided": data.pop("is_decided")}


#: Differences that the bets aim at, 0-1: a race does not know how far apart its models are.
AIMS = (0.32, 0.16, 0.08, 0.04, 0.02)
#: What samples that are not drawn evenly tell of other questions.
_NOTHING = Interval(0.0, -1.0, 1.0)
#: Where the winner is better: on all questions like these, of which the benchmark is a sample, or
#: on the samples of this benchmark.
On: TypeAlias = Literal["questions", "benchmark"]


class Duel(Frozen):
    """Two models on the samples that both were asked; the first has the higher score.

    Attributes:
        samples: number of samples that both were asked.
        scored: how many of them both have a score for; the others do not count.
        difference: the score of the first minus that of the second, in points of percent.
        low, high: the interval of this difference on all questions like these, likewise. All of
            these intervals of a race hold together, at every look, with a probability of 95 %.
        benchmark_low, benchmark_high: the interval of the difference on the whole benchmark, with
            the same probability of their own; once everything is asked, they are the difference.
        is_decided: whether the first is known to be better.
    """

    first: str
    second: str
    samples: int
    scored: int
    difference: float
    low: float
    high: float
    benchmark_low: float
    benchmark_high: float
    is_decided: bool

    def by(self, on: On = "questions") -> str:
        """The difference and one of its intervals, in words."""
        return f"{self.difference:.1f} points {self.interval(on)}"

    def interval(self, on: On) -> str:
        """One of its intervals, in words."""
        if on == "questions":
            if self.high - self.low >= 200:
                return "not known"
            return f"[{self.low:.1f}, {self.high:.1f}]"
        return f"[{self.benchmark_low:.1f}, {self.benchmark_high:.1f}]"


def duels(
    asked: Sequence[Sequence[str]],
    scores: Mapping[str, Mapping[str, float]],
    population: Population,
    models: int,
    on: On = "questions",
    *,
    guide: Guide | None = None,
) -> list[Duel]:
    """Compare each model with each other one by their scores, 0-1, of the units all were asked.

    ``asked`` has the ids of each unit in the order of the draw. The error is shared by all pairs of
    ``models``, their number at the start. ``on`` is where one is to be better: when a whole
    benchmark is asked, one of two models is nearly always ahead by a little; that is no decision on
    this benchmark. ``guide`` tells nothing of questions like these.
    """
    alpha = ALPHA / (models * (models - 1) / 2)
    duels = []
    for pair in combinations(scores, 2):
        mine, others = (scores[name] for name in pair)
        apart = {name: mine[name] - others[name] for name in mine if name in others}
        duels.append(_duel(pair, draws_of(asked, apart, guide), population, alpha, on))
    return duels


def _duel(
    pair: tuple[str, str], draws: Draws, population: Population, alpha: float, on: On
) -> Duel:
    if draws.guide is not None:
        general, here = _NOTHING, difference_interval(draws, population, AIMS, alpha)
        if here.value < 0:
            here, pair = Interval(-here.value, -here.high, -here.low), (pair[1], pair[0])
    else:
        if sum(draws.sums) < 0:
            draws = replace(draws, sums=[-item for item in draws.sums])
            pair = pair[1], pair[0]
        source = replace(population, is_sample=True)
        general, here = (difference_interval(draws, of, AIMS, alpha) for of in (source, population))
    scored, samples = sum(draws.counts), sum(draws.sizes)
    is_part = samples < population.samples
    return Duel(
        *pair,
        samples=samples,
        scored=scored,
        difference=100 * here.value if scored else 0.0,
        low=100 * general.low,
        high=100 * general.high,
        benchmark_low=100 * here.low,
        benchmark_high=100 * here.high,
        is_decided=general.low > 0 if on == "questions" else here.low > 0 and is_part,
    )
