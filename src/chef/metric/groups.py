"""The samples of a run, scored one by one, and the scores of groups of them, as of a category."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, Protocol, TypeAlias

import msgspec

from chef.common.judgements import Judging
from chef.common.packed import PackedRows
from chef.errors import DataError
from chef.frozen import Frozen
from chef.metric.coverage import Coverage
from chef.metric.records import Record, true_choices
from chef.metric.second_reader import ReadsAnswers, reading_in_two
from chef.stats.estimate import Estimate
from chef.types import Prediction, Status

#: The groupings that are crossed, in the order of their columns.
CROSSED = ("split", "l2-category", "category")
#: What is between the fields of a crossing, and between the values in the name of a group.
COMMA, TIMES = ",", " × "


def with_crossing(groupings: Mapping[str, str]) -> dict[str, str]:
    """The groupings, and the crossing of those of `CROSSED` if there are at least two.

    >>> with_crossing({"category": "task_type", "split": "split"})
    {'category': 'task_type', 'split': 'split', 'split,category': 'split,task_type'}
    >>> with_crossing({"category": "category"})
    {'category': 'category'}
    """
    names = [name for name in CROSSED if name in groupings]
    if len(names) < 2:
        return dict(groupings)
    return {**groupings, COMMA.join(names): COMMA.join(groupings[name] for name in names)}


def fields_in(groupings: Mapping[str, str]) -> list[str]:
    """All fields that a record needs for some groupings."""
    fields = dict.fromkeys(groupings.values())
    for field in groupings.values():
        fields |= dict.fromkeys(field.split(COMMA))
    return list(fields)


def fields_of(field: str, records: Iterable[Mapping[str, Any]]) -> list[str]:
    """The fields that a grouping, several between commas, stands for; of a crossing two or more."""
    if COMMA not in field:
        return [field]
    fields = field.split(COMMA)
    there = {name for record in records for name in (*fields, field) if record.get(name)}
    if field in there:  # a column of a user's may have a comma in its name
        return [field]
    return fields if len(there) > 1 else []


def group_cells(name: str, columns: int) -> list[str]:
    """The values in the name of a group, one for each column.

    >>> group_cells("dev × logic × what × why", 3)
    ['dev', 'logic', 'what × why']
    """
    cells = name.split(TIMES, columns - 1)
    return cells + [""] * (columns - len(cells))


#: The groups of one field, by its value.
Groups: TypeAlias = dict[str, "Group"]

#: A field with more values has the scores of the largest groups alone.
LIMIT = 200
#: The group of the samples that were scored and lack the field, where others have it.
NONE = "(none)"


class Group(Frozen):
    """The scores of the samples with one value of a field, without figures that have no value here.

    Attributes:
        random_accuracy: what guessing scores, in 0..1; None where the samples have no options.
        error: why the metric has no values here; empty where it has.
    """

    metrics: Mapping[str, Estimate]
    coverage: Coverage
    random_accuracy: float | None = None
    error: str = ""

    @property
    def n(self) -> int:
        """The number of samples that were scored."""
        return self.coverage.scored

    def to_json(self) -> dict[str, Any]:
        """Plain data; counts of the coverage that are 0 are left out."""
        counts = {key: count for key, count in asdict(self.coverage).items() if count}
        return {
            "n": self.n,
            "coverage": {"total": self.coverage.total, "scored": self.n, **counts},
            "random_accuracy": self.random_accuracy,
            **({"error": self.error} if self.error else {}),
            "metrics": {name: item.to_json() for name, item in self.metrics.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Group:
        """Read what `to_json` gave."""
        metrics = {name: Estimate.from_json(item) for name, item in data["metrics"].items()}
        return msgspec.convert({**data, "metrics": metrics}, cls)


class GroupFields(Mapping[str, Record]):
    """Fields by which samples are grouped, by id: of ``ids``, those ``known`` of some of them."""

    def __init__(self, ids: Collection[str], known: Mapping[str, Record]) -> None:
        self._ids, self._known = ids, known

    def __getitem__(self, name: str) -> Record:
        return {"id": name, **self._known.get(name, {})}

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


@dataclass(frozen=True)
class ScoredSamples:
    """The samples of a run, as grouping needs them; all by id.

    Attributes:
        records: of every sample, also of those that failed.
        answers: of those that were scored, what the metric aggregates.
        unit: what is scored as one with a record, such as the rotations of its question. It is
            never divided: its samples are in the group of the first one, which has the lowest id.
        values: computes the metrics of some answers.
        chances: what guessing scores (`chance_of`); None where that is not compared.
        has_several: whether a question has more than one right option.
        labelled: the fields by which samples are grouped; None: ``records`` has them.
        thoughts: the ids of those whose chain of thought was cut.
    """

    records: Mapping[str, Record]
    entries: Sequence[Mapping[str, Any]]
    answers: Mapping[str, Record]
    unit: Callable[[Record], str]
    values: Callable[[list[Record]], Mapping[str, Estimate]]
    chances: Mapping[str, float | None] | None = None
    has_several: bool = False
    labelled: Mapping[str, Record] | None = None
    thoughts: Collection[str] = ()

    @cached_property
    def units(self) -> Mapping[str, str]:
        """What is scored as one with each sample, by id."""
        return {name: self.unit(record) for name, record in self.records.items()}

    @cached_property
    def _ordered(self) -> Sequence[str]:
        """The ids of the samples that may have a label, the first of each unit before others."""
        records = self.records if self.labelled is None else self.labelled
        return sorted(records, key=lambda name: (len(name), name))

    def by(self, field: str, of_all: Mapping[str, Estimate] | None) -> tuple[Groups, int]:
        """The groups of a field, or a crossing, in their order, and how many `LIMIT` left out.

        ``of_all``: the metrics of a group that has all answers; None computes them.
        """
        members = self.members(field)
        kept = sorted(members, key=lambda name: (-len(members[name]), natural(name)))[:LIMIT]
        ordered = sorted(kept, key=lambda name: (name == NONE, natural(name)))
        groups = {name: self._group(members[name], of_all) for name in ordered}
        return groups, len(members) - len(kept)

    def members(self, field: str) -> dict[str, list[Mapping[str, Any]]]:
        """The entries of the samples of each group of a field, as in `by`."""
        labels: dict[str, str] = {}
        records = self.records if self.labelled is None else self.labelled
        fields = fields_of(field, records.values())
        for name in self._ordered:
            if label := joint_label(records[name], fields):
                labels.setdefault(self.units[name], label)
        members: dict[str, list[Mapping[str, Any]]] = {}
        for entry in self.entries if labels else ():
            label = labels.get(self.units[entry["id"]], NONE)
            # A sample that could not be made has no fields, so its group is not known.
            if label != NONE or entry["status"] != Status.ERROR:
                members.setdefault(label, []).append(entry)
        return members

    def _group(
        self, entries: Sequence[Mapping[str, Any]], of_all: Mapping[str, Estimate] | None
    ) -> Group:
        answers = [self.answers[entry["id"]] for entry in entries if entry["id"] in self.answers]
        chance = self.chance(entry["id"] for entry in entries)
        coverage = Coverage.count(entries)
        values: Mapping[str, Estimate] = {}
        try:
            if of_all is not None and len(answers) == len(self.answers):
                values = of_all
            elif answers:
                # Copies, as a metric may change the records, and a field is not the only one.
                values = self.values([dict(answer) for answer in answers])
        except Exception as error:  # the whole run has its values; a group may be too small for it
            return Group({}, coverage, chance, f"{type(error).__name__}: {error}")
        found = {name: item for name, item in values.items() if item.value is not None}
        return Group(found, coverage, chance)

    def chance(self, names: Iterable[str]) -> float | None:
        """The mean share of right options of the scored ones; None unless each has options."""
        known = self.chances or {}
        shares: dict[str, float] = {}
        for name in names:
            if name in known:
                if (share := known[name]) is None:
                    return None
                shares.setdefault(self.units[name], share)
        return sum(shares.values()) / len(shares) if shares else None


def chance_of(answer: Record, rights: int) -> float | None:
    """The share of its options that is right, of which ``rights`` are (of none known one); None
    without options or in turns.
    """
    options = answer.get("options") or answer.get("choices")
    if not isinstance(options, list | tuple) or "turn_answer" in answer:
        return None
    return _chance_among(len(options), max(1, rights))


@lru_cache(64)
def _chance_among(options: int, rights: int) -> float:
    """One number for all samples with so many options: a run keeps it of each."""
    return rights / options


def rights_of(answer: Record) -> int:
    """How many of its options are right; 0 where that is not known."""
    if isinstance(answer.get("gt_choice"), int):
        return 1
    try:
        return len(true_choices(dict(answer)))
    except DataError:
        return 0


def joint_label(record: Mapping[str, Any], fields: Sequence[str]) -> str:
    """The name of the group that the values of some fields stand for; empty if it has none.

    >>> joint_label({"split": "dev", "category": "ocr"}, ["split", "l2-category", "category"])
    'dev × (none) × ocr'
    """
    labels = [label_of(record.get(field)) for field in fields]
    return TIMES.join(label or NONE for label in labels) if any(labels) else ""


def label_of(value: Any) -> str:
    """The name of the group that the value of a field stands for; empty for none.

    >>> label_of(" color "), label_of(3), label_of(["ocr", "math"]), label_of(None)
    ('color', '3', 'ocr, math', '')
    """
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, map(label_of, value)))
    if isinstance(value, str | int | float):
        return str(value).strip()
    return ""


def natural(name: str) -> tuple[Any, ...]:
    """A key that sorts names without regard to case, and numbers in them by value.

    >>> sorted(["grade10", "Grade9", "grade", "art"], key=natural)
    ['art', 'grade', 'Grade9', 'grade10']
    """
    parts = re.split(r"([0-9]+)", name.casefold())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], name


#: The methods that a metric's ``aggregates`` are about.
_METHODS = ("metric_func", "group_metrics", "scored_with", "drawn_with")


class ScoresSamples(ReadsAnswers, Protocol):
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
    with reading_in_two(metric, latest, judging):
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
