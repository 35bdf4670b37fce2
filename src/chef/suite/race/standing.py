"""Who is ahead of whom after the same samples: paired differences with confidence sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeAlias

from chef.scoring.stopping import draws_of
from chef.stats.confidence_sequence import (
    ALPHA,
    Draws,
    Interval,
    Population,
    difference_interval,
)
from chef.stats.guide import Guide

#: Differences that the bets aim at, 0-1: a race does not know how far apart its models are.
AIMS = (0.32, 0.16, 0.08, 0.04, 0.02)
#: What samples that are not drawn evenly tell of other questions.
_NOTHING = Interval(0.0, -1.0, 1.0)
#: Where the winner is better: on all questions like these, of which the benchmark is a sample, or
#: on the samples of this benchmark.
On: TypeAlias = Literal["questions", "benchmark"]


@dataclass(frozen=True, slots=True)
class Duel:
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
