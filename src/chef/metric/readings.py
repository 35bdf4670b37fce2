"""What a metric found about answers, kept so that each answer is read once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from chef.common.digest import content_digest
from chef.common.packed import PackedLines
from chef.common.version import VERSION
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
        self._policy = policy
        self._by = f"{VERSION}\n{POLICY}\n{policy}\n{by}\n"
        #: The lines ``digest\nJSON`` of each sample. An answer that was judged has several: its
        #: findings with and without its judgements.
        self._places: dict[str, tuple[int, ...] | int] = {}
        self._lines = PackedLines()

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
        kept = self._of(sample_id).get(digest or "")
        if kept is None:
            return None
        found: dict[str, Any] = msgspec.json.decode(kept)
        return found

    def put(self, sample_id: str, digest: str | None, found: Mapping[str, Any]) -> None:
        """Keep the findings about a record, as plain data (`to_jsonable`)."""
        if digest is not None:
            place = self._lines.append(digest.encode() + b"\n" + msgspec.json.encode(found))
            before = self._places.get(sample_id, ())
            before = (before,) if isinstance(before, int) else before
            self._places[sample_id] = (*before, place) if before else place

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
        return {**line, READING: {"policy": self._policy, **about}} if about else dict(line)

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
