"""Intervals of figures that are no function of sums, such as average precision.

Whole clusters are drawn with replacement, and the figure is computed of each draw. Percentiles of
the draws are no interval of such a figure: samples that were drawn twice agree with themselves, and
average precision rises. Their variance is not touched by that, and has the interval of all figures.
Source: Hesterberg 2015, "What Teachers Should Know About the Bootstrap".

Average precision of few images is above that of many, as at each recall the best precision counts.
By how much is seen on halves of the clusters, which have no copies (Quenouille 1956, "Notes on Bias
in Estimation"); the interval reaches so much further to that side. The figure stays as it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from chef.stats.arrays import Places, np
from chef.stats.estimate import Estimate, method_of
from chef.stats.figures import intervals_skipped
from chef.stats.influence import ClusterSpread, numbered
from chef.stats.scales import bounded

DRAWS, HALVINGS, SEED = 300, 20, 0
#: What rounding leaves of a variance that is 0.
_ROUNDING = 1e-18


def bootstrapped(
    items: Sequence[Estimate],
    of_counts: Callable[[Places], Sequence[float]],
    clusters: Sequence[Hashable],
) -> list[Estimate]:
    """Figures in 0..1 with the interval of `chef.stats.scales.bounded`; ``of_counts`` gives them
    for ``(n,)`` counts of how often each sample was drawn. None for fewer than two clusters.

    The variance is that of 300 draws, times ``C / (C - 1)`` for C clusters. The interval holds that
    of the figure without its bias, which is the mean of both halves in 20 splits less the figure.
    """
    sizes = Counter(clusters)
    count = len(sizes)
    if intervals_skipped() or count < 2:
        return list(items)
    where = numbered(clusters)[1]
    rng = np.random.default_rng(SEED)
    picks = rng.integers(0, count, (DRAWS, count))
    drawn = np.array([of_counts(np.bincount(row, minlength=count)[where]) for row in picks])
    effective = len(where) ** 2 / sum(size**2 for size in sizes.values())
    freedom = max(0.5, 1 / (1 / max(0.5, effective - 1) + 1 / (DRAWS - 1)))
    variances = drawn.var(axis=0, ddof=1) * count / (count - 1)
    chosen = [rng.permutation(count) < count // 2 for _ in range(HALVINGS)]
    halves = [half.astype(np.intp)[where] for one in chosen for half in (one, ~one)]
    means = np.mean([of_counts(half) for half in halves], axis=0)
    return [
        _with(item, ClusterSpread(float(variance), freedom, count, effective), float(mean))
        for item, variance, mean in zip(items, variances, means, strict=True)
    ]


def _with(item: Estimate, spread: ClusterSpread, halved: float) -> Estimate:
    """The figure with its interval, from its spread and its mean over halves of the clusters."""
    if item.value is None:
        return item
    if spread.variance < _ROUNDING:
        spread = replace(spread, variance=0.0)
    unbiased = min(1.0, max(0.0, 2 * item.value - halved))
    lows, highs = zip(*(bounded(value, spread) for value in (item.value, unbiased)), strict=True)
    return replace(
        item,
        stderr=math.sqrt(spread.variance),
        low=min(lows),
        high=max(highs),
        method=method_of("bootstrap", spread.clusters, item.n),
        clusters=spread.clusters,
    )
