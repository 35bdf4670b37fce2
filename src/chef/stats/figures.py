"""Figures with their intervals: means, shares, ratios of sums, and functions of sums or draws.

Every interval of a single figure is made here. Each function takes the cluster of each sample
(`chef.stats.clusters.clusters_of`); None says that samples are independent. A figure of a single
cluster has no interval.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TypeAlias

from chef.stats.arrays import Array, ArrayLike, NDArray, Places, np
from chef.stats.estimate import PERCENT, Estimate, method_of, undefined
from chef.stats.influence import (
    ClusterSpread,
    ClusterSums,
    OfSums,
    column_sums,
    numbered,
    of_function,
    of_ratio,
)
from chef.stats.scales import Bounds, bounded, positive, unbounded, wilson

Clusters: TypeAlias = Sequence[Hashable] | None

_skipped: ContextVar[bool] = ContextVar("intervals_skipped", default=False)
_keeps_rows: ContextVar[bool] = ContextVar("rows_kept", default=False)


@contextmanager
def without_intervals(*, keep_rows: bool = False) -> Iterator[None]:
    """Within it, figures have their value alone, for callers that compute one hundreds of times.

    With ``keep_rows``, the values of the functions of this module are `OfRows`.
    """
    tokens = _skipped.set(True), _keeps_rows.set(keep_rows)
    try:
        yield
    finally:
        _skipped.reset(tokens[0])
        _keeps_rows.reset(tokens[1])


def intervals_skipped() -> bool:
    """Whether the caller is within `without_intervals`."""
    return _skipped.get()


def rows_kept() -> bool:
    """Whether the caller is within `without_intervals` with ``keep_rows``."""
    return _keeps_rows.get()


class OfRows(float):
    """The value of a figure of sums over rows, which can tell that of some of the rows.

    ``of`` takes whether each cluster is inside, ``(clusters,)`` by the number of a cluster, and
    gives the value of the rows of those, None where it is undefined. ``value`` is the number as it
    was, which may be an int. Arithmetic gives a number that no longer can, but for a factor.
    """

    value: float
    of: Callable[[NDArray[np.bool_]], float | None]

    @classmethod
    def made(cls, value: float, of: Callable[[NDArray[np.bool_]], float | None]) -> OfRows:
        """The value, with what tells that of some of the rows."""
        made = cls(value)
        made.value, made.of = value, of
        return made

    def mapped(self, function: Callable[[float], float]) -> OfRows:
        """A function of the value, which is also one of that of some of the rows."""

        def of(inside: NDArray[np.bool_]) -> float | None:
            part = self.of(inside)
            return None if part is None else function(part)

        return self.made(function(self.value), of)

    def __mul__(self, factor: float, /) -> OfRows:
        return self.mapped(lambda value: value * factor)


def _value(rows: Array, function: OfSums, clusters: Clusters) -> float | None:
    """A function of the sums of ``(n, k)`` rows; None where it is undefined."""
    if clusters is not None and len(clusters) != len(rows):
        raise ValueError(f"{len(clusters)} clusters of {len(rows)} samples")

    def of(some: Array) -> float | None:
        with np.errstate(all="ignore"):
            value = float(function(column_sums(some)[None, :])[0])
        return value if math.isfinite(value) else None

    value = of(rows)
    if value is None or clusters is None or not _keeps_rows.get():
        return value
    where = np.asarray(clusters)
    if where.dtype.kind != "i":
        return value
    return OfRows.made(value, lambda inside: of(rows[inside[where]]))


def _quotient(sums: Array) -> Array:
    return sums[:, 0] / sums[:, 1]


def count(
    marks: Sequence[bool], clusters: Clusters, *, higher_is_better: bool | None = False
) -> Estimate:
    """How many marks are set, without an interval.

    >>> count([True, False, True], None).value
    2
    """
    value: float = sum(marks)
    if _keeps_rows.get() and len(marks):
        rows = np.array(marks, dtype=np.float64)[:, None]
        found = _value(rows, lambda sums: sums[:, 0], clusters)
        value = OfRows.made(value, found.of) if isinstance(found, OfRows) else value
    return Estimate(value, len(marks), unit="count", higher_is_better=higher_is_better)


def share(
    values: Sequence[float],
    clusters: Clusters,
    unit: str = "%",
    *,
    higher_is_better: bool | None = True,
) -> Estimate:
    """The mean of scores between 0 and 1, such as the share of right answers.

    >>> share([1, 1, 0, 0], ["a", "a", "b", "b"], "0-1").stderr
    0.5
    """
    return ratio(values, [1.0] * len(values), clusters, unit, higher_is_better=higher_is_better)


def ratio(
    tops: Sequence[float],
    bottoms: Sequence[float],
    clusters: Clusters,
    unit: str = "%",
    *,
    higher_is_better: bool | None = True,
) -> Estimate:
    """``sum(tops) / sum(bottoms)``, in 0..1, such as a precision over all images; None if all
    bottoms are 0. A top is at most its bottom, which is not negative; samples with 0 have no part.

    >>> ratio([1, 0], [2, 2], None, "0-1").value
    0.25
    """
    if not len(tops) or not sum(bottoms):
        return undefined(unit, len(tops), higher_is_better=higher_is_better)
    if len(tops) == 1 and _skipped.get():  # as of a rehearsed sample: no arrays need to be loaded
        value = float(tops[0]) / float(bottoms[0])
        alone = Estimate(value, 1, unit="0-1", higher_is_better=higher_is_better, clusters=1)
        return alone.scaled(100 / PERCENT[unit], unit)
    rows, n = np.column_stack([tops, bottoms]).astype(np.float64), len(tops)
    p = _value(rows, _quotient, clusters)
    if p is None or _skipped.get():
        bare = Estimate(p, n, unit="0-1", higher_is_better=higher_is_better)
        return bare.scaled(100 / PERCENT[unit], unit)
    table = ClusterSums.of(rows, clusters)
    bottom = float(table.total[1])
    bare = Estimate(p, n, unit="0-1", higher_is_better=higher_is_better, clusters=len(table))
    trials = bottom if _is_counted(tops, bottoms) else None
    if trials and bool(np.isin(table.sums[:, 1], (0.0, 1.0)).all()):
        # Independent items that are right or wrong.
        spread: ClusterSpread | None = ClusterSpread(
            p * (1 - p) / trials, math.inf, int(trials), trials
        )
        bounds: Bounds | None = wilson(p, trials)
    else:
        spread = of_ratio(table)
        bounds = None if spread is None else bounded(p, spread, trials)
    if spread is not None:
        effective = p * (1 - p) / spread.variance if spread.variance else spread.effective
        effective = effective if trials is None else min(effective, trials)
        bare = replace(with_bounds(bare, spread, bounds, "wilson"), effective_n=effective)
    return bare.scaled(100 / PERCENT[unit], unit)


def f1(
    true_positive: Sequence[float],
    false_positive: Sequence[float],
    false_negative: Sequence[float],
    clusters: Clusters,
    unit: str = "0-1",
) -> Estimate:
    """The F1 score, ``2 TP / (2 TP + FP + FN)``, of counts over all samples.

    With ``q = TP / (TP + FP + FN)``, a ratio, F1 is ``2 q / (1 + q)``: its interval is that of q on
    this scale, so that the score of a model without a mistake is not taken for certain. Source:
    Takahashi et al. 2022, "Confidence interval for micro-averaged F1 and macro-averaged F1 scores",
    for the delta method; the scale is Jaccard's.

    >>> f1([1, 1, 0], [0, 0, 1], [0, 0, 0], None).value
    0.8
    """
    bottoms = [
        sum(item) for item in zip(true_positive, false_positive, false_negative, strict=True)
    ]
    found = ratio(true_positive, bottoms, clusters, "0-1")

    def of(q: float | None) -> float | None:
        if isinstance(q, OfRows):
            return q.mapped(lambda ratio: 2 * ratio / (1 + ratio))
        return None if q is None else 2 * q / (1 + q)

    slope = None if found.value is None else 2 / (1 + found.value) ** 2
    stderr = None if found.stderr is None or slope is None else found.stderr * slope
    low, high = of(found.low), of(found.high)
    item = replace(found, value=of(found.value), stderr=stderr, low=low, high=high)
    return replace(item, effective_n=None).scaled(100 / PERCENT[unit], unit)


def mean(
    values: Sequence[float],
    clusters: Clusters,
    unit: str = "",
    *,
    least: float | None = None,
    most: float | None = None,
    higher_is_better: bool | None = True,
) -> Estimate:
    """The mean of scores on any scale; ``least`` and ``most`` are its ends, None where there are
    none.

    >>> mean([1.0, 2.0, 3.0], None).value
    2.0
    """
    if not len(values):
        return undefined(unit, higher_is_better=higher_is_better)
    rows = np.column_stack([values, np.ones(len(values))]).astype(np.float64)
    value, n = _value(rows, _quotient, clusters), len(values)
    bare = Estimate(value, n, unit=unit, higher_is_better=higher_is_better)
    if _skipped.get():
        return bare
    table = ClusterSums.of(rows, clusters)
    return between(replace(bare, clusters=len(table)), of_ratio(table), least, most)


def of_sums(
    rows: ArrayLike,
    function: OfSums,
    clusters: Clusters,
    unit: str = "",
    *,
    least: float | None = None,
    most: float | None = None,
    higher_is_better: bool | None = True,
) -> Estimate:
    """A figure that is a function of sums over samples, such as BLEU or a sum of accuracies.

    ``(r, k)`` sums of ``(n, k)`` rows give ``(r,)`` values, NaN (here None) where undefined; there
    is no interval where it is so without one of the clusters. ``least`` and ``most`` are possible
    ends, if any.
    """
    items = np.asarray(rows, dtype=np.float64)
    n = len(items)
    if not n:
        return undefined(unit, higher_is_better=higher_is_better)
    items = items.reshape(n, -1)
    bare = Estimate(
        _value(items, function, clusters), n, unit=unit, higher_is_better=higher_is_better
    )
    if bare.value is None or _skipped.get():
        return bare
    table = ClusterSums.of(items, clusters)
    return between(replace(bare, clusters=len(table)), of_function(table, function), least, most)


def between(
    bare: Estimate, spread: ClusterSpread | None, least: float | None, most: float | None
) -> Estimate:
    """An estimate with the interval of the scale between two ends, None for no end or no spread."""
    value = bare.value
    if spread is None or value is None:
        return bare
    if least is not None and most is not None:
        width = most - least
        part = replace(spread, variance=spread.variance / width**2)
        low, high = bounded((value - least) / width, part)
        return with_bounds(bare, spread, (least + low * width, least + high * width), "wilson")
    if least == 0:
        return with_bounds(bare, spread, positive(value, spread), "log")
    return with_bounds(bare, spread, unbounded(value, spread), "student")


def with_bounds(
    bare: Estimate, spread: ClusterSpread, bounds: Bounds | None, method: str
) -> Estimate:
    """A bare figure with its standard error and these bounds, if any."""
    low, high = bounds or (None, None)
    return replace(
        bare,
        stderr=math.sqrt(spread.variance),
        low=low,
        high=high,
        method="none" if bounds is None else method_of(method, bare.clusters, bare.n),
        clusters=spread.clusters,
    )


def _is_counted(tops: Sequence[float], bottoms: Sequence[float]) -> bool:
    """Whether both count things: each of so many is right or wrong."""
    top, bottom = np.asarray(tops, dtype=np.float64), np.asarray(bottoms, dtype=np.float64)
    whole = (top == np.rint(top)) & (bottom == np.rint(bottom))
    return bool((whole & (top >= 0) & (top <= bottom)).all())


DRAWS, HALVINGS, SEED = 300, 20, 0
#: What rounding leaves of a variance that is 0.
_ROUNDING = 1e-18


def bootstrapped(
    items: Sequence[Estimate],
    of_counts: Callable[[Places], Sequence[float]],
    clusters: Sequence[Hashable],
) -> list[Estimate]:
    """Figures in 0..1 that are no function of sums, such as average precision, with the interval of
    `chef.stats.scales.bounded`; ``of_counts`` gives them for ``(n,)`` counts of how often each
    sample was drawn. None for fewer than two clusters.

    Whole clusters are drawn with replacement, and the figure is computed of each draw. Percentiles
    of the draws are no interval of such a figure: samples that were drawn twice agree with
    themselves, and average precision rises. Their variance is not touched by that: it is that of
    300 draws, times ``C / (C - 1)`` for C clusters. Source: Hesterberg 2015, "What Teachers Should
    Know About the Bootstrap".

    Average precision of few images is above that of many, as at each recall the best precision
    counts. By how much is seen on halves of the clusters, which have no copies (Quenouille 1956,
    "Notes on Bias in Estimation"): the interval holds that of the figure without its bias, which is
    the mean of both halves in 20 splits less the figure. The figure stays as it is.
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
        _drawn(item, ClusterSpread(float(variance), freedom, count, effective), float(mean))
        for item, variance, mean in zip(items, variances, means, strict=True)
    ]


def _drawn(item: Estimate, spread: ClusterSpread, halved: float) -> Estimate:
    """The figure with its interval, from its spread and its mean over halves of the clusters."""
    if item.value is None:
        return item
    if spread.variance < _ROUNDING:
        spread = replace(spread, variance=0.0)
    unbiased = min(1.0, max(0.0, 2 * item.value - halved))
    lows, highs = zip(*(bounded(value, spread) for value in (item.value, unbiased)), strict=True)
    bare, bounds = replace(item, clusters=spread.clusters), (min(lows), max(highs))
    return with_bounds(bare, spread, bounds, "bootstrap")
