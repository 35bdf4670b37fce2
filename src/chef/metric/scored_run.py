"""The samples of a run, scored one by one: what is kept of each for the figures and the report."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from chef.common.judgements import Judging
from chef.common.packed import PackedRows
from chef.metric.groups import GroupFields, ScoredSamples, chance_of, fields_in, rights_of
from chef.stats.estimate import Estimate
from chef.types import Prediction

Record = dict[str, Any]
#: The methods that a metric's ``aggregates`` are about.
_METHODS = ("metric_func", "group_metrics", "scored_with", "drawn_with")


class ScoresSamples(Protocol):
    """A metric, as far as it is about single samples; see `chef.metric.Metric`."""

    @property
    def chance_for(self) -> Sequence[str]:
        """The keys of the figures that are compared with guessing."""

    def scored_with(self, record: Record) -> str:
        """The name of what is scored as one with a record."""

    def figured(self, record: Record) -> Record:
        """What figures are made of."""

    def _score_one(
        self, prediction: Prediction, judging: Judging | None = None
    ) -> tuple[Record | None, Record]: ...


@dataclass(slots=True)
class ScoredRun:
    """What is kept of the samples of a run, all by id.

    Attributes:
        entries: those of the report, sorted by id.
        answers: of those that are scored, what figures are made of.
        values: the fields by which samples are grouped, of those that have any.
        thoughts: the ids of those whose chain of thought was cut.
        chances: what guessing scores; empty where the metric is not compared with it.
        has_several: whether a question has more than one right option.
    """

    metric: ScoresSamples
    latest: Mapping[str, Prediction]
    entries: PackedRows = field(default_factory=PackedRows)
    answers: dict[str, Record] = field(default_factory=dict)
    values: dict[str, Record] = field(default_factory=dict)
    thoughts: set[str] = field(default_factory=set)
    chances: dict[str, float | None] = field(default_factory=dict)
    has_several: bool = False

    def unit_of(self, name: str) -> str:
        """What is scored as one with a sample."""
        return self.metric.scored_with({"id": name, **self.latest[name].sample})

    def grouped(
        self,
        answers: Mapping[str, Record],
        values: Callable[[list[Record]], Mapping[str, Estimate]],
    ) -> ScoredSamples:
        """The samples as grouping needs them, by what the metric aggregates."""
        return ScoredSamples(
            records=GroupFields(self.latest.keys(), self.values),
            entries=self.entries,
            answers=answers,
            unit=lambda record: self.unit_of(record["id"]),
            values=values,
            chances=self.chances if self.metric.chance_for else None,
            has_several=self.has_several,
            labelled=self.values,
        )


def scored_run(
    metric: ScoresSamples,
    latest: Mapping[str, Prediction],
    judging: Judging | None,
    groupings: Mapping[str, str],
) -> ScoredRun:
    """Score the latest predictions of a run; ``groupings`` has the fields of groupings by name."""
    run, fields = ScoredRun(metric, latest), fields_in(groupings)
    for name in sorted(latest):
        prediction = latest[name]
        scored, entry = metric._score_one(prediction, judging)  # noqa: SLF001
        run.entries.append(entry)
        sample = prediction.sample
        if values := {key: sample[key] for key in fields if key in sample}:
            run.values[name] = values
        if prediction.trace.get("CoT_truncated"):
            run.thoughts.add(name)
        if scored is None:
            continue
        if metric.chance_for:
            run.chances[name] = chance_of(scored)
            run.has_several = run.has_several or rights_of(scored) > 1
        run.answers[name] = metric.figured(scored)
    return run


@cache
def aggregates_of(kind: type[Any]) -> Sequence[str] | None:
    """``Metric.aggregates``, as far as it is about the methods that this class has; None: all."""
    order = kind.__mro__

    def place(name: str) -> int:
        return next(place for place, owner in enumerate(order) if name in vars(owner))

    names: Sequence[str] | None = kind.aggregates
    return names if place("aggregates") <= min(map(place, _METHODS)) else None


class Keyed(Sequence[Prediction]):
    """Predictions of different samples that can be had by id, without a list of all of them."""

    @abstractmethod
    def by_id(self) -> Mapping[str, Prediction]:
        """The same by the id of the sample."""


def latest_of(predictions: Iterable[Prediction]) -> Mapping[str, Prediction]:
    """The last prediction of each sample, by id."""
    if isinstance(predictions, Keyed):
        return predictions.by_id()
    return {prediction.sample_id: prediction for prediction in predictions}
