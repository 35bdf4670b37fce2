"""Several runs at once: differences that hold together, places, and what the best is worth.

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
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chef.stats.arrays import Array, np, special
from chef.stats.estimate import PERCENT, Estimate
from chef.stats.paired import PairedDifference
from chef.stats.scales import CONFIDENCE, student

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
    return replace(
        estimate, low=value - factor * (value - low), high=value + factor * (high - value)
    )


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
