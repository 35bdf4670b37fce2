"""Runs in object stores looked at again, part by part: shown, scored, two of them compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.config.document import read_document
from chef.config.metric import MetricSection, named_metric
from chef.config.spec import Spec
from chef.document.numbers import interval, quantity
from chef.document.sections import Table
from chef.errors import ConfigError, DataError
from chef.frozen import Frozen
from chef.guard.trust import names_in, refuse
from chef.metric import METRICS, Metric, Report
from chef.metric.mean_scores import scores_of
from chef.scoring.result import RunResult
from chef.scoring.scoring import MetricRun
from chef.shards.asking import statistics_there
from chef.shards.settings import SETTINGS, ShardSettings, StoredPart, read_part, read_settings
from chef.shards.statistics import (
    NOTHING,
    ShardStatistics,
    Sums,
    cluster_name,
    merged,
    statistics_of,
)
from chef.shards.store import Store, part_name
from chef.stats.estimate import Estimate
from chef.types import Prediction


class StoredParts(Frozen):
    """A run in an object store, as far as it is there."""

    store: Store
    settings: ShardSettings

    @classmethod
    def at(cls, url: str) -> StoredParts:
        """The run at an address; `DataError` where there is none."""
        store = Store(url)
        return cls(store, read_settings(store))

    def part(self, shard: str) -> StoredPart | None:
        """The part of a shard; None where there is none, `DataError` where it is damaged."""
        name = part_name(shard)
        if (data := self.store.read(name)) is None:
            return None
        part = read_part(data, self.store.place(name))
        if (part.head.settings, part.head.shard) != (self.settings.digest, shard):
            raise DataError(
                "a part is none of this run: it was made of other settings",
                where=self.store.place(name),
                hint="remove the object; the `chef eval` command of the run asks its shard again",
            )
        return part

    def predictions(self) -> Iterator[Prediction]:
        """All answers, shard after shard."""
        for shard in self.settings.shards:
            if (part := self.part(shard)) is not None:
                yield from part.answers


def result_at(url: str) -> RunResult:
    """The result of a run, as far as it is there, of the sums of its parts alone."""
    parts = StoredParts.at(url)
    statistics = statistics_there(parts.store, parts.settings)
    if statistics is None:
        raise _no_parts(url)
    return result_of(parts, statistics)


def result_of(parts: StoredParts, statistics: ShardStatistics) -> RunResult:
    """The result that some parts tell; what is no mean is computed from answers, shard by shard."""
    settings = parts.settings
    if statistics.no_mean:
        return scored(parts.store.url, None, {})
    return _result(settings, statistics.report(settings.samples), statistics.metric)


def scored(
    url: str,
    metric: str | None,
    options: Mapping[str, Any],
    *,
    whole: bool = False,
    trust: bool = False,
) -> RunResult:
    """Score the answers of a run again: each part by itself, and what they tell added up.

    That gives the first figure, if it is a mean of scores. Others (``whole``) need all answers at
    once: these are read shard after shard, and scored together.
    """
    parts = StoredParts.at(url)
    settings, spec = parts.settings, _spec(parts, metric, options, trust=trust)
    chance = settings.random_accuracy if spec.name == settings.metrics[0][0] else None
    new = partial(MetricRun, settings.recipe, settings.scenario, spec, chance, settings.groupings)
    every: list[ShardStatistics] = []
    for shard in () if whole else settings.shards:
        if (part := parts.part(shard)) is None:
            continue
        run = new()
        report = run.score(part.answers, None, Path(part_name(shard)))
        counted = statistics_of(
            run.metric, spec.name, report, part.answers, run.groupings, seed=settings.seed
        )  # fmt: skip
        every.append(counted)
        if counted.no_mean:
            whole = True
            break
    if whole:
        report = new().score(parts.predictions(), settings.samples, Path(SETTINGS))
        if not report.samples:
            raise _no_parts(url)
        return _result(settings, report, spec.name)
    if not every:
        raise _no_parts(url)
    return _result(settings, merged(every).report(settings.samples), spec.name)


def _result(settings: ShardSettings, report: Report, metric: str) -> RunResult:
    return RunResult.of(
        report,
        recipe=settings.recipe,
        scenario=settings.scenario,
        metric_type=metric,
        random_accuracy=settings.random_accuracy if metric == settings.metrics[0][0] else None,
        model=settings.model,
    )


def _spec(
    parts: StoredParts, metric: str | None, options: Mapping[str, Any], *, trust: bool
) -> Spec[Metric]:
    """The metric that scores a run again."""
    name, keys = parts.settings.metrics[0]
    values = {**(keys if metric in (None, name) else {}), **options}
    if (metric or name) not in METRICS:
        raise ConfigError(
            f"the metric '{metric or name}' is not known here",
            where=parts.store.place(SETTINGS),
            hint="choose one with --metric; `chef list metrics` shows them",
        )
    if not trust:
        refuse(names_in(values), parts.store.url, SETTINGS)
    document = read_document({"metric_cfg": values})
    section = MetricSection({**values, "metric_type": metric or name}, ("metric_cfg",))
    handed = {"compat": parts.settings.config["recipe_cfg"].get("compat", "corrected")}
    return named_metric(section, document, handed)


def _no_parts(url: str) -> DataError:
    return DataError(
        "the run has no part yet",
        where=url,
        hint="its `chef eval` command asks the shards that have none",
    )


class StoredComparison(Frozen):
    """How much the second run is above the first, in points of percent, on samples of both."""

    first: str
    second: str
    figure: str
    means: tuple[Estimate, Estimate]
    difference: Estimate
    gained: int
    lost: int
    alone: int

    def table(self) -> Table:
        """The table that people read."""
        rows = [
            (name, f"{self.figure} {quantity(item)}", interval(item), str(item.n))
            for name, item in (
                (f"a: {self.first}", self.means[0]),
                (f"b: {self.second}", self.means[1]),
                ("b - a", self.difference),
            )
        ]
        item = self.difference
        is_shown = item.low is not None and item.high is not None and not item.low <= 0 <= item.high
        note = f"{self.gained} samples gained, {self.lost} lost. "
        note += "The difference is shown." if is_shown else "No difference is shown."
        if self.alone:
            note += f" {self.alone} samples are scored in one run only, and left out."
        return Table("compared", ("run", "value", "95% interval", "n"), rows, note, names=1)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        plain: dict[str, Any] = to_jsonable(asdict(self))
        return plain


def compared(first: str, second: str, *, allow: tuple[str, ...] = ()) -> StoredComparison:
    """Compare two runs, one shard of each in memory at a time; ``data`` may differ if allowed."""
    runs = StoredParts.at(first), StoredParts.at(second)
    _check(*runs, allow)
    seed = runs[0].settings.seed
    sums, gained, lost, alone = [NOTHING, NOTHING, NOTHING], 0, 0, 0
    figure = unit = ""
    for shard in runs[0].settings.shards:
        pair = [run.part(shard) for run in runs]
        a, b = ({} if one is None else _scores(one) for one in pair)
        part = next((one for one in pair if one is not None), None)
        alone += len(a.keys() ^ b.keys())
        if part is None or not (names := sorted(a.keys() & b.keys())):
            continue
        counted = part.head.statistics[0]
        figure, unit = counted.figure, counted.unit
        records = {item.sample_id: {"id": item.sample_id, **item.to_record()}
                   for item in part.answers}  # fmt: skip
        clusters = [cluster_name(records[name]) for name in names]
        columns = [[side[name] for name in names] for side in (a, b)]
        columns.append([after - before for before, after in zip(*columns, strict=True)])
        sums = [one + Sums.of(of, clusters, seed) for one, of in zip(sums, columns, strict=True)]
        gained += sum(change > 0 for change in columns[2])
        lost += sum(change < 0 for change in columns[2])
    if not sums[2].n:
        raise DataError("the runs have no scored sample in common", where=f"{first}, {second}")
    means = sums[0].mean(unit), sums[1].mean(unit)
    points = replace(sums[2].difference(), n=sums[2].n)
    return StoredComparison(first, second, figure, means, points, gained, lost, alone)


def _check(one: StoredParts, other: StoredParts, allow: tuple[str, ...]) -> None:
    a, b = one.settings, other.settings
    data = "scenario_fingerprint"
    if a.metrics[0] != b.metrics[0]:
        what, hint = "the runs have other metrics", "ask both by one recipe"
    elif a.shards != b.shards:
        what = f"the runs have {len(a.shards)} and {len(b.shards)} shards, cut at other samples"
        hint = "ask the same samples with the same --shard-size"
    elif a.made_with[data] != b.made_with[data] and "data" not in allow:
        what, hint = "the runs have other data files", "--allow data compares by the ids alone"
    else:
        return
    raise ConfigError(what, where=f"{one.store.url}, {other.store.url}", hint=hint)


def _scores(part: StoredPart) -> dict[str, float]:
    counted = part.head.statistics[0]
    if counted.no_mean:
        raise ConfigError(
            f"only means of scores are compared part by part: {counted.no_mean}",
            hint="`chef score URL` computes the figure of each run",
        )
    return scores_of(part.scores)
