"""How metrics use what judges say: which answers are to be judged, and what becomes of them.

A record that is scored has ``record["judgements"]``: None where no judge was to be asked, otherwise
a list of `Judgement` as plain dicts, which is empty where none was asked yet.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.judgements import Judgement, JudgementStatus, Judging
from chef.errors import SampleError
from chef.metric.readings import Readings
from chef.metric.records import (
    MissingTruthError,
    UnjudgedError,
    names,
    note_left_out,
    scored_choice,
)
from chef.reading.text import POLICY

Record = dict[str, Any]


class Judgeable:
    """What a metric says about judges; every `Metric` is one.

    A subclass that reads answers in its own way declares ``judge_kinds`` anew: what it inherits
    says nothing about it.
    """

    #: The kinds of judgements that it can use, the default first; empty: none.
    judge_kinds: ClassVar[Sequence[str]] = ()
    #: True if it has no rule of its own: a recipe with it needs a judge.
    needs_judge: bool = False
    #: Whether what is scored as one (`Metric.scored_with`) is decided by its first wrong answer,
    #: so that the others need no judge.
    stops_groups: ClassVar[bool] = False
    #: The name of the rules for reading texts, stored with the results; empty when none are used.
    policy: str = ""
    #: What it found about answers before, so that each is read once; None reads every time.
    kept_readings: Readings | None = None

    @cached_property
    def is_own(self) -> bool:
        """Whether its code is chef's alone: it changes no record, and reads that and its keys."""
        return type(self).__module__.startswith("chef.")

    def own_record(self, record: Mapping[str, Any]) -> Record:
        """A record that it may change: a deep copy, unless the code is chef's."""
        return dict(record) if self.is_own else copy.deepcopy(dict(record))

    def judge_kind(self, record: Record) -> str | None:
        """The kind of judgement that fits a record; None for options chosen by score."""
        if not self.judge_kinds or scored_choice(record) is not None:
            return None
        return self.judge_kinds[0]

    def judge_options(self, record: Record) -> list[str]:
        """The options, in words, that the reading of kind ``option`` is an index into."""
        return names(record, "choices") or names(record, "options")

    def rule_reading(self, record: Record) -> Any:
        """What the metric's rule reads of an answer, in the form of a judge's reading.

        None where it cannot, or has no rule; raises MissingTruthError if it needs the truth.
        """
        del record

    def reads(self, record: Record) -> bool:
        """Whether the rule reads an answer, or truth lacks; else ``when: unread`` asks a judge."""
        try:
            return self.rule_reading(self.own_record(record)) is not None
        except MissingTruthError:
            return True

    def rule_findings(self, record: Record) -> Record:
        """What `score_sample` finds about an answer without a judge; raises MissingTruthError."""
        return self.read_once({**self.own_record(record), "judgements": None})

    def score_sample(self, record: Record) -> Record:
        """See `Metric.score_sample`."""
        raise NotImplementedError

    def read_once(self, record: Record) -> Record:
        """What `score_sample`, which may change the record, finds or has found, as plain data."""
        kept, name, answer = self.kept_readings, str(record.get("id")), record.get("answer")
        if record.get("choice") is not None:
            kept = None
        digest = None if kept is None else kept.digest(record)
        if kept is not None and (known := kept.get(name, digest)) is not None:
            return known
        returned: Any = self.score_sample(record)
        if type(returned) is not dict:  # which is that of nearly all metrics
            returned = dict(self.as_findings(returned))
        found: Record = to_jsonable(returned)
        if self.policy == POLICY:
            note_left_out(found, answer)
        if kept is not None:
            kept.put(name, digest, found)
        return found

    def as_findings(self, returned: Any) -> Mapping[str, Any]:
        """What `score_sample` has returned; SampleError where that is no mapping."""
        if isinstance(returned, Mapping):
            return returned
        kind = type(returned).__name__
        raise SampleError(
            f"{type(self).__name__}.score_sample returned {'None' if returned is None else kind}",
            hint='return a dict, the score by this name: {"metric_result": 1.0}',
        )

    def is_right(self, record: Record) -> bool:
        """Whether an answer is right; True too where the reference or a judgement is missing."""
        try:
            found = self.read_once(self.own_record(record))
        except (MissingTruthError, UnjudgedError):
            return True
        return bool(found.get("metric_result") == 1)

    def may_skip(self, record: Record) -> bool:
        """Whether no judge need be asked about a record once its group is decided."""
        del record
        return self.stops_groups

    def usable(self, judging: Judging | None) -> Judging | None:
        """The judgements of the kinds that the metric uses; None where it uses none of them."""
        if judging is None or not self.judge_kinds:
            return None
        kept = {
            name: [item for item in items if item.kind in self.judge_kinds]
            for name, items in judging.judgements.items()
        }
        used = {name: items for name, items in kept.items() if items}
        if judging.judgements and not used and not self.needs_judge:
            return None
        return replace(judging, judgements=used)

    def with_judgements(self, record: Record, judging: Judging | None) -> Record:
        """The record of an answered sample with ``judgements``, where the metric can use any."""
        if not self.judge_kinds:
            return record
        if scored_choice(record) is not None:
            return {**record, "judgements": None}
        found: Sequence[Judgement] | None = None
        if judging is not None:
            found = judging.judgements.get(str(record["id"]))
            if found is None and self._was_due(record, judging):
                found = ()
        elif self.needs_judge:
            found = ()
        return {**record, "judgements": None if found is None else plain(found)}

    def _was_due(self, record: Record, judging: Judging) -> bool:
        if self.judge_kind(record) is None:
            return False
        return judging.when == "always" or not self.reads(record)


def plain(judgements: Sequence[Judgement]) -> list[Record]:
    """Judgements as plain dicts, as they stand in ``record["judgements"]``."""
    found = [{**msgspec.structs.asdict(item), "status": str(item.status)} for item in judgements]
    for item in found:
        del item["answer"]  # which names it, and is no part of what was said
    return found


def is_skipped(record: Record) -> bool:
    """Whether no judge was asked about an answer, as its group is decided."""
    given = record.get("judgements") or []
    return bool(given) and all(item["status"] == JudgementStatus.SKIPPED for item in given)
