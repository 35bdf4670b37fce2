"""Estimates from a value and its cluster-robust standard error."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

from chef.stats.estimate import PERCENT, Estimate
from chef.stats.scales import CONFIDENCE, wilson
from chef.suite.sweep.matrix import RunMeans

if TYPE_CHECKING:
    from chef.suite.sweep.matrix import Array

_Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
#: A standard error below this is rounding.
_TINY = 1e-12


def linear(means: RunMeans, weights: Array) -> tuple[float, float]:
    """A linear form of the runs' means, and its cluster-robust standard error."""
    variance = float(weights @ means.covariance @ weights)
    return float(weights @ means.means), math.sqrt(max(0.0, variance))


def points(value: float, stderr: float, n: int, scale: float) -> Estimate:
    """A difference in points, with a normal interval.

    Args:
        value: in the unit of the scores.
        stderr: in the same unit.
        n: number of samples.
        scale: what makes a score points.
    """
    ends = (value - _Z * stderr, value + _Z * stderr)
    found = Estimate(value, n, stderr, *ends, method="normal, clustered", higher_is_better=None)
    return found.scaled(scale, "points")


def score(value: float, stderr: float, n: int, scale: float) -> Estimate:
    """A mean of scores: in percent with Wilson's interval at the effective sample size.

    Scores that are not from 0 to 1 (``scale`` is not 100) are in points, with a normal interval.
    The effective sample size is that of `chef.metric.statistics.clustered_proportion`.
    """
    if scale != PERCENT["0-1"]:
        return points(value, stderr, n, scale)
    value = min(1.0, max(0.0, value))
    effective = value * (1 - value) / stderr**2 if stderr > _TINY else float(n)
    ends = wilson(value, max(1.0, effective))
    return Estimate(value, n, stderr, *ends, "0-1", "wilson, clustered").scaled(scale, "%")
