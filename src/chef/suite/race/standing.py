"""Who is ahead of whom after the same samples: paired differences with confidence sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from chef.metric.confidence_sequence import ALPHA, Draws, Population, difference_interval
from chef.scoring.stopping import draws_of

#: Differences that the bets aim at, 0-1: a race does not know how far apart its models are.
AIMS = (0.32, 0.16, 0.08, 0.04, 0.02)


@dataclass(frozen=True, slots=True)
class Duel:
    """Two models on the samples that both were asked.

    Attributes:
        first, second: the names of the models; the first has the higher score.
        samples: number of samples that both were asked.
        scored: how many of them both have a score for; the others do not count.
        difference: the score of the first minus that of the second, in points of percent.
        low, high: the interval of this difference on the whole benchmark, likewise. All intervals
            of a race hold together, at every look, with a probability of 95 %.
        is_whole: whether the whole benchmark was asked, so that the difference is exact.
    """

    first: str
    second: str
    samples: int
    scored: int
    difference: float
    low: float
    high: float
    is_whole: bool = False

    @property
    def is_decided(self) -> bool:
        """Whether the first is known to be better on the whole benchmark from a part of it.

        Once everything is asked, one of two models is nearly always ahead by a little: how far that
        is noise is a question for `chef compare`.
        """
        return self.low > 0 and not self.is_whole

    @property
    def by(self) -> str:
        """The difference and its interval, in words."""
        return f"{self.difference:.1f} points [{self.low:.1f}, {self.high:.1f}]"


def duels(
    asked: Sequence[Sequence[str]],
    scores: Mapping[str, Mapping[str, float]],
    population: Population,
    models: int,
) -> list[Duel]:
    """Compare each model with each other one.

    Args:
        asked: the ids of each unit that all of them were asked, in the order of the draw.
        scores: of each model, the score of each scored sample, 0-1.
        population: the whole benchmark.
        models: number of models at the start: the error is shared by all their pairs.
    """
    alpha = ALPHA / (models * (models - 1) / 2)
    found = []
    for pair in combinations(scores, 2):
        mine, others = (scores[name] for name in pair)
        apart = {name: mine[name] - others[name] for name in mine if name in others}
        found.append(_duel(pair, draws_of(asked, apart), population, alpha))
    return found


def _duel(pair: tuple[str, str], draws: Draws, population: Population, alpha: float) -> Duel:
    one, other = pair
    found = difference_interval(draws, population, AIMS, alpha)
    scored = sum(draws.counts)
    samples = sum(draws.sizes)
    value, low, high = (100 * end for end in (found.value, found.low, found.high))
    if not scored:
        value = 0.0
    whole = samples == population.samples
    if value < 0:
        return Duel(other, one, samples, scored, -value, -high, -low, whole)
    return Duel(one, other, samples, scored, value, low, high, whole)
