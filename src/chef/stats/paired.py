"""The mean score of two runs on the same samples: the paired difference and what it is worth.

Samples that share an image or a question are not independent: they are drawn, and their signs are
changed, as whole clusters. ``docs/background/statistics.md`` has the formulas and
the measured coverage.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chef.stats.arrays import Array, ArrayLike, np, special
from chef.stats.estimate import Estimate, method_of, undefined
from chef.stats.figures import share
from chef.stats.influence import ClusterSpread, ClusterSums, of_ratio
from chef.stats.power import detectable, sign_flips
from chef.stats.scales import CONFIDENCE, unbounded, unseen


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much the score of a second run is above that of a first one.

    Attributes:
        estimate: second minus first; None for its interval of fewer than two clusters.
        clusters: the number of independent clusters of samples.
        p_value: two-sided, of no difference; None where it cannot be told.
        test: how the p-value was computed: ``exact``, ``drawn`` or ``normal`` are those of
            `chef.stats.power.sign_flips`.
        detectable: the smallest true difference that is found with a power of 80% at the 5% level;
            None where differences do not vary, or are too few for any to be found.
        freedom: degrees of freedom of the standard error.
        moves: by how much each cluster (or split into halves) moves the difference, in any unit: by
            it several differences are told together (`chef.stats.joint`).
    """

    estimate: Estimate
    clusters: int
    p_value: float | None
    test: str = ""
    detectable: float | None = None
    freedom: float = math.inf
    moves: Mapping[Any, float] = field(default_factory=dict, repr=False, compare=False)

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
    own: tuple[Estimate, Estimate] | None = None,
) -> PairedDifference:
    """The difference of the mean scores, ``(n,)``, of two runs on the same samples in the same
    order. The interval is Student's (`chef.stats.scales.unbounded`) of the differences in whole
    clusters, and the p-value that of the sign-flip test. They never disagree: a difference counts
    as shown only where both say so. Where the test does not, the interval is extended to 0; where
    the interval holds 0 by itself, the p-value is Student's. If all differences are equal (as of a
    run with itself), the interval is not that value alone: it holds what the clusters that were not
    seen may still change. Where every score of one run is 0, the difference is the mean of the
    other one, and has its interval: of ``own``, the means of both runs, or of
    `chef.stats.figures.share`. Raises ValueError where lengths differ, or a score is not finite.

    >>> found = paired_mean([0, 1, 1, 1], [1, 1, 1, 1], list("abcd"), unit="0-1",
    ...                     higher_is_better=True)
    >>> found.estimate.value, found.p_value
    (0.25, 1.0)
    """
    before, after = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    n = len(clusters)
    if before.shape != (n,) or after.shape != (n,):
        raise ValueError(f"{before.shape} and {after.shape} scores of {n} samples")
    if not (np.isfinite(before).all() and np.isfinite(after).all()):
        raise ValueError("a score is not a finite number; leave out samples without scores")
    if not n:
        return PairedDifference(undefined(unit, higher_is_better=higher_is_better), 0, None)
    table = ClusterSums.of(np.column_stack([after - before, np.ones(n)]), clusters)
    p_value, test = sign_flips(table.sums[:, 0])
    spread = of_ratio(table)
    estimate = _difference(table, spread, _span(np.concatenate([before, after])))
    if before.any() != after.any():
        known = own or tuple(_share(scores, clusters) for scores in (before, after))
        estimate = with_own_interval(estimate, *known, is_first=bool(before.any()))
    estimate, p_value = _agreeing(estimate, p_value, spread)
    estimate = replace(estimate, unit=unit, higher_is_better=higher_is_better)
    freedom = math.inf if spread is None else spread.freedom
    moves = _moves(after - before, clusters)
    return PairedDifference(
        estimate, len(table), p_value, test, detectable(table), freedom=freedom, moves=moves
    )


def single_mean(scores: ArrayLike, clusters: Sequence[Hashable], own: Estimate) -> PairedDifference:
    """The mean of one run's ``(n,)`` scores as a difference from nothing, with its own interval."""
    values = np.asarray(scores, dtype=np.float64)
    table = ClusterSums.of(np.column_stack([values, np.ones(len(values))]), clusters)
    spread = of_ratio(table)
    freedom = math.inf if spread is None else spread.freedom
    moves = _moves(values, clusters)
    return PairedDifference(own, len(table), None, freedom=freedom, moves=moves)


def _moves(gains: Array, clusters: Sequence[Hashable]) -> dict[Hashable, float]:
    """By how much each cluster moves the mean, times the number of samples."""
    moves: dict[Hashable, float] = {}
    for cluster, gain in zip(clusters, (gains - gains.mean()).tolist(), strict=True):
        moves[cluster] = moves.get(cluster, 0.0) + gain
    return moves


def _share(scores: Array, clusters: Sequence[Hashable]) -> Estimate:
    """The mean of scores in 0..1; without an interval of others."""
    if scores.min() < 0 or scores.max() > 1:
        return undefined()
    return share(scores.tolist(), clusters, "0-1")


def with_own_interval(
    difference: Estimate, first: Estimate, second: Estimate, *, is_first: bool
) -> Estimate:
    """The difference to a run whose figure is always 0, with the interval of the other run, if any;
    ``is_first``: the first run is that other one.
    """
    own = first if is_first else second
    if own.low is None or own.high is None:
        return difference
    low, high = (-own.high, -own.low) if is_first else (own.low, own.high)
    return replace(difference, low=low, high=high, method=own.method, clusters=own.clusters)


def _difference(table: ClusterSums, spread: ClusterSpread | None, span: float) -> Estimate:
    """The mean difference; differences are possible from ``-span`` to ``span``."""
    total, n = (float(item) for item in table.total)
    bare = Estimate(total / n, int(n), clusters=len(table))
    if spread is None:
        return bare
    value = total / n
    if not spread.variance:
        bounds = unseen(value, -span, span, spread.effective) if span else None
    else:
        bounds = unbounded(value, spread)
    if bounds is None:
        return bare
    return replace(
        bare,
        stderr=math.sqrt(spread.variance),
        low=max(bounds[0], -span),
        high=min(bounds[1], span),
        method=method_of("student" if spread.variance else "unseen", len(table), int(n)),
    )


def _agreeing(
    estimate: Estimate, p_value: float, spread: ClusterSpread | None
) -> tuple[Estimate, float]:
    """The interval and the p-value, both of which say that there is a difference, or neither."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None or spread is None:
        return estimate, p_value
    if p_value > 1 - CONFIDENCE:
        return estimate.holding_zero(), p_value
    if low <= 0 <= high and spread.variance:
        reach = abs(value) / math.sqrt(spread.variance)
        return estimate, max(p_value, float(2 * special.stdtr(spread.freedom, -reach)))
    return estimate, p_value


def _span(scores: Array) -> float:
    """The largest difference that two scores can have: 1 of scores in 0..1, else as observed."""
    low, high = float(scores.min()), float(scores.max())
    return 1.0 if low >= 0 and high <= 1 else high - low
