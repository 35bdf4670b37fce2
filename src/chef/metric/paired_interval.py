"""What a paired difference is worth: standard error and interval, by clusters."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from chef.metric.statistics import CONFIDENCE

if TYPE_CHECKING:
    from chef.metric.statistics import Array

#: More than the 1,000 of single figures, as the tails that are read here are farther out.
RESAMPLES = 4000
SEED = 0
#: Clusters drawn at a time: 2 million of 8 bytes each.
_BLOCK = 2_000_000


def cluster_sums(values: Array, clusters: Sequence[Hashable]) -> Array:
    """The sum of the values of each cluster and its number of samples: ``(clusters, 2)``, sorted.

    Args:
        values: ``(n,)``.
        clusters: ``(n,)``, the cluster of each sample. Neither the order of samples nor the names
            of clusters have an effect on the result.
    """
    import numpy as np

    places = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    where = np.array([places[name] for name in clusters], dtype=np.intp)
    # Values are added up in rising order, so that rounding is the same in any order of samples.
    order = np.argsort(values, kind="stable")
    table = np.zeros((len(places), 2))
    table[:, 0] = np.bincount(where[order], values[order], minlength=len(places))
    table[:, 1] = np.bincount(where, minlength=len(places))
    return table[np.lexsort(table.T[::-1])]


def standard_error(table: Array) -> float | None:
    """The standard error of the mean of samples in clusters; None of fewer than two clusters.

    Its square is ``sum (S_c - D m_c)^2 / (1 - m_c / n) / n^2``, with the sums S and sizes m of the
    clusters, and D the mean; of C clusters of one size that is the usual one with ``C / (C - 1)``.
    Source: Bell and McCaffrey 2002, "Bias Reduction in Standard Errors for Linear Regression with
    Multi-Stage Samples".

    Args:
        table: ``(clusters, 2)``, from `cluster_sums`.
    """
    if len(table) < 2:
        return None
    n = table[:, 1].sum()
    return float(math.sqrt((_residuals(table) ** 2 / (1 - table[:, 1] / n)).sum()) / n)


def _residuals(table: Array) -> Array:
    """The sum over each cluster of what its samples have above the mean: ``(clusters,)``."""
    total, n = table.sum(axis=0)
    rest: Array = table[:, 0] - total / n * table[:, 1]
    return rest


def freedom(sizes: Array) -> float:
    """Degrees of freedom: the effective number of clusters, ``n^2 / sum m_c^2``, less one.

    Source: Carter, Schnepel and Steigerwald 2017, "Asymptotic Behavior of a t-Test Robust to
    Cluster Heterogeneity".

    Args:
        sizes: ``(clusters,)``, the number of samples of each of at least two clusters.
    """
    return float(sizes.sum() ** 2 / (sizes**2).sum()) - 1


def interval(table: Array, span: float) -> tuple[float, float] | None:
    """The 95% interval of the mean of samples in clusters; None where nothing can be said.

    Expanded percentiles of a bootstrap that draws whole clusters, as plain percentiles are too
    narrow with few clusters: those of ``Phi(f t)``. t is the quantile of Student's distribution
    with `freedom`, and f the ratio of `standard_error` to the standard error that the bootstrap
    has, ``sqrt(sum (S_c - D m_c)^2) / n``: ``sqrt(C / (C - 1))`` for C clusters of one size.
    Source: Hesterberg 2015, "What Teachers Should Know About the Bootstrap".

    If all samples have the same value, there is nothing to draw, and the interval is `unseen`.

    Args:
        table: ``(clusters, 2)``, from `cluster_sums`.
        span: values are possible from ``-span`` to ``span``; 0 if that is not known.
    """
    import numpy as np
    from scipy.stats import norm, t

    stderr = standard_error(table)
    if stderr is None:
        return None
    total, n = table.sum(axis=0)
    mean = float(total / n)
    if np.ptp(table[:, 0] / table[:, 1]) <= 1e-12 * max(1.0, abs(mean)):
        return unseen(mean, -span, span, len(table)) if span else None
    factor = stderr * n / math.sqrt((_residuals(table) ** 2).sum())
    tail = 100 * float(norm.cdf(factor * t.ppf((1 - CONFIDENCE) / 2, freedom(table[:, 1]))))
    low, high = np.percentile(bootstrap_means(table), [tail, 100 - tail])
    return float(low), float(high)


def unseen(mean: float, least: float, most: float, clusters: int) -> tuple[float, float]:
    """The 95% interval of a mean where all samples that were seen have the same value.

    At 95% at most a share ``u = 1 - 0.05^(1 / C)`` of the clusters has another value: the exact
    binomial bound, about 3 / C (the rule of three). Those may have any value that is possible.
    Source: Hanley and Lippman-Hand 1983, "If Nothing Goes Wrong, Is Everything All Right?".

    Args:
        mean: the value of all samples.
        least: the smallest possible value.
        most: the largest possible one.
        clusters: the number of independent clusters.

    >>> unseen(0.0, -1.0, 1.0, 59)[1] < 0.05 < unseen(0.0, -1.0, 1.0, 58)[1]
    True
    """
    share = 1 - (1 - CONFIDENCE) ** (1 / clusters)
    return mean - share * (mean - least), mean + share * (most - mean)


def bootstrap_means(table: Array, resamples: int = RESAMPLES, seed: int = SEED) -> Array:
    """The mean over samples in each resample of whole clusters: ``(resamples,)``.

    Args:
        table: ``(clusters, 2)``, from `cluster_sums`.
        resamples: how many.
        seed: the random seed.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    rows, counts = np.unique(table, axis=0, return_counts=True)
    count = len(table)
    if 10 * len(rows) < count:  # equal clusters, as of right and wrong: how many of each are drawn
        sums = rng.multinomial(count, counts / count, size=resamples) @ rows
        return np.asarray(sums[:, 0] / sums[:, 1])
    values, sizes = table.T.copy()
    alike = bool((sizes == sizes[0]).all())
    size = max(1, _BLOCK // count)
    blocks = []
    for start in range(0, resamples, size):
        picks = rng.integers(0, count, (min(size, resamples - start), count))
        drawn = count * sizes[0] if alike else sizes[picks].sum(axis=1)
        blocks.append(values[picks].sum(axis=1) / drawn)
    return np.concatenate(blocks)
