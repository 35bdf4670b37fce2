"""Two runs on the samples that both have scored: means, differences, flips, groups."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from chef.common.printing import progress_bar
from chef.common.seeding import sample_rng
from chef.frozen import Frozen
from chef.metric.groups import natural
from chef.report.compare.comparison import Difference, McNemar, Pair
from chef.report.compare.side import SCORE, Side, some_ids
from chef.report.compare.verdict import Matched
from chef.stats.estimate import PERCENT, Estimate
from chef.stats.figures import mean, share
from chef.stats.halves import paired_figures, splits
from chef.stats.paired import PairedDifference, paired_mean
from chef.stats.power import mcnemar

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


class Pairing(Frozen):
    """Two runs to be compared.

    ``means`` has the finding whose mean each figure is in all runs (empty: none), ``by`` the
    groupings that are wanted though each of their groups takes long.
    """

    first: Side
    second: Side
    labels: tuple[str, str]
    primary: str
    means: Mapping[str, str]
    by: Sequence[str] = ()

    def pair(self) -> tuple[Pair, PairedDifference | None]:
        """Everything that is told of the two, and the main difference with what moves it."""
        ids = sorted(self.first.scored & self.second.scored, key=natural)
        matched = self._matched(self.means, ids)
        found = {figure: item.difference(figure) for figure, item in matched.items()}
        right = self._right(ids)
        gained = [name for name in ids if right and right[name] == (False, True)]
        lost = [name for name in ids if right and right[name] == (True, False)]
        pair = Pair(
            first=self.labels[0],
            second=self.labels[1],
            samples=len(ids),
            differences=found,
            mcnemar=self._mcnemar(right),
            gained=gained,
            lost=lost,
            by=self._by(ids),
            notes=[*self._unpaired(), *self._without_interval(found)],
        )
        return pair, matched[self.primary].paired if self.primary in matched else None

    def _matched(self, figures: Iterable[str], ids: Sequence[str]) -> dict[str, Matched]:
        """The figures with their differences, as far as these shared samples give them."""
        wanted, sides = list(figures), (self.first, self.second)
        of_questions = [side.scores_of_questions(ids) for side in sides]
        scores: dict[str, list[Mapping[str, float]]] = {}
        for figure in wanted:
            if all(figure in each for each in of_questions):
                scores[figure] = [each[figure] for each in of_questions]
            elif finding := self.means[figure]:
                findings = [side.findings[finding] for side in sides]
                scores[figure] = [{name: each[name] for name in ids} for each in findings]
        others = [figure for figure in wanted if figure not in scores]
        parts = differences_of_parts(*sides, others, ids)
        is_whole = [len(ids) == len(side.scored) for side in sides]
        matches = {
            figure: self._of_means(figure, scores[figure], is_whole)
            if figure in scores
            else parts.get(figure)
            for figure in wanted
        }
        return {figure: item for figure, item in matches.items() if item is not None}

    def _of_means(
        self, figure: str, scores: Sequence[Mapping[str, float]], is_whole: Sequence[bool]
    ) -> Matched:
        """A figure that is the mean of the scores of both runs, by ids.

        ``is_whole`` says whether these are all samples of a run, so that its figure is known.
        """
        wholes = [side.report.metrics[figure] for side in (self.first, self.second)]
        names = list(scores[0])
        before, after = [[numbers[name] for name in names] for numbers in scores]
        clusters = self.first.named_clusters(names)
        first, second = (
            whole if is_same else mean_of(whole, values, clusters)
            for is_same, whole, values in zip(is_whole, wholes, (before, after), strict=True)
        )
        unit, better = wholes[0].unit, wholes[0].higher_is_better
        factor = factor_of(wholes[0], [*before, *after])
        own = (first.scaled(1 / factor, unit), second.scaled(1 / factor, unit))
        gain = paired_mean(before, after, clusters, unit=unit, higher_is_better=better, own=own)
        return Matched(first, second, gain.scaled(factor, unit))

    def _mcnemar(self, right: Mapping[str, tuple[bool, bool]]) -> McNemar | None:
        """The four counts; the test only where every sample is a cluster of its own."""
        if not right:
            return None
        counts = McNemar(*mcnemar(*zip(*right.values(), strict=True)))
        is_clustered = len({self.first.clusters[name] for name in right}) < len(right)
        return replace(counts, p_value=None) if is_clustered else counts

    def _right(self, ids: Iterable[str]) -> dict[str, tuple[bool, bool]]:
        """Whether each run has each sample right; empty where samples are not right or wrong.

        The score of a right sample is 1, unless the main figure is a mean of scores that is better
        when it is lower.
        """
        better = self.first.report.metrics[self.primary].higher_is_better
        is_mean = self.means[self.primary] == SCORE
        if is_mean and better is None:
            return {}
        best = 0.0 if is_mean and better is False else 1.0
        found: dict[str, tuple[bool, bool]] = {}
        for name in ids:
            one, other = self.first.scores.get(name), self.second.scores.get(name)
            if one not in (0.0, 1.0) or other not in (0.0, 1.0):
                return {}
            found[name] = (one == best, other == best)
        return found

    def _by(self, ids: Sequence[str]) -> dict[str, dict[str, Difference]]:
        """The difference of the main figure in each group that both runs have."""
        found: dict[str, dict[str, Difference]] = {}
        places = {name: place for place, name in enumerate(ids)}
        for grouping in self._groupings():
            members = self.first.members(grouping, ids)
            groups = {}
            for value in self.first.report.by[grouping]:
                inside = sorted(members.get(value, ()), key=places.__getitem__)
                if inside and (item := self._matched([self.primary], inside)):
                    groups[value] = item[self.primary].difference(self.primary)
            if groups:
                found[grouping] = groups
        return found

    def _groupings(self) -> list[str]:
        """Those of both runs; of a figure that is computed anew for each group, the wanted ones."""
        common = [name for name in self.first.report.by if name in self.second.report.by]
        if self.means[self.primary]:
            return common
        return [name for name in common if name in self.by]

    def _unpaired(self) -> list[str]:
        """Shared samples that only one of the runs has scored, and why."""
        notes = []
        shared = self.first.entries.keys() & self.second.entries.keys()
        for side, label in zip((self.first, self.second), self.labels, strict=True):
            lacking = sorted(shared - side.scored, key=natural)
            if lacking:
                failed = sum(side.entries[name]["status"] == "error" for name in lacking)
                why = f"{failed} failed" if failed == len(lacking) else "failed or not scored"
                notes.append(
                    f"{len(lacking)} samples have no score in {label} ({why}: {some_ids(lacking)}) "
                    "and are left out of the pairs"
                )
        return notes

    def _without_interval(self, found: Mapping[str, Difference]) -> list[str]:
        bare = [figure for figure in self.means if figure not in found]
        bare += [name for name, item in found.items() if item.difference.low is None]
        if not bare:  # else nothing is asked of the metric, which reads every answer for it
            return []
        reasons = dict.fromkeys(
            side.no_scorer for side in (self.first, self.second) if side.no_scorer
        )
        if not reasons:
            return []
        return [f"{', '.join(bare)}: no interval of the difference, because {'; '.join(reasons)}"]


def differences_of_parts(
    first: Side, second: Side, figures: Sequence[str], ids: Sequence[str]
) -> dict[str, Matched]:
    """The paired differences of figures that the metric computes anew on halves of the samples.

    Where the metric cannot be made here: the differences of the stored figures without intervals,
    if these are figures of the same samples; else none.
    """
    if not figures or not ids:
        return {}
    if first.scorer is None or second.scorer is None:
        return _stored(first, second, figures, ids)
    wholes = [scorer.figures(ids) for scorer in (first.scorer, second.scorer)]
    like = {key: first.report.metrics[key] for key in figures if all(key in it for it in wholes)}
    if not like:
        return {}
    clusters = [first.clusters[name] for name in ids]
    with progress_bar("comparing", splits(len(ids)), "split", delay=3, leave=False) as bar:
        found = paired_figures(
            partial(first.scorer.values, ids), partial(second.scorer.values, ids), clusters, like,
            own=(wholes[0], wholes[1]), on_split=bar.update,
        )  # fmt: skip
    return {key: Matched(wholes[0][key], wholes[1][key], item) for key, item in found.items()}


def _stored(
    first: Side, second: Side, figures: Sequence[str], ids: Sequence[str]
) -> dict[str, Matched]:
    if any(len(ids) < len(side.scored) for side in (first, second)):
        return {}
    found = {}
    for key in figures:
        before, after = (side.report.metrics[key] for side in (first, second))
        gain = None
        if before.value is not None and after.value is not None:
            gain = after.value - before.value
        bare = replace(before, value=gain, stderr=None, low=None, high=None, method="none")
        found[key] = Matched(before, after, PairedDifference(bare, 0, None))
    return found
