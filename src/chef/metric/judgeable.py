"""How metrics use what judges say: which answers are to be judged, and what becomes of them.

A record that is scored has ``record["judgements"]``: None where no judge was to be asked, otherwise
a list of `Judgement` as plain dicts, which is empty where none was asked yet.

What was found about an answer is kept, so that each is read once.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from chef.common.digest import content_digest
from chef.common.jsonable import to_jsonable
from chef.common.judgements import Judgement, JudgementStatus, Judging
from chef.common.packed import PackedLines
from chef.common.version import VERSION
from chef.errors import SampleError
from chef.metric.records import (
    MissingTruthError,
    Record,
    UnjudgedError,
    names,
    note_left_out,
    scored_choice,
)
from chef.reading.text import POLICY

#: The key of a line of scores.jsonl that says how its answer was read.
READING = "reading"
#: Bytes of the digest of a record; an answer has one reading, so 8 are plenty.
_SIZE = 8


class Readings:
    """The findings of `Metric.score_sample` about answers, by sample and by the record they are of.

    A record that changes, by an edited journal, other references or a new judgement, is read again;
    so is every record by another metric, with other keys, by other rules, and by another version of
    chef.

    >>> kept = Readings("rules-1", "VQA")
    >>> of = kept.digest({"id": "1", "answer": "A"})
    >>> kept.put("1", of, {"parsed": 0})
    >>> kept.get("1", of), kept.get("1", kept.digest({"id": "1", "answer": "B"}))
    ({'parsed': 0}, None)
    """

    def __init__(self, policy: str = "", by: str = "") -> None:
        #: What the readings are by: the arguments.
        self.rules = policy, by
        self._by = f"{VERSION}\n{POLICY}\n{policy}\n{by}\n"
        #: The lines ``digest\nJSON`` of each sample. An answer that was judged has several: its
        #: findings with and without its judgements.
        self._places: dict[str, tuple[int, ...] | int] = {}
        self._lines = PackedLines()
        #: Gives the lines that a second process has read meanwhile; see `reading_in_two`.
        self.second: Callable[[str], bytes | None] | None = None

    def without(self, names: Iterable[str]) -> list[str]:
        """Those samples of which nothing is kept."""
        return [name for name in names if name not in self._places]

    def _of(self, sample_id: str) -> dict[str, bytes]:
        """What is kept of a sample: JSON by the digest of the record."""
        places = self._places.get(sample_id, ())
        kept = {}
        for place in (places,) if isinstance(places, int) else places:
            digest, _, found = self._lines[place].partition(b"\n")
            kept[digest.decode()] = found
        return kept

    def digest(self, record: Mapping[str, Any]) -> str | None:
        """The name of a record, read by these rules; None for one that JSON cannot hold."""
        if record.get("judgements", "") is None:  # as if there were no judge
            record = {key: value for key, value in record.items() if key != "judgements"}
        try:
            return content_digest(self._by, msgspec.json.encode(record, order="sorted"), size=_SIZE)
        except (TypeError, ValueError, OverflowError, RecursionError):
            return None

    def get(self, sample_id: str, digest: str | None) -> dict[str, Any] | None:
        """The findings about a record, in objects of their own; None where it was not read."""
        if self.second is not None and (line := self.second(sample_id)) is not None:
            self._keep(sample_id, line)
        kept = self._of(sample_id).get(digest or "")
        if kept is None:
            return None
        found: dict[str, Any] = msgspec.json.decode(kept)
        return found

    def put(self, sample_id: str, digest: str | None, found: Mapping[str, Any]) -> None:
        """Keep the findings about a record, as plain data (`to_jsonable`)."""
        if digest is not None:
            self._keep(sample_id, self.line(digest, found))

    @staticmethod
    def line(digest: str, found: Mapping[str, Any]) -> bytes:
        """The line of a reading, as it is kept."""
        return digest.encode() + b"\n" + msgspec.json.encode(found)

    def _keep(self, sample_id: str, line: bytes) -> None:
        place = self._lines.append(line)
        before = self._places.get(sample_id, ())
        before = (before,) if isinstance(before, int) else before
        name = sys.intern(sample_id)  # which the run has, too
        self._places[name] = (*before, place) if before else place

    def noted(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """A line of scores.jsonl that says how its answer was read, for `take`, and, if judged, by
        rule. It stays where nothing is kept, and where `metric_func` changed what `score_sample`
        found.
        """
        kept = self._of(str(line["id"])) if self._places else {}
        findings = {name: msgspec.json.decode(data) for name, data in kept.items()}
        own = [name for name, found in findings.items() if found.items() <= line.items()]
        about: dict[str, Any] = {}
        if own:
            about = {"digest": own[-1], "fields": list(findings.pop(own[-1]))}
        if line.get("judgements") and findings:
            about["by_rule"] = dict([findings.popitem()])
        return {**line, READING: {"policy": self.rules[0], **about}} if about else dict(line)

    def take(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Take the findings from lines that `noted` gave; what cannot be one is left out."""
        for line in lines:
            about = line.get(READING)
            if not isinstance(about, Mapping):
                continue
            by_rule = about.get("by_rule")
            for digest, found in by_rule.items() if isinstance(by_rule, Mapping) else ():
                if isinstance(found, Mapping):
                    self.put(str(line["id"]), digest, found)
            digest, fields = about.get("digest"), about.get("fields")
            if isinstance(digest, str) and isinstance(fields, list) and {*fields} <= line.keys():
                self.put(str(line["id"]), digest, {key: line[key] for key in fields})


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
