"""Runs in object stores looked at again: shown, scored and compared, one part after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from chef.config.document import read_document
from chef.config.metric import MetricSection, named_metric
from chef.config.spec import Spec
from chef.errors import ConfigError, DataError
from chef.frozen import Frozen
from chef.guard.trust import names_in, refuse
from chef.metric import METRICS, Metric, Report
from chef.scoring.result import RunResult
from chef.scoring.scoring import MetricRun
from chef.shards.claims import part_name
from chef.shards.part import StoredPart, read_part
from chef.shards.run import statistics_there
from chef.shards.settings import SETTINGS, ShardSettings, read_settings
from chef.shards.statistics import ShardStatistics, merged, statistics_of
from chef.shards.store import Store
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
