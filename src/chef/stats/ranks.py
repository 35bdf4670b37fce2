"""The order of several runs: how sure each place is, and what the best of them is worth.

Sources: Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for Ranks with Applications to
Mobility across Neighbourhoods and Academic Achievement across Countries" (places by differences
that are shown jointly); Andrews, Kitagawa and McCloskey 2024, "Inference on Winners" (intervals
that hold for all runs together hold for the one that was chosen for its score, too).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chef.stats.estimate import PERCENT, Estimate
from chef.stats.joint import joint_level, stretched
from chef.stats.paired import PairedDifference


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
