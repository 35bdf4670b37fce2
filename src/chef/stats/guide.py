"""What earlier runs say about a benchmark: its units in a draw, and its items.

A unit on which models disagree tells more than one that all get right, and is likelier to come
early; the order is still drawn by chance, with probabilities that are known. What is expected of
each unit is subtracted from its score, and the mean of all expectations is added back. Neither can
make an estimate wrong: expectations that are wrong only cost draws (`confidence_sequence`).

How hard items are, and how well each tells models apart, is the model of two parameters (2PL): a
run of ability t is right on an item with the chance ``1 / (1 + exp(-(a t + b)))``; abilities are
normal with variance 1. ``a`` and ``b`` of all items make the answers of the runs most likely,
abilities being integrated out by Gauss-Hermite quadrature, in steps of expectation and
maximisation. Few runs say little about an item, so ``a`` and ``b`` are drawn to what is usual by a
prior. Sources: Birnbaum 1968, in Lord and Novick, "Statistical Theories of Mental Test Scores";
Bock and Aitkin 1981, "Marginal Maximum Likelihood Estimation of Item Parameters"; Mislevy 1986,
"Bayes Modal Estimation in Item Response Models". Of fewer than `FEWEST` runs it is the share of
right answers, drawn to that of all items.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chef.frozen import Frozen
from chef.stats.arrays import Array, ArrayLike, np, special

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


#: Of fewer runs there is no discrimination.
FEWEST = 8
#: Points of the quadrature, steps of the fit, and by how much a parameter may change at its end.
_POINTS, _STEPS, _STILL = 31, 200, 1e-4
#: The logarithm of ``a`` is normal with mean 0 and this deviation; ``b`` is normal around that of
#: all items.
_LOG_A, _B = 0.5, 2.0
#: As many answers as this have the share of all items.
_SHRINK = 2.0


class Items(Frozen):
    """What earlier runs say about items.

    Attributes:
        slopes: ``a`` of each, above 0; 1 where too few runs are known.
        levels: ``b`` of each: the logit of the chance of a run of ability 0.
        shares: ``(n,)``, the share of right answers among those there are.
        abilities: of each run, the mean of its posterior; by the score where too few are known.
        counts: ``(n,)``, how many runs have a score of each; empty: all of them.
    """

    names: Sequence[str]
    slopes: Array
    levels: Array
    shares: Array
    abilities: Array
    runs: int
    counts: Sequence[int] = ()

    @property
    def is_fitted(self) -> bool:
        """Whether it is the model of two parameters, and not the shares alone."""
        return self.runs >= FEWEST

    @property
    def expected(self) -> Expected:
        """Expected scores by item; models of slightly different ability differ by its slope."""
        points, weights = _quadrature()
        chances = _chances(self.slopes, self.levels, points)
        scores = chances @ weights
        apart = self.slopes * ((chances * (1 - chances)) @ weights)
        names = self.names
        return Expected(
            {name: float(one) for name, one in zip(names, scores, strict=True)},
            {name: float(one) for name, one in zip(names, apart, strict=True)},
            self.runs,
        )

    @property
    def difficulties(self) -> Array:
        """``(n,)``: the ability at which a run has each item right with a chance of one half."""
        found: Array = -self.levels / self.slopes
        return found

    @property
    def information(self) -> Array:
        """``(n,)``: Fisher's information ``a**2 p (1 - p)`` of each item, on average over runs."""
        chances = _chances(self.slopes, self.levels, self.abilities)
        found: Array = (self.slopes**2)[:, None] * chances * (1 - chances)
        mean: Array = found.mean(axis=1)
        return mean


def items_of(scores: Sequence[Mapping[str, float]]) -> Items:
    """What runs say about their items, by scores by id, 0-1; raises ValueError of none."""
    names = list(dict.fromkeys(name for run in scores for name in run))
    if not names:
        raise ValueError("no run has a score")
    places = {name: place for place, name in enumerate(names)}
    table = np.full((len(scores), len(names)), np.nan)
    for row, run in zip(table, scores, strict=True):
        row[[places[name] for name in run]] = list(run.values())
    has = np.isfinite(table)
    right = np.where(has, table, 0.0)
    count = has.sum(axis=0)
    counts = [int(number) for number in count]
    shares = right.sum(axis=0) / count
    if len(scores) < FEWEST:
        mean = float(right.sum() / count.sum())
        shrunk = (right.sum(axis=0) + _SHRINK * mean) / (count + _SHRINK)
        own = (right.sum(axis=1) + 0.5) / (has.sum(axis=1) + 1)
        ability = np.log(own / (1 - own)) - _logit(mean)
        shrunk = np.clip(shrunk, 0.01, 0.99)
        levels = np.log(shrunk / (1 - shrunk))
        return Items(names, np.ones(len(names)), levels, shares, ability, len(scores), counts)
    slopes, levels, abilities = fit_2pl(right, has)
    return Items(names, slopes, levels, shares, abilities, len(scores), counts)


def fit_2pl(right: ArrayLike, has: ArrayLike) -> tuple[Array, Array, Array]:
    """The likeliest slopes and levels of items, ``(items,)``, with their priors, and the means of
    the posterior abilities, ``(runs,)``. ``right`` and ``has`` are ``(runs, items)``: scores in
    0..1, anything where there is none, and whether there is one.
    """
    known = np.asarray(has, float)
    runs = _Answers(np.where(known > 0, np.asarray(right, float), 0.0), known)
    shares = (runs.scores.sum(axis=0) + 0.5) / (known.sum(axis=0) + 1)
    slopes, levels = np.ones(len(shares)), np.log(shares / (1 - shares))
    centre = float(levels.mean())
    for _ in range(_STEPS):
        new = _maximum(runs.expected(slopes, levels), slopes, levels, centre)
        change = max(float(np.abs(new[0] - slopes).max()), float(np.abs(new[1] - levels).max()))
        slopes, levels = new
        if change < _STILL:
            break
    abilities: Array = runs.posterior(slopes, levels) @ _quadrature()[0]
    return slopes, levels, abilities


class _Answers(Frozen):
    """Scores, ``(runs, items)``, 0-1, and 0 where there is none; ``known``: 1 if there is one."""

    scores: Array
    known: Array

    def posterior(self, slopes: Array, levels: Array) -> Array:
        """``(runs, points)``: how likely each ability is by the answers of a run."""
        points, weights = _quadrature()
        logits = _outer(slopes, points) + levels[:, None]
        # log p = logit - log(1 + exp(logit)), log(1 - p) = -log(1 + exp(logit))
        logs = self.scores @ logits - self.known @ np.logaddexp(0.0, logits) + np.log(weights)
        logs -= logs.max(axis=1, keepdims=True)
        likely: Array = np.exp(logs)
        likely /= likely.sum(axis=1, keepdims=True)
        return likely

    def expected(self, slopes: Array, levels: Array) -> tuple[Array, Array]:
        """``(points, items)``: how many are right, and how many answer, at each ability."""
        likely = self.posterior(slopes, levels).T
        return likely @ self.scores, likely @ self.known


def _quadrature() -> tuple[Array, Array]:
    """Points and weights by which a function of a standard normal ability is averaged."""
    points, weights = np.polynomial.hermite_e.hermegauss(_POINTS)
    return points, weights / weights.sum()


def _chances(slopes: Array, levels: Array, abilities: Array) -> Array:
    """``(items, abilities)``: how likely each is right."""
    chances: Array = special.expit(_outer(slopes, abilities) + levels[:, None])
    return chances


def _outer(first: Array, second: Array) -> Array:
    """``(n, m)`` products."""
    products: Array = first[:, None] * second[None, :]
    return products


def _maximum(
    answers: tuple[Array, Array], slopes: Array, levels: Array, centre: float
) -> tuple[Array, Array]:
    """Likeliest slopes and levels by answers ``(points, items)`` (`_Answers.expected`): Newton's
    steps, in the logarithm of the slope, from ``slopes`` and ``levels``, of which ``centre`` is the
    prior mean.
    """
    (expected, tried), points = answers, _quadrature()[0]
    log_a, b = np.log(slopes), levels.copy()
    for _ in range(5):
        a = np.exp(log_a)
        chances = _chances(a, b, points).T  # (points, items)
        rest, spread = expected - tried * chances, tried * chances * (1 - chances)
        by_a = points[:, None] * a
        slope_b = rest.sum(axis=0) - (b - centre) / _B**2
        slope_a = (rest * by_a).sum(axis=0) - log_a / _LOG_A**2
        # The expected second derivatives: never of the wrong sign.
        h_bb = spread.sum(axis=0) + 1 / _B**2
        h_aa = (spread * by_a**2).sum(axis=0) + 1 / _LOG_A**2
        h_ab = (spread * by_a).sum(axis=0)
        determinant = h_aa * h_bb - h_ab**2
        step_a = (h_bb * slope_a - h_ab * slope_b) / determinant
        step_b = (h_aa * slope_b - h_ab * slope_a) / determinant
        log_a, b = log_a + np.clip(step_a, -1, 1), b + np.clip(step_b, -2, 2)
    return np.exp(log_a), b


def _logit(share: float) -> float:
    share = min(0.99, max(0.01, share))
    return math.log(share / (1 - share))
