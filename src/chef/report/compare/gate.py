"""The rule of ``--fail-if-worse``: has a run become worse than the first one?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from chef.errors import ConfigError
from chef.report.compare.comparison import Comparison, Pair
from chef.report.compare.verdict import amount
from chef.stats.estimate import PERCENT


@dataclass(frozen=True, slots=True)
class Gate:
    """What ``--fail-if-worse`` finds.

    Attributes:
        worse: a sentence for each run that is worse than the first by more than was allowed.
        open: a sentence for each run of which that cannot be told in full.
    """

    worse: Sequence[str]
    open: Sequence[str]


def fail_if_worse(comparison: Comparison, points: float) -> Gate:
    """Hold every run against the first by the main figure.

    A run is worse if the whole 95% interval of its difference is worse than ``points``, or, of a
    figure without an interval, the difference itself. It is open where a run lacks the score of a
    sample that the first run has scored: what has no score has not passed.

    Args:
        comparison: the runs, the first one being what the others are held against.
        points: how much worse a run may be, at least 0: percentage points of shares, else in the
            unit of the figure.

    Raises:
        ConfigError: ``points`` is no such number, or neither direction of the figure is better.
    """
    check_points(points)
    worse, unsure = [], []
    for pair in comparison.pairs[: len(comparison.runs) - 1]:
        if text := _worse(pair, comparison.primary, points):
            worse.append(text)
        if text := _lacks(comparison, pair):
            unsure.append(text)
    return Gate(worse, unsure)


def check_points(points: float) -> None:
    """Refuse what is no number of points.

    Raises:
        ConfigError: it is negative or not finite.
    """
    if not points >= 0 or math.isinf(points):
        raise ConfigError(
            f"{points} is not 0 or more",
            where="--fail-if-worse",
            hint="give the points that a run may be worse, such as 1; 0 allows no shown difference",
        )


def _worse(pair: Pair, figure: str, points: float) -> str:
    """Why the second run is worse than the first; empty if that is not shown."""
    item = pair.differences[figure].difference
    better = item.higher_is_better
    if better is None:
        raise ConfigError(
            f"neither direction of {figure} is better",
            where="--fail-if-worse",
            hint="name a metric of which one is, with --metric",
        )
    allowed = points / PERCENT.get(item.unit, 1.0)
    if item.value is None:
        return f"{figure} is not defined for {pair.first} or {pair.second}"
    best = item.high if better else item.low  # the best that the difference may be
    of = "the whole interval of the difference is"
    if best is None:
        best, of = item.value, "the difference, which has no interval, is"
    loss = -best if better else best
    if not loss > allowed:
        return ""
    limit = amount(allowed, item)
    return f"{pair.second} is worse than {pair.first} in {figure}: {of} beyond {limit}"


def _lacks(comparison: Comparison, pair: Pair) -> str:
    """What of the first run has no score in the second one; empty if nothing."""
    before = next(run for run in comparison.scores if run.label == pair.first)
    if lacking := before.coverage.scored - pair.samples:
        return (
            f"{lacking} of {before.coverage.scored} samples that {pair.first} has scored have no "
            f"score in {pair.second}"
        )
    return ""
