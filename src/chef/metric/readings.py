"""What a metric found about answers, kept so that each answer is read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from chef.common.digest import content_digest
from chef.common.version import VERSION
from chef.reading.text import POLICY

#: The key of a line of scores.jsonl that says how its answer was read.
READING = "reading"
#: Bytes of the digest of a record; an answer has one reading, so 8 are plenty.
_SIZE = 8


class Readings:
    """The findings of `Metric.score_sample` about answers, by sample and by the record they are of.

    A record that changes, by an edited journal, other references or a new judgement, is read again;
    so is every record by another metric, with other keys, by other rules of reading, and by another
    version of chef.

    Args:
        policy: the name of the metric's rules for reading texts; empty where it has none.
        by: what else decides what is found: the class of the metric and the values of its keys.

    >>> kept = Readings("rules-1", "VQA")
    >>> of = kept.digest({"id": "1", "answer": "A"})
    >>> kept.put("1", of, {"parsed": 0})
    >>> kept.get("1", of), kept.get("1", kept.digest({"id": "1", "answer": "B"}))
    ({'parsed': 0}, None)
    """

    def __init__(self, policy: str = "", by: str = "") -> None:
        self._policy = policy
        self._by = f"{VERSION}\n{POLICY}\n{policy}\n{by}\n"
        #: The digest of a record, and the findings as JSON: a tenth of what they take as objects.
        self._kept: dict[str, tuple[str, bytes]] = {}
        self._by_rule: dict[str, Any] = {}

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
        kept = self._kept.get(sample_id)
        if kept is None or kept[0] != digest:
            return None
        found: dict[str, Any] = msgspec.json.decode(kept[1])
        return found

    def put(self, sample_id: str, digest: str | None, found: Mapping[str, Any]) -> None:
        """Keep the findings about a record, as plain data (`to_jsonable`)."""
        if digest is not None:
            self._kept[sample_id] = digest, msgspec.json.encode(found)

    def by_rule(self, record: Mapping[str, Any], read: Callable[[], Any]) -> Any:
        """What the rule of the metric reads of a record, whatever judges say; read once."""
        digest = self.digest(record)
        if digest is None:
            return read()
        if digest not in self._by_rule:
            self._by_rule[digest] = read()
        return self._by_rule[digest]

    def noted(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """A line of scores.jsonl that says how its answer was read, so that `take` can take it.

        The line is as it was where nothing is kept of it, and where `metric_func` has changed what
        `score_sample` found.
        """
        kept = self._kept.get(str(line["id"]))
        found = {} if kept is None else msgspec.json.decode(kept[1])
        if kept is None or any(line.get(key) != value for key, value in found.items()):
            return dict(line)
        return {
            **line,
            READING: {"policy": self._policy, "digest": kept[0], "fields": list(found)},
        }

    def take(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Take the findings from lines that `noted` gave; what cannot be one is left out."""
        for line in lines:
            about = line.get(READING)
            if not isinstance(about, Mapping):
                continue
            digest, fields = about.get("digest"), about.get("fields")
            if isinstance(digest, str) and isinstance(fields, list) and {*fields} <= line.keys():
                self.put(str(line["id"]), digest, {key: line[key] for key in fields})
