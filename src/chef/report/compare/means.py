"""Which figures of a run are the mean of its samples' scores: their differences need no metric."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from chef.common.seeding import sample_rng
from chef.metric.estimate import PERCENT, Estimate
from chef.metric.statistics import bootstrap_mean, clustered_proportion
from chef.report.compare.side import Side

#: So many halves of the samples have to agree where the metric can be asked.
_HALVES = 3


def factor_of(item: Estimate, scores: Iterable[float]) -> float:
    """What a mean of sample scores is multiplied with to be in the unit of a figure.

    Scores of samples are 0 to 1; figures in percent are 100 times as large.
    """
    in_percent = PERCENT.get(item.unit) == 1.0
    return 100.0 if in_percent and all(0 <= score <= 1 for score in scores) else 1.0


def is_mean(side: Side, figure: str) -> bool:
    """Whether a figure of a run is the mean of the scores of its samples.

    It is checked, not assumed: on all samples and on each group of the report; of another figure
    than the main one also on random halves, computed by the metric, as figures may agree by chance.
    """
    whole = side.report.metrics.get(figure)
    if whole is None or not _agrees(side, whole, side.scored):
        return False
    if not _agrees_in_groups(side, figure):
        return False
    if figure == side.report.primary:
        return True
    if side.scorer is None:
        return False
    names = sorted(side.scored)
    for half in range(_HALVES):
        rng = sample_rng(0, f"half {half}")
        some = [name for name in names if rng.random() < 0.5]
        item = side.scorer.figures(some).get(figure)
        if some and (item is None or not _agrees(side, item, some)):
            return False
    return True


def _agrees_in_groups(side: Side, figure: str) -> bool:
    for grouping, groups in side.report.by.items():
        members = side.members(grouping, side.scored)
        for value, group in groups.items():
            known = figure in group.metrics and value in members
            if known and not _agrees(side, group.metrics[figure], members[value]):
                return False
    return True


def _agrees(side: Side, item: Estimate, ids: Iterable[str]) -> bool:
    scores = [side.scores.get(name) for name in ids]
    known = [score for score in scores if score is not None]
    if item.value is None or not known or len(known) < len(scores):
        return False
    mean = math.fsum(known) / len(known) * factor_of(item, known)
    return math.isclose(mean, item.value, rel_tol=1e-9, abs_tol=1e-9)


def mean_of(item: Estimate, scores: Sequence[float], clusters: Sequence[str]) -> Estimate:
    """A figure that is a mean, over other samples.

    Args:
        item: the figure over all samples of the run.
        scores: of the samples.
        clusters: of the samples.
    """
    factor, unit, better = factor_of(item, scores), item.unit, item.higher_is_better
    if all(0 <= score <= 1 for score in scores) and unit in PERCENT:
        found = clustered_proportion(scores, clusters, "0-1", higher_is_better=better)
        return found.scaled(factor, unit)
    found = bootstrap_mean(scores, unit=unit, higher_is_better=better)
    return found.scaled(factor, unit)


def common_means(sides: Sequence[Side], figures: Iterable[str]) -> Mapping[str, bool]:
    """Of every figure, whether it is a mean of sample scores in all runs."""
    return {figure: all(is_mean(side, figure) for side in sides) for figure in figures}
