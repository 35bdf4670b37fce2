"""The mean score of two runs on the same samples: the paired difference and what it is worth.

Samples that share an image or a question are not independent: they are drawn, and their signs are
changed, as whole clusters. ``docs/comparing.md`` has the formulas and the measured coverage.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chef.stats.estimate import Estimate, undefined
from chef.metric.paired_interval import cluster_sums, interval, standard_error
from chef.metric.paired_power import detectable
from chef.metric.paired_signs import sign_flips

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from chef.metric.statistics import Array


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much the score of a second run is above that of a first one.

    Attributes:
        estimate: second minus first, with its 95% interval and standard error, which are None if
            there are fewer than two clusters. ``n`` counts samples.
        clusters: the number of independent clusters of samples.
        p_value: two-sided, of no difference; None where it cannot be told.
        test: how the p-value was computed: ``exact``, ``drawn`` or ``normal`` are those of
            `chef.metric.paired_signs.sign_flips`.
        detectable: the smallest true difference that is found with a power of 80% at the 5% level;
            None where differences do not vary, or are too few for any to be found.
    """

    estimate: Estimate
    clusters: int
    p_value: float | None
    test: str = ""
    detectable: float | None = None

    def scaled(self, factor: float, unit: str) -> PairedDifference:
        """The same in another unit; ``factor`` must be positive."""
        effect = None if self.detectable is None else self.detectable * factor
        return replace(self, estimate=self.estimate.scaled(factor, unit), detectable=effect)


def paired_mean(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    unit: str,
    higher_is_better: bool | None,
) -> PairedDifference:
    """The difference of the mean scores of two runs on the same samples.

    The interval is that of `chef.metric.paired_interval.interval`: a bootstrap that draws whole
    clusters. If all differences are equal (as of a run with itself), the interval is not that value
    alone: it holds what the clusters that were not seen may still change.

    Args:
        first: ``(n,)``, the scores of the first run.
        second: ``(n,)``, those of the second run on the same samples, in the same order.
        clusters: ``(n,)``, the cluster of each sample.
        unit: the unit of the scores.
        higher_is_better: as in `Estimate`.

    Raises:
        ValueError: the lengths differ, or a score is not a finite number.

    >>> found = paired_mean([0, 0, 1, 1], [1, 1, 1, 1], list("abcd"), unit="0-1",
    ...                     higher_is_better=True)
    >>> found.estimate.value, found.p_value
    (0.5, 0.5)
    """
    import numpy as np

    before, after = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    n = len(clusters)
    if before.shape != (n,) or after.shape != (n,):
        raise ValueError(f"{before.shape} and {after.shape} scores of {n} samples")
    if not (np.isfinite(before).all() and np.isfinite(after).all()):
        raise ValueError("a score is not a finite number; leave out samples without scores")
    if not n:
        return PairedDifference(undefined(unit, higher_is_better=higher_is_better), 0, None)
    table = cluster_sums(after - before, clusters)
    count = len(table)
    p_value, test = sign_flips(table[:, 0])
    bounds = interval(table, _span(np.concatenate([before, after])))
    low, high = bounds or (None, None)
    method = "paired bootstrap" if count == n else "paired bootstrap, clustered"
    estimate = Estimate(
        float(table[:, 0].sum() / n),
        n,
        standard_error(table),
        low,
        high,
        unit,
        method if bounds else "none",
        higher_is_better,
    )
    return PairedDifference(estimate, count, p_value, test, detectable(table))


def _span(scores: Array) -> float:
    """The largest difference that two scores can have: 1 of scores in 0..1, else as observed."""
    low, high = float(scores.min()), float(scores.max())
    return 1.0 if low >= 0 and high <= 1 else high - low
