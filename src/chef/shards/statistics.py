"""What is told of a shard: mergeable statistics of its answers by one metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from functools import reduce
from typing import Any, cast

import msgspec

from chef.errors import DataError
from chef.metric import Coverage, Metric, Report
from chef.metric.groups import LIMIT, NONE, Group, ScoredSamples, natural
from chef.metric.mean_scores import has_mean, mean_scores
from chef.shards.sums import NOTHING, Sums
from chef.stats.clusters import DIGESTS, links
from chef.types import Prediction

#: What names the cluster of a sample where it has several links: what most samples share first.
_COARSE = (DIGESTS, "image_path", "image_row", "main_id", "sampled_from", "circular_group")


class CountedSums(msgspec.Struct, frozen=True):
    """The scores of some samples, and what became of the samples."""

    sums: Sums
    coverage: Coverage

    def __add__(self, other: CountedSums) -> CountedSums:
        each = zip(astuple(self.coverage), astuple(other.coverage), strict=True)
        return CountedSums(self.sums + other.sums, Coverage(*map(sum, each)))


#: The counts of the groups of each field, by the name of the field and its value.
Groups = Mapping[str, Mapping[str, CountedSums]]


class ShardStatistics(msgspec.Struct, frozen=True):
    """The answers of one shard or several by one metric, which add up; ``no_mean`` says why not."""

    metric: str
    figure: str
    unit: str
    higher_is_better: bool | None
    chance_for: tuple[str, ...]
    no_mean: str
    whole: CountedSums
    groups: Groups

    def __add__(self, other: ShardStatistics) -> ShardStatistics:
        # A shard without a single score names neither figure nor unit.
        named = max(self, other, key=lambda item: (item.unit, item.figure))
        return ShardStatistics(
            self.metric,
            named.figure,
            named.unit,
            named.higher_is_better,
            max(self.chance_for, other.chance_for),
            max(self.no_mean, other.no_mean),
            self.whole + other.whole,
            {
                name: _added(self.groups.get(name, {}), other.groups.get(name, {}))
                for name in sorted({*self.groups, *other.groups})
            },
        )

    def report(self, expected: int) -> Report:
        """Figure, interval, coverage and groups without samples; `DataError` for no mean."""
        if self.no_mean:
            raise DataError(self.no_mean, hint="chef score URL reads every part, and computes it")
        groups = {name: self._groups(of) for name, of in self.groups.items() if {*of} != {NONE}}
        coverage = self.whole.coverage
        return Report(
            metrics={self.figure: self._mean(self.whole.sums)},
            coverage=replace(coverage, total=max(coverage.total, expected)),
            samples=(),
            primary=self.figure,
            chance_for=self.chance_for,
            by=groups,
            left_out={
                name: len(self.groups[name]) - LIMIT
                for name in groups
                if len(self.groups[name]) > LIMIT
            },
        )

    def _groups(self, groups: Mapping[str, CountedSums]) -> dict[str, Group]:
        largest = sorted(groups, key=lambda name: (-groups[name].coverage.total, natural(name)))
        ordered = sorted(largest[:LIMIT], key=lambda name: (name == NONE, natural(name)))
        return {
            name: Group({self.figure: self._mean(groups[name].sums)}, groups[name].coverage)
            for name in ordered
        }

    def _mean(self, sums: Sums) -> Any:
        return sums.mean(self.unit or "%", higher_is_better=self.higher_is_better)


def _added(
    one: Mapping[str, CountedSums], other: Mapping[str, CountedSums]
) -> dict[str, CountedSums]:
    empty = CountedSums(NOTHING, Coverage(0, 0))
    return {
        label: one.get(label, empty) + other.get(label, empty) for label in sorted({*one, *other})
    }


def merged(items: Iterable[ShardStatistics]) -> ShardStatistics:
    """The statistics of several shards together; there is at least one."""
    return reduce(ShardStatistics.__add__, items)


def statistics_of(
    metric: Metric,
    name: str,
    report: Report,
    predictions: Iterable[Prediction],
    groupings: Mapping[str, str],
    *,
    seed: int,
) -> ShardStatistics:
    """The statistics of the answers of a shard; ``seed`` is of the weights of the bootstrap."""
    records = {item.sample_id: {"id": item.sample_id, **item.to_record()} for item in predictions}
    scores, no_mean = _scores(metric, name, report)
    clusters = {key: cluster_name(records[key], metric.drawn_with) for key in scores}

    def counts(entries: Sequence[Mapping[str, Any]]) -> CountedSums:
        names = [entry["id"] for entry in entries if entry["id"] in scores]
        sums = Sums.of([scores[key] for key in names], [clusters[key] for key in names], seed)
        return CountedSums(sums, Coverage.count(entries))

    samples = ScoredSamples(records, report.samples, {}, metric.scored_with, lambda _: {})
    groups = {
        grouping: {
            label: counts(entries)
            for label, entries in sorted(
                (samples.members(field) or {NONE: [*report.samples]}).items()
            )
        }
        for grouping, field in groupings.items()
    }
    figure = report.metrics.get(report.primary)
    return ShardStatistics(
        metric=name,
        figure=report.primary,
        unit="" if figure is None else figure.unit,
        higher_is_better=True if figure is None else figure.higher_is_better,
        chance_for=tuple(report.chance_for),
        no_mean=no_mean,
        whole=counts(report.samples),
        groups=groups,
    )


def _scores(metric: Metric, name: str, report: Report) -> tuple[dict[str, float], str]:
    """The score of each scored sample by id, or why their mean is not the figure."""
    if not has_mean(metric):
        figure = metric.primary or report.primary
        return {}, f"{figure} of the metric {name} is no mean of the scores of samples"
    try:
        return mean_scores(report), ""
    except DataError as error:
        return {}, f"{error.what}; so the metric {name} is no mean of the scores of samples"


def cluster_name(
    record: Mapping[str, Any], unit: Callable[[dict[str, Any]], object] = lambda one: one["id"]
) -> str:
    """The name of a sample's cluster, told from it alone: its image, question or group.

    Shards do not see each other, so the coarsest counts; `chef.stats.clusters.clusters_of` also
    joins clusters that a sample with several of these links.
    """
    shared: dict[object, object] = {}
    for link in links(record):
        key, value = cast("tuple[object, object]", link)
        shared.setdefault(key, value)
    key = next((key for key in _COARSE if key in shared), "unit")
    return f"{key} {shared[key] if key in shared else unit(dict(record))}"
