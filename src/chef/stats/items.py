"""How hard the items of a benchmark are, and how well each tells models apart, by earlier runs.

The model is that of two parameters (2PL): a run of ability t is right on an item with the chance
``1 / (1 + exp(-(a t + b)))``; abilities are normal with variance 1. ``a`` and ``b`` of all items
make the answers of the runs most likely, abilities being integrated out by Gauss-Hermite
quadrature, in steps of expectation and maximisation. Few runs say little about an item, so ``a``
and ``b`` are drawn to what is usual by a prior. Sources: Birnbaum 1968, in Lord and Novick,
"Statistical Theories of Mental Test Scores"; Bock and Aitkin 1981, "Marginal Maximum Likelihood
Estimation of Item Parameters"; Mislevy 1986, "Bayes Modal Estimation in Item Response Models".

Of fewer than `FEWEST` runs it is the share of right answers, drawn to that of all items.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from chef.frozen import Frozen
from chef.stats.arrays import Array, ArrayLike, np, special
from chef.stats.guide import Expected

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
    """

    names: Sequence[str]
    slopes: Array
    levels: Array
    shares: Array
    abilities: Array
    runs: int

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
    shares = right.sum(axis=0) / count
    if len(scores) < FEWEST:
        mean = float(right.sum() / count.sum())
        shrunk = (right.sum(axis=0) + _SHRINK * mean) / (count + _SHRINK)
        own = (right.sum(axis=1) + 0.5) / (has.sum(axis=1) + 1)
        ability = np.log(own / (1 - own)) - _logit(mean)
        shrunk = np.clip(shrunk, 0.01, 0.99)
        levels = np.log(shrunk / (1 - shrunk))
        return Items(names, np.ones(len(names)), levels, shares, ability, len(scores))
    slopes, levels, abilities = fit_2pl(right, has)
    return Items(names, slopes, levels, shares, abilities, len(scores))


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
