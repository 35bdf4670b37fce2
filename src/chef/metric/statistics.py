"""Uncertainty: Wilson intervals for proportions, and a seeded bootstrap for everything else.

All intervals are two-sided 95% intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

from chef.stats.estimate import Estimate, undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array: TypeAlias = NDArray[np.float64]
    #: ``(weights, rows) -> values``; see `bootstrap`.
    Statistic: TypeAlias = Callable[[Array, Array], Array]

CONFIDENCE = 0.95
RESAMPLES = 1000
SEED = 0
#: Indices drawn at a time: 2 million of 8 bytes each.
_BLOCK = 2_000_000
_skipped: ContextVar[bool] = ContextVar("intervals_skipped", default=False)


@contextmanager
def without_intervals() -> Iterator[None]:
    """Within it, `bootstrap` and what is made of it draw nothing: the value alone is computed.

    It is for a caller that computes a figure hundreds of times and needs no interval of it.
    Intervals that cost nothing, such as Wilson's, are still there.
    """
    token = _skipped.set(True)
    try:
        yield
    finally:
        _skipped.reset(token)


def intervals_skipped() -> bool:
    """Whether the caller is within `without_intervals`."""
    return _skipped.get()


def wilson(p: float, n: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The Wilson score interval of a proportion.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference".

    Args:
        p: the observed proportion, in 0..1.
        n: the number of trials, at least 1; an effective sample size may be fractional.
        confidence: the level of the interval, in (0, 1).

    Returns:
        The bounds, in 0..1, with p between them.

    >>> low, high = wilson(0.5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    spread = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / spread
    half = z / spread * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At p = 0 and p = 1 one bound is p itself; rounding must not move it beyond p.
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


def proportion(
    hits: float, n: int, unit: str = "%", *, higher_is_better: bool | None = True
) -> Estimate:
    """The proportion ``hits / n`` with a Wilson interval.

    Args:
        hits: the number of successes, in 0..n.
        n: the number of trials; 0 gives a value of None.
        unit: ``%`` or ``0-1``.
        higher_is_better: as in `Estimate`.

    >>> proportion(8, 10).value
    80.0
    """
    if not n:
        return undefined(unit, higher_is_better=higher_is_better)
    p = hits / n
    low, high = wilson(p, n)
    stderr = math.sqrt(p * (1 - p) / n)
    estimate = Estimate(p, n, stderr, low, high, "0-1", "wilson", higher_is_better)
    return estimate.scaled(100.0, "%") if unit == "%" else estimate


def clustered_proportion(
    hits: Sequence[float],
    clusters: Sequence[object],
    unit: str = "%",
    *,
    higher_is_better: bool | None = True,
) -> Estimate:
    """The share of hits among items that form clusters, such as questions about one image.

    With ``r_c`` the sum of ``hit - p`` over cluster ``c`` of ``C``, the variance of p is
    ``C / (C - 1) * sum(r_c ** 2) / n ** 2`` (Cameron and Miller 2015, "A Practitioner's Guide to
    Cluster-Robust Inference"). The interval is Wilson's at the effective sample size
    ``p (1 - p) / variance``, at most n (Korn and Graubard 1998, "Confidence intervals for
    proportions with small expected number of positive counts estimated from survey data"). If p
    is 0 or 1, the effective sample size is the number of clusters.

    Args:
        hits: one per item, in 0..1.
        clusters: the cluster of each item.
        unit: ``%`` or ``0-1``.
        higher_is_better: as in `Estimate`.

    >>> clustered_proportion([1, 1, 0, 0], ["a", "a", "b", "b"], "0-1").stderr
    0.5
    """
    n, count = len(hits), len(set(clusters))
    if count == n:
        return proportion(sum(hits), n, unit, higher_is_better=higher_is_better)
    p = sum(hits) / n
    sums: dict[object, float] = dict.fromkeys(clusters, 0.0)
    for hit, cluster in zip(hits, clusters, strict=True):
        sums[cluster] += hit - p
    variance = sum(total * total for total in sums.values()) / n**2 * count / max(1, count - 1)
    if variance < 1e-12:  # all clusters are alike; rounding leaves a remainder
        effective = float(n if 0 < p < 1 else count)
    else:
        effective = min(float(n), max(1.0, p * (1 - p) / variance))
    low, high = wilson(p, effective)
    stderr = math.sqrt(variance)
    estimate = Estimate(p, n, stderr, low, high, "0-1", "wilson, clustered", higher_is_better)
    return estimate.scaled(100.0, "%") if unit == "%" else estimate


def bootstrap(
    rows: ArrayLike,
    statistic: Statistic,
    *,
    unit: str = "",
    higher_is_better: bool | None = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """A statistic over items with a percentile bootstrap interval.

    Source: Efron and Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13.

    Args:
        rows: ``(n,)`` or ``(n, k)``: the numbers that the statistic needs of each item.
        statistic: a function of ``weights (r, n)``, the number of times each item was drawn in each
            of r resamples, and ``rows (n, k)``. It returns ``(r,)`` values, NaN where undefined.
            Sums over a resample are ``weights @ rows``.
        unit: the unit of the statistic.
        higher_is_better: as in `Estimate`.
        resamples: the number of resamples; a 95% interval needs at least 1000.
        seed: the random seed. The same rows in any order give the same result.

    Returns:
        The value of the statistic over all rows, its standard error and its interval. The value is
        None if it is undefined. Standard error and interval are None as well if n is 1 or fewer
        than two resamples are defined.
    """
    import numpy as np

    table = np.asarray(rows, dtype=np.float64)
    n = len(table)
    if not n:
        return undefined(unit, higher_is_better=higher_is_better)
    table = table.reshape(n, -1)
    # Rows are sorted, so that the same items in another order get the same resamples.
    table = table[np.lexsort(table.T[::-1])]
    value = float(statistic(np.ones((1, n)), table)[0])
    if not math.isfinite(value):
        return undefined(unit, n, higher_is_better=higher_is_better)
    if n < 2 or intervals_skipped():
        return Estimate(value, n, unit=unit, higher_is_better=higher_is_better)
    draws = _draw(table, statistic, resamples, seed)
    draws = draws[np.isfinite(draws)]
    if len(draws) < 2:
        return Estimate(value, n, unit=unit, higher_is_better=higher_is_better)
    tail = 50 * (1 - CONFIDENCE)
    low, high = (float(bound) for bound in np.percentile(draws, [tail, 100 - tail]))
    stderr = float(draws.std(ddof=1))
    return Estimate(value, n, stderr, low, high, unit, "bootstrap", higher_is_better)


def _draw(table: Array, statistic: Statistic, resamples: int, seed: int) -> Array:
    """The statistic of every resample, in blocks that fit in memory: ``(resamples,)``."""
    import numpy as np

    n = len(table)
    rng = np.random.default_rng(seed)
    size = max(1, min(resamples, _BLOCK // n))
    blocks = []
    for start in range(0, resamples, size):
        count = min(size, resamples - start)
        picks = rng.integers(0, n, size=(count, n)) + n * np.arange(count)[:, None]
        weights = np.bincount(picks.ravel(), minlength=count * n).reshape(count, n)
        blocks.append(statistic(weights.astype(np.float64), table))
    return np.concatenate(blocks)


def bootstrap_mean(
    values: Sequence[float],
    *,
    unit: str = "",
    higher_is_better: bool | None = True,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """The mean with a bootstrap interval.

    >>> bootstrap_mean([1.0, 2.0, 3.0]).value
    2.0
    """

    def mean(weights: Array, rows: Array) -> Array:
        return (weights @ rows[:, 0]) / len(rows)

    return bootstrap(
        values,
        mean,
        unit=unit,
        higher_is_better=higher_is_better,
        resamples=resamples,
        seed=seed,
    )


def bootstrap_ratio(
    tops: Sequence[float],
    bottoms: Sequence[float],
    *,
    unit: str = "",
    higher_is_better: bool | None = True,
) -> Estimate:
    """``sum(tops) / sum(bottoms)`` over items, with a bootstrap interval; None if divided by 0.

    Pooled precision and recall are such ratios of sums. Items (images) are resampled together with
    everything that was counted on them.

    >>> bootstrap_ratio([1, 0], [2, 2]).value
    0.25
    """
    import numpy as np

    def ratio(weights: Array, rows: Array) -> Array:
        sums = weights @ rows
        undefined_ = sums[:, 1] == 0
        return np.where(undefined_, np.nan, sums[:, 0] / np.where(undefined_, 1.0, sums[:, 1]))

    rows = np.column_stack([tops, bottoms]) if len(tops) else np.zeros((0, 2))
    return bootstrap(rows, ratio, unit=unit, higher_is_better=higher_is_better)


def pooled_percentage(hits: Sequence[float], totals: Sequence[float]) -> Estimate:
    """The hits of all items over their totals, in %, with the interval of `bootstrap_ratio`.

    >>> pooled_percentage([1, 0], [2, 2]).value
    25.0
    """
    return bootstrap_ratio(
        [100.0 * item for item in hits], [float(item) for item in totals], unit="%"
    )
