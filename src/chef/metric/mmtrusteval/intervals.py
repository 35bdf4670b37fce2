"""Intervals of metrics over samples that share an image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chef.metric.statistics import bootstrap
from chef.stats.estimate import Estimate

if TYPE_CHECKING:
    from chef.metric.statistics import Statistic


def clustered_bootstrap(
    rows: Sequence[Sequence[float]],
    clusters: Sequence[str],
    statistic: Statistic,
    *,
    unit: str = "",
    higher_is_better: bool | None = True,
) -> Estimate:
    """A statistic of sums over samples, with a bootstrap that draws whole clusters.

    Args:
        rows: ``(n, k)``: what is summed of each sample.
        clusters: the cluster of each sample.
        statistic: as for `chef.metric.statistics.bootstrap`; it may depend on ``weights @ rows``
            alone.
        unit: the unit of the statistic.
        higher_is_better: as in `Estimate`.
    """
    sums: dict[str, list[float]] = {}
    for row, cluster in zip(rows, clusters, strict=True):
        have = sums.get(cluster)
        sums[cluster] = (
            list(row) if have is None else [a + b for a, b in zip(have, row, strict=True)]
        )
    found = bootstrap(list(sums.values()), statistic, unit=unit, higher_is_better=higher_is_better)
    return replace(found, n=len(rows))
