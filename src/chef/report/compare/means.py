"""Which figures are the mean of what was found about each sample: they need no metric."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence

from chef.common.seeding import sample_rng
from chef.report.compare.side import SCORE, Side
from chef.stats.estimate import PERCENT, Estimate
from chef.stats.figures import mean, share

#: On so many random parts of the samples the metric has to agree, each of at most so many samples.
_PARTS, _PART = 3, 500


def factor_of(item: Estimate, scores: Iterable[float]) -> float:
    """What turns a mean of sample scores, 0 to 1, into a figure's unit: 1, or 100 for percent."""
    in_percent = PERCENT.get(item.unit) == 1.0
    return 100.0 if in_percent and all(0 <= score <= 1 for score in scores) else 1.0


def common_means(sides: Sequence[Side], figures: Iterable[str]) -> Mapping[str, str]:
    """The finding whose mean over the samples each figure is in all runs (`Side.findings`).

    It is checked on all samples and on each group of the report. That is enough for the score in
    the main figure; of anything else the metric is asked about random parts of the samples, too,
    as numbers may agree by chance.
    """
    return {figure: _finding(sides, figure) for figure in figures}


def _finding(sides: Sequence[Side], figure: str) -> str:
    for name in sides[0].findings:
        if all(_is_mean(side, figure, name) for side in sides):
            return name
    return ""


def _is_mean(side: Side, figure: str, finding: str) -> bool:
    """Whether a figure of a run is the mean of a finding."""
    whole, numbers = side.report.metrics.get(figure), side.findings.get(finding)
    if whole is None or numbers is None or not _agrees(numbers, whole, side.scored):
        return False
    if not _agrees_in_groups(side, figure, numbers):
        return False
    return (figure == side.report.primary and finding == SCORE) or _agrees_in_parts(
        side, figure, numbers
    )


def _agrees_in_parts(side: Side, figure: str, numbers: Mapping[str, float]) -> bool:
    if side.made is None:
        return False
    names = sorted(side.scored)
    for part in range(_PARTS):
        rng = sample_rng(0, f"part {part}")
        some = sorted(rng.sample(names, min(_PART, (len(names) + 1) // 2)))
        item = side.made.part(some).get(figure)
        if some and (item is None or not _agrees(numbers, item, some)):
            return False
    return True


def _agrees_in_groups(side: Side, figure: str, numbers: Mapping[str, float]) -> bool:
    for grouping, groups in side.report.by.items():
        members = side.members_of(grouping)
        for value, group in groups.items():
            known = figure in group.metrics and value in members
            if known and not _agrees(numbers, group.metrics[figure], members[value]):
                return False
    return True


def _agrees(numbers: Mapping[str, float], item: Estimate, ids: Iterable[str]) -> bool:
    known = [numbers[name] for name in ids]
    if item.value is None or not known:
        return False
    own = math.fsum(known) / len(known) * factor_of(item, known)
    return math.isclose(own, item.value, rel_tol=1e-9, abs_tol=1e-9)


def mean_of(item: Estimate, scores: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """A figure that is a mean, over other samples with these scores and clusters."""
    factor, unit, better = factor_of(item, scores), item.unit, item.higher_is_better
    if all(0 <= score <= 1 for score in scores) and unit in PERCENT:
        return share(scores, clusters, "0-1", higher_is_better=better).scaled(factor, unit)
    least = 0.0 if all(score >= 0 for score in scores) else None
    return mean(scores, clusters, unit, least=least, higher_is_better=better).scaled(factor, unit)
