"""The samples of a run, scored one by one: what is kept of each for the figures and the report."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
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


def scored_run(
    metric: ScoresSamples,
    latest: Mapping[str, Prediction],
    judging: Judging | None,
    groupings: Mapping[str, str],
    figures: Callable[[list[Record]], Mapping[str, Estimate]],
) -> ScoredSamples:
    """Score the latest predictions of a run, by id; ``groupings`` has the fields of groupings by
    name, ``figures`` computes those of some answers.
    """
    fields, has_several = fields_in(groupings), False
    entries, thoughts = PackedRows(), set[str]()
    answers, values = dict[str, Record](), dict[str, Record]()
    chances: dict[str, float | None] | None = {} if metric.chance_for else None
    for name in sorted(latest):
        prediction = latest[name]
        scored, entry = metric._score_one(prediction, judging)  # noqa: SLF001
        entries.append(entry)
        sample = prediction.sample
        if labels := {key: sample[key] for key in fields if key in sample}:
            values[name] = labels
        if prediction.trace.get("CoT_truncated"):
            thoughts.add(name)
        if scored is None:
            continue
        if scored["id"] == name:
            scored["id"] = name  # one text for all that is kept of the sample
        if chances is not None:
            rights = rights_of(scored)
            chances[name] = chance_of(scored, rights)
            has_several = has_several or rights > 1
        answers[name] = metric.figured(scored)

    def unit_of(record: Record) -> str:
        return metric.scored_with({"id": record["id"], **latest[record["id"]].sample})

    records = GroupFields(latest.keys(), values)
    return ScoredSamples(
        records, entries, answers, unit_of, figures, chances, has_several, values, thoughts
    )


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
