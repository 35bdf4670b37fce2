"""The difference of two runs by labels of people: right whatever the scores of both are worth."""

from __future__ import annotations

from collections.abc import Iterable

from chef.guard.folder import has_file
from chef.report.compare.found import RectifiedPair
from chef.report.compare.side import Side
from chef.report.labels.drawing import DRAWN
from chef.report.labels.result import check_mean, labels_of
from chef.report.labels.scales import scale_of
from chef.stats.rectified import rectified_difference


def rectified_pair(
    sides: tuple[Side, Side], names: tuple[str, str]
) -> tuple[RectifiedPair | None, str]:
    """The difference of two runs by labels of people, or a sentence on why there is none.

    Both are empty where not both runs have labels; ConfigError if the main figure is no mean.
    """
    if not all(side.report.of_run and has_file(side.place / DRAWN) for side in sides):
        return None, ""
    first, second = (labels_of(side) for side in sides)
    if first is None or second is None:
        return None, ""
    what = f"labels of people tell no difference of {names[0]} and {names[1]}"
    if scale_of(sides[0]) != scale_of(sides[1]):
        return None, f"{what}: they were asked other questions"
    for side in sides:
        check_mean(side, is_share=(first.least, first.most) == (0, 1))
    ids = [name for name in sorted(first.strata) if name in second.strata]
    firsts: dict[int, str] = {}  # a cluster has one name in both runs: that of its first sample
    clusters = {name: firsts.setdefault(sides[0].clusters[name], name) for name in ids}
    try:
        before = first.rectified(sides[0].scores, clusters, ids)
        after = second.rectified(sides[1].scores, clusters, ids)
    except ValueError as error:
        return None, f"{what}: {error}"
    better = sides[0].report.metrics[sides[0].report.primary].higher_is_better
    difference, p = rectified_difference(before, after, higher_is_better=better)
    marked = [first.means.keys() & set(ids), second.means.keys() & set(ids)]
    return RectifiedPair(
        *names, sides[0].report.primary, (len(marked[0]), len(marked[1])),
        len(marked[0] & marked[1]), difference, p,
    ), ""  # fmt: skip


def notes_of(found: Iterable[tuple[RectifiedPair | None, str]]) -> list[str]:
    """Why runs with labels have no rectified difference."""
    return list(dict.fromkeys(note for _, note in found if note))
