"""Estimates of the scores and differences of a sweep, by the engine of `chef.stats`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from chef.stats.estimate import PERCENT, Estimate
from chef.stats.figures import share
from chef.stats.influence import ClusterSpread, ClusterSums, of_influence, of_ratio
from chef.stats.scales import bounded, unbounded, unseen
from chef.suite.sweep.matrix import RunMeans

if TYPE_CHECKING:
    from chef.suite.sweep.matrix import Array

#: What two weights may differ by.
_ROUNDING = 1e-12


def points(means: RunMeans, weights: Array, scale: float) -> Estimate:
    """A difference between runs, weights ``(runs,)`` of sum 0, in points, with Student's interval.

    Where all clusters say the same, it is `chef.stats.scales.unseen` of scores from 0 to 1.
    """
    value = float(weights @ means.means)
    spread = of_influence(means.influence @ weights, means.shares, value**2)
    bare = Estimate(value, means.samples, clusters=len(means.influence), higher_is_better=None)
    return _difference(bare, spread, scale)


def difference(tops: Array, bottoms: Array, n: int, scale: float) -> Estimate:
    """A ratio of sums that may be negative, in points, with Student's interval; n is shown.

    ``tops`` and ``bottoms`` are ``(clusters,)``: sums of differences, and numbers they are over.
    """
    table = ClusterSums(_columns(tops, bottoms), bottoms)
    bare = Estimate(
        float(tops.sum() / bottoms.sum()), n, clusters=len(table), higher_is_better=None
    )
    return _difference(bare, of_ratio(table), scale)


def score(means: RunMeans, weights: Array, scale: float) -> Estimate:
    """A mean over runs: in percent with the interval that a run's own score has.

    Scores that are not from 0 to 1 (``scale`` is not 100) are in points, with Student's interval.

    Args:
        means: of the runs.
        weights: ``(runs,)``, of their means; their sum is 1.
        scale: what makes a score points.
    """
    if scale != PERCENT["0-1"]:
        return points(means, weights, scale)
    matrix = means.matrix
    if matrix.is_complete and (weights >= -_ROUNDING).all():
        values = weights.clip(0) @ matrix.scores
        return share(values.clip(0, 1).tolist(), matrix.clusters.tolist())
    value = min(1.0, max(0.0, float(weights @ means.means)))
    spread = of_influence(means.influence @ weights, means.shares, value**2)
    bare = Estimate(value, means.samples, unit="0-1", clusters=len(means.influence))
    if spread is not None:
        low, high = bounded(value, spread)
        bare = replace(bare, stderr=math.sqrt(spread.variance), low=low, high=high)
        bare = replace(bare, method=_method("wilson", bare))
    return bare.scaled(scale, "%")


def _columns(tops: Array, bottoms: Array) -> Array:
    import numpy as np

    return np.column_stack([tops, bottoms])


def _difference(bare: Estimate, spread: ClusterSpread | None, scale: float) -> Estimate:
    """A difference with its interval, in points."""
    if spread is None or bare.value is None:
        return bare.scaled(scale, "points")
    if spread.variance:
        bounds, method = unbounded(bare.value, spread), "student"
    else:
        is_share = scale == PERCENT["0-1"] and abs(bare.value) <= 1
        bounds = unseen(bare.value, -1.0, 1.0, spread.effective) if is_share else None
        method = "unseen"
    if bounds is None:
        return bare.scaled(scale, "points")
    item = replace(bare, stderr=math.sqrt(spread.variance), low=bounds[0], high=bounds[1])
    return replace(item, method=_method(method, bare)).scaled(scale, "points")


def _method(name: str, item: Estimate) -> str:
    return f"{name}, clustered" if (item.clusters or 0) < item.n else name
