"""How much a figure varies: what each cluster of samples does to it.

A figure is a function of sums over samples. Its variance is the sum of the squared influence of the
clusters, corrected for the share that each cluster has in its own mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from chef.frozen import Frozen
from chef.stats.arrays import Array, ArrayLike, Places, np

#: ``sums (r, k) -> values (r,)``: a figure from the sums of k columns; NaN where undefined.
OfSums: TypeAlias = Callable[[Array], Array]

#: How much rounding may leave of a variance that is 0, as a share of the squared figure.
_ROUNDING = 1e-24


class ClusterSpread(Frozen):
    """How much a figure varies with the clusters that were drawn.

    Attributes:
        variance: of the figure; 0 where all clusters say the same.
        freedom: degrees of freedom of the variance, for Student's distribution; at least 0.5.
        clusters: the number of clusters that have a part in the figure.
        effective: that of equally large ones that would tell as much: ``n^2 / sum m_c^2``, sizes
            m_c.
    """

    variance: float
    freedom: float
    clusters: int
    effective: float


class ClusterSums(Frozen):
    """Sums of rows over each cluster, ``(clusters, k)``, in an order that samples do not decide.

    Attributes:
        counts: ``(clusters,)``, the number of samples of each.
        exact: ``(k,)``, the sums over all rows, each rounded once; None where they are not known.
    """

    sums: Array
    counts: Array
    exact: Array | None = None

    @classmethod
    def of(cls, rows: ArrayLike, clusters: Sequence[Hashable] | None) -> ClusterSums:
        """Add up rows, ``(n,)`` or ``(n, k)``, by cluster (None: each its own), or ValueError."""
        table = np.asarray(rows, dtype=np.float64)
        table = table.reshape(len(table), -1)
        if clusters is None:
            sums, counts = table, np.ones(len(table))
        else:
            if len(clusters) != len(table):
                raise ValueError(f"{len(clusters)} clusters of {len(table)} samples")
            names, where = numbered(clusters)
            # Rows are added up in rising order, so that rounding is the same in any order of them.
            order = np.lexsort((*table.T[::-1], where))
            sums = np.column_stack(
                [np.bincount(where[order], column, len(names)) for column in table[order].T]
            )
            counts = np.bincount(where, minlength=len(names)).astype(np.float64)
        order = np.lexsort((counts, *sums.T[::-1]))
        return cls(sums[order], counts[order], column_sums(table))

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def total(self) -> Array:
        """The sums over all clusters, ``(k,)``."""
        if self.exact is not None:
            return self.exact
        total: Array = self.sums.sum(axis=0)
        return total


def numbered(names: Iterable[Hashable]) -> tuple[list[Hashable], Places]:
    """The different names in the order in which they first occur, and the place of each in it."""
    places: dict[Hashable, int] = {}
    where = [places.setdefault(name, len(places)) for name in names]
    return list(places), np.array(where, dtype=np.intp)


def column_sums(table: Array) -> Array:
    """The sum of each column of ``(n, k)``, rounded once: the same for any order of the rows."""
    is_whole = (table == np.rint(table)).all(axis=0)  # whose sums are exact anyhow
    return np.array(
        [column.sum() if whole else math.fsum(column.tolist())
         for column, whole in zip(table.T, is_whole, strict=True)]
    )  # fmt: skip


def of_ratio(table: ClusterSums) -> ClusterSpread | None:
    """The spread of ``sum(tops) / sum(bottoms)``, the columns; of a mean, bottoms are 1. None for
    fewer than two clusters with a bottom above 0.

    With ``r_c = T_c - R B_c``, the sums T_c and B_c of a cluster and the ratio R, the variance is
    ``sum r_c^2 / (1 - h_c) / B^2``, where ``h_c = B_c / B`` is the share of the cluster. For C
    clusters of one size that is the usual one with ``C / (C - 1)``. Source: Bell and McCaffrey
    2002, "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples".
    """
    tops, bottoms = table.sums.T
    known = bottoms > 0
    tops, bottoms = tops[known], bottoms[known]
    if len(bottoms) < 2:
        return None
    whole = bottoms.sum()
    residuals = (tops - tops.sum() / whole * bottoms) / whole
    scale = (tops.sum() / whole) ** 2
    return _spread(residuals, bottoms / whole, scale)


def of_function(table: ClusterSums, function: OfSums) -> ClusterSpread | None:
    """The spread of any smooth function of sums, by leaving out each cluster in turn; None for
    fewer than two, or where the figure is undefined without one.

    The influence of a cluster on the figure is ``(1 - h_c) (F - F_c)``, with F_c the figure without
    it and h_c its share of the samples; of a mean the variance is that of `of_ratio` to the letter.
    Source: Efron and Stein 1981, "The Jackknife Estimate of Variance", with the correction of
    `of_ratio`. There is one degree of freedom less, as several sums are estimated and few clusters
    do not show how curved the figure is.
    """
    if len(table) < 2:
        return None
    total = table.total
    with np.errstate(all="ignore"):
        value = float(function(total[None, :])[0])
        without = function(total - table.sums)
    if not (math.isfinite(value) and np.isfinite(without).all()):
        return None
    shares = table.counts / table.counts.sum()
    spread = _spread((1 - shares) * (value - without), shares, value**2)
    return replace(spread, freedom=max(0.5, min(spread.freedom, spread.effective - 2)))


def of_influence(influence: Array, shares: Array, scale: float) -> ClusterSpread | None:
    """The variance and its freedom; None for fewer than two clusters.

    ``influence``, ``(clusters,)``, is by how much each moves the figure, with the sum 0; ``shares``
    of the samples have the sum 1; by ``scale``, the squared figure, rounding is told from a
    variance.
    """
    return None if len(shares) < 2 else _spread(influence, shares, scale)


def _spread(influence: Array, shares: Array, scale: float) -> ClusterSpread:
    """The same of at least two clusters.

    Two things make a variance uncertain: few or unequal clusters (the effective number of clusters
    less one; Carter, Schnepel and Steigerwald 2017, "Asymptotic Behavior of a t-Test Robust to
    Cluster Heterogeneity"), and that few clusters hold most of it, as where two of a hundred are
    wrong (Satterthwaite's degrees of freedom from the fourth moment of what was seen, doubled, as
    they are too few of normal data). The smaller one counts.
    """
    squares = influence**2 / (1 - shares)
    variance = float(squares.sum())
    effective = 1 / float((shares**2).sum())
    freedom = effective - 1
    if variance <= _ROUNDING * max(1.0, scale):
        return ClusterSpread(0.0, max(0.5, freedom), len(shares), effective)
    excess = float((squares**2).sum()) - variance**2 / len(shares)
    if excess > 0:
        freedom = min(freedom, 4 * variance**2 / excess)
    return ClusterSpread(variance, max(0.5, freedom), len(shares), effective)
