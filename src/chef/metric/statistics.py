"""Uncertainty: Wilson intervals for proportions, a seeded bootstrap for everything else.

All intervals are two-sided, 95%.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

from chef.metric.estimate import Estimate, undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array: TypeAlias = NDArray[np.float64]
    #: ``(weights, rows) -> values``; see `bootstrap`.
    Statistic: TypeAlias = Callable[[Array, Array], Array]

CONFIDENCE = 0.95
RESAMPLES = 1000
SEED = 0
#: Draws held in memory at once: 2 M indices of 8 bytes.
_BLOCK = 2_000_000


def wilson(p: float, n: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Score interval of a proportion.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference".

    Args:
        p: the observed proportion, in 0..1.
        n: number of trials, at least 1; a fraction where it is an effective sample size.
        confidence: in (0, 1).

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
    # At p = 0 and p = 1 one bound is p itself; rounding must not push it past.
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


def proportion(
    hits: float, n: int, unit: str = "%", *, higher_is_better: bool | None = True
) -> Estimate:
    """``hits`` of ``n`` as an estimate with a Wilson interval.

    Args:
        hits: in 0..n.
        n: trials; 0 gives a value of None.
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
    """The share of hits among items that come in clusters (questions about one image, say).

    With ``r_c`` the sum of ``hit - p`` over cluster c of C, the variance of p is
    ``C / (C - 1) * sum(r_c ** 2) / n ** 2`` (Cameron and Miller 2015, "A Practitioner's Guide to
    Cluster-Robust Inference"). The interval is Wilson's at the effective sample size
    ``p (1 - p) / variance``, at most n (Korn and Graubard 1998, "Confidence intervals for
    proportions with small expected number of positive counts estimated from survey data"); where
    p is 0 or 1, at the number of clusters.

    Args:
        hits: one an item, in 0..1.
        clusters: what each item belongs to.
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
    if variance < 1e-12:  # every cluster alike; rounding leaves a rest
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
        rows: ``(n,)`` or ``(n, k)``: what the statistic needs to know of each item.
        statistic: gets ``weights (r, n)``, how often each item was drawn in each of r resamples,
            and ``rows (n, k)``; returns ``(r,)`` values, NaN where undefined. Sums over a
            resample are ``weights @ rows``.
        unit: of the statistic.
        higher_is_better: as in `Estimate`.
        resamples: how many, at least 1000 for a 95% interval worth the name.
        seed: of the draws. The same rows in any order give the same result.

    Returns:
        The statistic over all rows once, its standard error and its interval; the value is None
        when it is undefined, the rest also when n is 1 or every resample is undefined.
    """
    import numpy as np

    table = np.asarray(rows, dtype=np.float64)
    n = len(table)
    if not n:
        return undefined(unit, higher_is_better=higher_is_better)
    table = table.reshape(n, -1)
    # Sorted by content: items in another order are the same data and get the same draws.
    table = table[np.lexsort(table.T[::-1])]
    value = float(statistic(np.ones((1, n)), table)[0])
    if not math.isfinite(value):
        return undefined(unit, n, higher_is_better=higher_is_better)
    draws = _draw(table, statistic, resamples, seed)
    draws = draws[np.isfinite(draws)]
    if n < 2 or len(draws) < 2:
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
    """``sum(tops) / sum(bottoms)`` over items with a bootstrap interval; None when 0 / 0.

    The ratio of sums is what pooled precision and recall are: items (images) are drawn, and
    with each comes everything that was counted on it.

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
    """The hits of all items over their totals, in %, by `bootstrap_ratio`.

    >>> pooled_percentage([1, 0], [2, 2]).value
    25.0
    """
    return bootstrap_ratio(
        [100.0 * item for item in hits], [float(item) for item in totals], unit="%"
    )
