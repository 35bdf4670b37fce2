"""How many of the samples of a run are scored, and what became of the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from chef.types import Status


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the samples the metrics are based on.

    ``total = scored + errors + no_truth + unjudged + missing``. The other counts are parts of
    ``scored`` and may overlap: a refusal is usually unparsed too.

    Attributes:
        total: samples that the run should have.
        scored: samples with an answer, including truncated, refused and unparsed ones.
        errors: samples that failed, in the run or in the metric; they are never scored as wrong.
        truncated: answers cut by the token limit.
        refused: samples that the model declined to answer.
        unparsed: answers that could not be read; they count as not correct.
        no_truth: answers to samples without a known reference; they are kept but not scored.
        unjudged: answers that lack the judgement they need (the judge failed, could not be read,
            or was not asked yet); they are never scored by a rule instead.
        skipped: answers that needed no judge, as another answer of their group is wrong.
    """

    total: int
    scored: int
    errors: int = 0
    truncated: int = 0
    refused: int = 0
    unparsed: int = 0
    no_truth: int = 0
    unjudged: int = 0
    skipped: int = 0

    @classmethod
    def count(cls, samples: Iterable[Mapping[str, Any]], expected: int | None = None) -> Coverage:
        """Count the entries of a report; of ``expected`` samples the rest are missing."""
        entries = list(samples)
        failed = sum(entry["status"] == Status.ERROR for entry in entries)
        no_truth = sum("no_truth" in entry for entry in entries)
        scored = [entry for entry in entries if is_scored(entry)]

        def having(status: Status) -> int:
            return sum(entry["status"] == status for entry in scored)

        return cls(
            total=max(len(entries), expected or 0),
            scored=len(scored),
            errors=failed,
            truncated=having(Status.TRUNCATED),
            refused=having(Status.REFUSED),
            unparsed=sum(is_unparsed(entry) for entry in scored),
            no_truth=no_truth,
            unjudged=sum("unjudged" in entry for entry in entries),
            skipped=sum("skipped" in entry for entry in scored),
        )

    @classmethod
    def from_json(cls, data: Any) -> Coverage:
        """Read what `to_json` gave; earlier versions lack the counts that came later.

        Raises:
            ValueError: a count is missing, or is no whole number.
        """
        return msgspec.convert(data, cls)

    @property
    def missing(self) -> int:
        """Samples without an entry: they were not asked."""
        return self.total - self.scored - self.errors - self.no_truth - self.unjudged

    @property
    def coverage(self) -> float:
        """``scored / total``, in 0..1; 0 if there are none.

        >>> Coverage(total=10, scored=9, errors=1).coverage
        0.9
        """
        return self.scored / self.total if self.total else 0.0

    @property
    def unparsed_rate(self) -> float:
        """``unparsed / scored``, in 0..1; 0 if there are none."""
        return self.unparsed / self.scored if self.scored else 0.0

    def to_json(self) -> dict[str, Any]:
        """The counts and the shares derived from them, as plain data."""
        derived = {"missing": self.missing, "coverage": self.coverage}
        return {**asdict(self), **derived, "unparsed_rate": self.unparsed_rate}


def is_scored(entry: Mapping[str, Any]) -> bool:
    """Whether the figures of a metric are based on the sample of this entry, too."""
    return entry["status"] != Status.ERROR and not {"no_truth", "unjudged"} & entry.keys()


def is_unparsed(entry: Mapping[str, Any]) -> bool:
    """Whether the answer of a scored sample could not be read."""
    if "parsed" in entry:
        return entry["parsed"] is None
    return bool(entry["status"] == Status.UNPARSED)
