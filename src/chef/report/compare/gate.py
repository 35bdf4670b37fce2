"""The rules of ``--fail-if-worse`` and ``--not-worse-than``: has a run become worse than the first?

The first one fails a run that is shown to be worse, the second one a run that is not shown to be
nearly as good. Both go by the interval of the verdict (`Pair.deciding`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.report.compare.comparison import Comparison, Pair
from chef.report.compare.verdict import amount, is_decided
from chef.stats.estimate import PERCENT, Estimate

FAIL, NOT_WORSE = "--fail-if-worse", "--not-worse-than"


class GateOutcome(Frozen):
    """What ``--fail-if-worse`` or ``--not-worse-than`` decides, in a sentence for each run.

    ``worse`` has the runs that are worse than allowed or not shown not to be, ``open`` those of
    which that cannot be told in full.
    """

    worse: Sequence[str]
    open: Sequence[str]


def fail_if_worse(comparison: Comparison, points: float) -> GateOutcome:
    """Hold every run against the first by the main figure.

    A run is worse if the whole 95% interval of its difference is worse than ``points`` (at least 0;
    percentage points of shares, else in the unit of the figure), or, of a figure without an
    interval, the difference itself. It is open where a run lacks the score of a sample that the
    first run has scored. ConfigError if neither direction of the figure is better.
    """
    check_points(points)
    return _gate(comparison, lambda pair: _worse(pair, comparison.primary, points))


def not_worse_than(comparison: Comparison, points: float) -> GateOutcome:
    """Hold every run against the first: is it shown to be at most so much worse?

    A test of non-inferiority: the whole 95% interval of the difference has to be better than
    ``-points`` (above 0). Few samples show nothing, and fail. ConfigError as `fail_if_worse`.
    """
    check_points(points, NOT_WORSE)
    return _gate(comparison, lambda pair: _not_shown(pair, comparison.primary, points))


def _gate(comparison: Comparison, rule: Callable[[Pair], str]) -> GateOutcome:
    pairs = comparison.pairs[: len(comparison.runs) - 1]
    worse, lacking = map(rule, pairs), (_lacks(comparison, pair) for pair in pairs)
    return GateOutcome([text for text in worse if text], [text for text in lacking if text])


def check_points(points: float, option: str = FAIL) -> None:
    """ConfigError for negative or infinite points, or for 0 where that can never be shown."""
    if not points >= 0 or math.isinf(points) or (option == NOT_WORSE and not points):
        least = "above 0" if option == NOT_WORSE else "0 or more"
        zero = "" if option == NOT_WORSE else "; 0 allows no shown difference"
        raise ConfigError(
            f"{points} is not {least}",
            where=option,
            hint=f"give the points that a run may be worse, such as 1{zero}",
        )


def _worse(pair: Pair, figure: str, points: float) -> str:
    """Why the second run is worse than the first; empty if that is not shown."""
    deciding = pair.deciding(figure)
    item = deciding.difference
    better = _direction(item, figure, FAIL)
    allowed = points / PERCENT.get(item.unit, 1.0)
    if item.value is None:
        return f"{figure} is not defined for {pair.first} or {pair.second}"
    if deciding.p_value is not None and not is_decided(deciding):
        return ""
    best = item.high if better else item.low  # the best that the difference may be
    of = "the whole interval of the difference is"
    if best is None:
        best, of = item.value, "the difference, which has no interval, is"
    loss = -best if better else best
    if not loss > allowed:
        return ""
    limit = amount(allowed, item)
    return f"{pair.second} is worse than {pair.first} in {figure}: {of} beyond {limit}"


def _not_shown(pair: Pair, figure: str, points: float) -> str:
    """Why the second run may be worse than the first by more than ``points``; empty if not."""
    item = pair.deciding(figure).difference
    better = _direction(item, figure, NOT_WORSE)
    allowed = points / PERCENT.get(item.unit, 1.0)
    worst = item.low if better else item.high
    if item.value is None or worst is None:
        return f"{figure}: no interval tells how much worse {pair.second} may be than {pair.first}"
    loss = -worst if better else worst
    if loss < allowed:
        return ""
    return (
        f"{pair.second} is not shown to be at most {amount(allowed, item)} worse than {pair.first} "
        f"in {figure}: it may be worse by {amount(max(0.0, loss), item)}"
    )


def _direction(item: Estimate, figure: str, option: str) -> bool:
    if item.higher_is_better is None:
        raise ConfigError(
            f"neither direction of {figure} is better",
            where=option,
            hint="name a metric of which one is, with --metric",
        )
    return item.higher_is_better


def _lacks(comparison: Comparison, pair: Pair) -> str:
    """What of the first run has no score in the second one; empty if nothing."""
    before = next(run for run in comparison.scores if run.label == pair.first)
    if lacking := before.coverage.scored - pair.samples:
        return (
            f"{lacking} of {before.coverage.scored} samples that {pair.first} has scored have no "
            f"score in {pair.second}"
        )
    return ""
