"""What earlier runs say about the units of a benchmark: which are drawn first, and their scores.

A unit on which models disagree tells more than one that all get right, and is likelier to come
early; the order is still drawn by chance, with probabilities that are known. What is expected of
each unit is subtracted from its score, and the mean of all expectations is added back. Neither can
make an estimate wrong: expectations that are wrong only cost draws (`confidence_sequence`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chef.frozen import Frozen
from chef.stats.arrays import ArrayLike, np

#: The part of the weight of a unit that its size alone gives: no unit is hardly ever drawn.
_EVEN = 0.5
#: The least standard deviation that is expected of a score in 0..1.
_LEAST = 0.05


class Guide(Frozen):
    """What is known of the units before they are drawn.

    Attributes:
        weights: of each unit drawn so far, in this order, above 0; the next one is any of those
            left in proportion to its weight.
        predictions: likewise, what is expected of the sum of its scores, less the expected mean for
            each of its samples; as a share of the size of the largest unit.
        weight: the sum of the weights of all units of the benchmark.
        prediction: that of the predictions.
        largest: the most that the share of a unit (of the largest one's size) is of its weight.
        least, most: the least and the most that a prediction is of the weight of its unit.
        mean: the expected mean of the scores, 0-1; any number is as right.
        slope: how far predictions are followed before any draw has shown what they are worth.
    """

    weights: Sequence[float]
    predictions: Sequence[float]
    weight: float
    prediction: float
    largest: float
    least: float
    most: float
    mean: float = 0.5
    slope: float = 1.0

    def halved(self) -> Guide:
        """The same for differences on the scale of scores, with predictions half as large."""
        return replace(
            self,
            predictions=[item / 2 for item in self.predictions],
            prediction=self.prediction / 2,
            least=self.least / 2,
            most=self.most / 2,
            mean=0.5,
            slope=0.0,  # which of two models is ahead is not known
        )


class Expected(Frozen):
    """What ``runs`` earlier runs say about each sample of a benchmark, by id.

    Attributes:
        scores: the expected score, 0-1; less of 0.5 where nothing is known.
        differences: how far apart two models are expected to be on it, in proportion.
    """

    scores: Mapping[str, float]
    differences: Mapping[str, float]
    runs: int


def weights_of(units: Sequence[Sequence[str]], expected: Expected) -> list[float]:
    """The weight of each unit, 1 on average: half by its size, half by how much its scores are
    expected to vary, as the most exact estimate draws in proportion to that (Neyman 1934).
    """
    sizes = np.array([len(unit) for unit in units], float)
    spreads = np.array(
        [sum(max(_LEAST, _spread(expected.scores.get(name, 0.5))) for name in u) for u in units]
    )
    weights = _EVEN * sizes / sizes.mean() + (1 - _EVEN) * spreads / spreads.mean()
    return [float(item) for item in weights]


def _spread(share: float) -> float:
    return math.sqrt(max(0.0, share * (1 - share)))


def drawn_order(weights: ArrayLike, seed: int) -> list[int]:
    """The places of units in the order drawn, each in proportion to its weight among those left:
    that of exponential variables with these rates (Efraimidis and Spirakis 2006).
    """
    rates = np.asarray(weights, float)
    # Apart from the order of the same seed without weights.
    keys = np.random.default_rng([seed, 1]).exponential(size=len(rates)) / rates
    return [int(place) for place in np.argsort(keys, kind="stable")]


def guides_of(
    units: Sequence[Sequence[str]], expected: Mapping[str, float], weights: Sequence[float]
) -> Guide:
    """The guide after all units, lists of ids, are drawn in this order; `first` gives that after
    some. Samples of which nothing is expected have the mean of the others.
    """
    known = [expected[name] for unit in units for name in unit if name in expected]
    mean = sum(known) / len(known) if known else 0.0
    largest = max(map(len, units))
    predictions = [sum(expected.get(n, mean) - mean for n in unit) / largest for unit in units]
    shares = [x / w for x, w in zip(predictions, weights, strict=True)]
    return Guide(
        weights=list(weights),
        predictions=predictions,
        weight=sum(weights),
        prediction=sum(predictions),
        largest=max(len(u) / largest / w for u, w in zip(units, weights, strict=True)),
        least=min(shares),
        most=max(shares),
        mean=min(1.0, max(0.0, mean)),
    )


def first(guide: Guide, units: int) -> Guide:
    """The guide after the first so many units."""
    return replace(guide, weights=guide.weights[:units], predictions=guide.predictions[:units])
