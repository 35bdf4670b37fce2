"""The form of an interval: it follows the scale on which a figure lives.

A figure between two ends has Wilson's interval, one that cannot be negative has an interval on the
logarithmic scale, any other one Student's. All are two-sided 95% intervals.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from chef.stats.arrays import special
from chef.stats.influence import ClusterSpread

CONFIDENCE = 0.95
#: How far an interval may reach on the logarithmic scale: a factor of 150 to each side.
_LONGEST = 5.0
_LEAST_FREEDOM = 0.5
Bounds = tuple[float, float]


def wilson(p: float, n: float, quantile: float | None = None) -> Bounds:
    """The Wilson score interval of a proportion of ``n`` trials, a fractional number if effective.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference". It
    reaches ``quantile`` standard errors, by default 1.96.

    >>> low, high = wilson(0.5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) if quantile is None else quantile
    spread = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / spread
    half = z / spread * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At p = 0 and p = 1 one bound is p itself; rounding must not move it beyond p.
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


def student(freedom: float, confidence: float = CONFIDENCE) -> float:
    """How many standard errors an interval reaches, by Student's distribution; freedom above 0."""
    return float(special.stdtrit(freedom, 0.5 + confidence / 2))


def bounded(p: float, spread: ClusterSpread, trials: float | None = None) -> Bounds:
    """The interval of a figure that lies in 0..1: Wilson's at the effective number of trials.

    That is ``p (1 - p) / variance`` (Korn and Graubard 1998, "Confidence intervals for proportions
    with small expected number of positive counts estimated from survey data"), and the reach is
    Student's. Near an end of the scale the means of clusters are skewed, and those that were seen
    vary less than they do on average, the more so the fewer they are: degrees of freedom are
    multiplied with ``(4 p (1 - p))^(1/4)``, which `benchmarks/coverage.py` has shown to be enough
    for five clusters. At an end of the scale the number of trials is the effective number of
    clusters. A figure within the scale of which all clusters say the same has the interval of
    `unseen`. No dependence makes ``trials`` items, each right or wrong, tell more than so many;
    None where items have scores in between, which may vary much less.
    """
    if not 0 < p < 1:
        return wilson(min(1.0, max(0.0, p)), spread.effective)
    if not spread.variance:
        return unseen(p, 0.0, 1.0, spread.effective)
    effective = p * (1 - p) / spread.variance
    if trials is not None:
        effective = min(effective, trials)
    skewed = max(_LEAST_FREEDOM, spread.freedom * (4 * p * (1 - p)) ** 0.25)
    return wilson(p, effective, student(skewed))


def positive(value: float, spread: ClusterSpread) -> Bounds | None:
    """The interval of a figure that cannot be negative, on the logarithmic scale.

    The bounds are ``value * exp(+-t se / value)``. Errors of counts and scores without an upper end
    are skewed; on this scale they are less so. None where the value is 0, nothing varies, or
    nearly everything is possible.
    """
    if value <= 0 or not spread.variance:
        return None
    reach = student(spread.freedom) * math.sqrt(spread.variance) / value
    # Two or three clusters may leave several powers of ten open, which is to say: not known.
    return (value * math.exp(-reach), value * math.exp(reach)) if reach < _LONGEST else None


def unbounded(value: float, spread: ClusterSpread) -> Bounds | None:
    """Student's interval; None where nothing varies: what is possible is then not known."""
    if not spread.variance:
        return None
    half = student(spread.freedom) * math.sqrt(spread.variance)
    return value - half, value + half


def unseen(value: float, least: float, most: float, clusters: float) -> Bounds:
    """The interval of a mean where all samples that were seen have the same value.

    At 95% at most a share ``u = 1 - 0.05^(1 / C)`` of the clusters has another value: the exact
    binomial bound, about 3 / C (the rule of three). Those may have any value that is possible.
    Source: Hanley and Lippman-Hand 1983, "If Nothing Goes Wrong, Is Everything All Right?".

    >>> unseen(0.0, -1.0, 1.0, 59)[1] < 0.05 < unseen(0.0, -1.0, 1.0, 58)[1]
    True
    """
    share = 1 - (1 - CONFIDENCE) ** (1 / clusters)
    return value - share * (value - least), value + share * (most - value)
