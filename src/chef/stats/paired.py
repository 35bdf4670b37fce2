"""The mean score of two runs on the same samples, and of several runs at once.

Samples that share an image or a question are not independent: they are drawn, and their signs are
changed, as whole clusters. ``docs/background/statistics.md`` has the formulas and
the measured coverage.

Differences of runs on the same samples depend on each other, the more so where they share a run.
One joint draw of all of them tells how large the largest gets by chance: Dunnett's test of several
runs against one, and Tukey's of all pairs, are the cases of normal scores. Sources: Dunnett 1955,
"A Multiple Comparison Procedure for Comparing Several Treatments with a Control"; Westfall and
Young 1993, "Resampling-Based Multiple Testing"; Hothorn, Bretz and Westfall 2008, "Simultaneous
Inference in General Parametric Models".

Of the order of several runs: Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for Ranks with
Applications to Mobility across Neighbourhoods and Academic Achievement across Countries" (places by
differences that are shown jointly); Andrews, Kitagawa and McCloskey 2024, "Inference on Winners"
(intervals that hold for all runs together hold for the one that was chosen for its score, too).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chef.stats.arrays import Array, ArrayLike, np, special
from chef.stats.estimate import PERCENT, Estimate, undefined
from chef.stats.figures import share, with_bounds
from chef.stats.influence import ClusterSpread, ClusterSums, of_ratio
from chef.stats.power import detectable, sign_flips
from chef.stats.scales import CONFIDENCE, student, unbounded, unseen


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
            it several differences are told together (`chef.stats.paired`).
        span: the largest difference that there can be, in the unit of ``estimate``; no interval
            reaches farther.
    """

    estimate: Estimate
    clusters: int
    p_value: float | None
    test: str = ""
    detectable: float | None = None
    freedom: float = math.inf
    moves: Mapping[Any, float] = field(default_factory=dict, repr=False, compare=False)
    span: float = math.inf

    def scaled(self, factor: float, unit: str) -> PairedDifference:
        """The same in another unit; ``factor`` must be positive."""
        effect = None if self.detectable is None else self.detectable * factor
        estimate, span = self.estimate.scaled(factor, unit), self.span * factor
        return replace(self, estimate=estimate, detectable=effect, span=span)


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
    span = _span(np.concatenate([before, after]))
    estimate = _difference(table, spread, span)
    if before.any() != after.any():
        known = own or tuple(_share(scores, clusters) for scores in (before, after))
        estimate = with_own_interval(estimate, *known, is_first=bool(before.any()))
    estimate, p_value = _agreeing(estimate, p_value, spread)
    estimate = replace(estimate, unit=unit, higher_is_better=higher_is_better)
    freedom = math.inf if spread is None else spread.freedom
    moves = _moves(after - before, clusters)
    effect = detectable(table)
    return PairedDifference(
        estimate, len(table), p_value, test, effect, freedom=freedom, moves=moves, span=span
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
    bounds = max(bounds[0], -span), min(bounds[1], span)
    return with_bounds(bare, spread, bounds, "student" if spread.variance else "unseen")


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


_DRAWS, _SEED = 100_000, 0


def joint(items: Sequence[PairedDifference]) -> list[tuple[Estimate, float | None]]:
    """Each difference with the interval that holds jointly with all others, and such a p-value.

    Deviations are drawn from the normal distribution with the correlations that the clusters show
    (`PairedDifference.moves`). The p-value of a difference is how often the largest deviation of
    all is as unlikely as its own; the intervals have the one level at which they hold together in
    95% of the draws. The two agree: a p-value is at most 5% just where its interval is without 0.
    Differences of other samples, whose correlation is not known, count as independent, which no
    correlation makes too sure (Sidak 1967). Those without a p-value or an interval do not count,
    and stay.

    >>> one = PairedDifference(Estimate(2.5, 9, 1.0, 0.5, 4.5), 9, 0.03, moves={"a": 1.0})
    >>> [round(p, 3) for _, p in joint([one, one])]
    [0.03, 0.03]
    """
    known = [place for place, item in enumerate(items) if _counts(item)]
    joined = [(item.estimate, item.p_value) for item in items]
    if len(known) < 2:
        return joined
    largest = largest_deviations(correlations([items[place].moves for place in known]))
    count, level = len(known), _level(largest, len(known))
    for place in known:
        item = items[place]
        single = max(item.p_value or 0.0, _students(item))
        reached = 1 + int((largest >= -special.ndtri(single / 2) - 1e-9).sum())
        p_value = min(1.0, count * single, max(single, reached / (1 + len(largest))))
        estimate = stretched(item, level)
        if p_value > 1 - CONFIDENCE:
            estimate = estimate.holding_zero()
        joined[place] = replace(estimate, method=f"{estimate.method}, joint"), p_value
    return joined


def joint_level(moves: Sequence[Mapping[object, float]]) -> float:
    """The error of each of several intervals that hold together in 95% of the cases, from 0.05 (all
    move alike) to that over their number, by how much each cluster moves each value.
    """
    return _level(largest_deviations(correlations(moves)), len(moves))


def _level(largest: Array, count: int) -> float:
    level = 2 * float(special.ndtr(-np.quantile(largest, CONFIDENCE)))
    return min(1 - CONFIDENCE, max((1 - CONFIDENCE) / count, level))


def correlations(moves: Sequence[Mapping[object, float]]) -> Array:
    """The correlations of differences, ``(k, k)``, by how much each cluster moves each of them."""
    names = dict.fromkeys(name for item in moves for name in item)
    places = {name: place for place, name in enumerate(names)}
    table = np.zeros((len(moves), max(1, len(places))))
    for row, item in enumerate(moves):
        table[row, [places[name] for name in item]] = list(item.values())
    lengths = np.sqrt((table**2).sum(axis=1))
    table /= np.where(lengths > 0, lengths, 1.0)[:, None]
    # Rounding by the order of clusters must not turn the axes along which draws are made.
    matrix: Array = (table @ table.T).round(9)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def largest_deviations(matrix: Array) -> Array:
    """The largest of several standard normal deviations with ``(k, k)`` correlations, without sign:
    ``(draws,)``.

    >>> import numpy as np
    >>> round(float(np.quantile(largest_deviations(np.eye(2)), 0.95)), 1)
    2.2
    """
    values, vectors = np.linalg.eigh(matrix)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    rng = np.random.default_rng(_SEED)
    largest = np.zeros(_DRAWS)
    for column in (root @ rng.standard_normal((len(root), _DRAWS))).__abs__():
        np.maximum(largest, column, out=largest)
    return largest


def _counts(item: PairedDifference) -> bool:
    return item.p_value is not None and item.estimate.low is not None


def _students(item: PairedDifference) -> float:
    """The p-value of Student's distribution; 0 where nothing varies."""
    value, stderr = item.estimate.value, item.estimate.stderr
    if value is None or not stderr:
        return 0.0
    return float(2 * special.stdtr(item.freedom, -abs(value) / stderr))


def stretched(item: PairedDifference, level: float) -> Estimate:
    """A value with the interval of another level: ``level`` is how often it may miss, in 0..1."""
    estimate = item.estimate
    value, low, high = estimate.value, estimate.low, estimate.high
    assert value is not None
    assert low is not None
    assert high is not None
    if estimate.stderr:
        factor = student(item.freedom, 1 - level) / student(item.freedom)
    else:  # the rule of three
        factor = math.log(level) / math.log(1 - CONFIDENCE)
    low, high = value - factor * (value - low), value + factor * (high - value)
    return replace(estimate, low=max(low, -item.span), high=min(high, item.span))


def rank_intervals(names: Sequence[str], better: Sequence[tuple[str, str]]) -> dict[str, range]:
    """The places that each run may have among all, 1 for the best; ``range(2, 5)`` is 2nd to 4th.

    By pairs of the better run and the worse one, a run comes behind those shown to be better, and
    before the others of its pairs. Where these are decided jointly, all places hold together in 95%
    of the cases.

    >>> rank_intervals("abc", [("a", "c")])
    {'a': range(1, 3), 'b': range(1, 4), 'c': range(2, 4)}
    """
    ahead = {name: sum(worse == name for _, worse in better) for name in names}
    behind = {name: sum(best == name for best, _ in better) for name in names}
    return {name: range(1 + ahead[name], 1 + len(names) - behind[name]) for name in names}


def best_of(scores: Mapping[str, PairedDifference]) -> tuple[str, Estimate] | None:
    """The run with the best score, and its interval corrected for having been chosen. None where no
    direction is better, or a score has no interval.

    The best of several scores is on average too good. The intervals that hold for all runs at once
    hold for whichever is chosen: with the correlation that runs on the same samples show, they are
    narrower than those of Sidak or Bonferroni.
    """
    items = list(scores.values())
    up = {item.estimate.higher_is_better for item in items}
    known = [item.estimate.value for item in items if item.estimate.low is not None]
    values = [value for value in known if value is not None]
    if len(items) < 2 or len(values) < len(items) or len(up) > 1 or None in up:
        return None
    sign = 1 if True in up else -1
    name = max(scores, key=lambda key: sign * (scores[key].estimate.value or 0.0))
    level = joint_level([item.moves for item in items])
    estimate = stretched(scores[name], level)
    if estimate.unit in PERCENT:  # a share ends at 0 and 1
        low, high = estimate.low or 0.0, estimate.high or 0.0
        estimate = replace(
            estimate, low=max(0.0, low), high=min(100 / PERCENT[estimate.unit], high)
        )
    return name, replace(estimate, method="chosen among several")
