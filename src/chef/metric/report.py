"""The result of a metric: its values, the coverage, and one entry per sample."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from numbers import Real
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.metric.estimate import Estimate
from chef.types import Status


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the samples the metrics are based on.

    ``total = scored + errors + no_truth + missing``. The other counts are parts of ``scored``
    and may overlap: a refusal is usually unparsed too.

    Attributes:
        total: samples that the run should have.
        scored: samples with an answer, including truncated, refused and unparsed ones.
        errors: samples that failed, in the run or in the metric; they are never scored as wrong.
        truncated: answers cut by the token limit.
        refused: samples that the model declined to answer.
        unparsed: answers that could not be read; they count as not correct.
        no_truth: answers to samples without a known reference; they are kept but not scored.
    """

    total: int
    scored: int
    errors: int = 0
    truncated: int = 0
    refused: int = 0
    unparsed: int = 0
    no_truth: int = 0

    @classmethod
    def count(cls, samples: Iterable[Mapping[str, Any]], expected: int | None = None) -> Coverage:
        """Count the entries of a report; of ``expected`` samples the rest are missing."""
        entries = list(samples)
        failed = sum(entry["status"] == Status.ERROR for entry in entries)
        no_truth = sum("no_truth" in entry for entry in entries)
        scored = [
            entry
            for entry in entries
            if entry["status"] != Status.ERROR and "no_truth" not in entry
        ]

        def having(status: Status) -> int:
            return sum(entry["status"] == status for entry in scored)

        return cls(
            total=max(len(entries), expected or 0),
            scored=len(scored),
            errors=failed,
            truncated=having(Status.TRUNCATED),
            refused=having(Status.REFUSED),
            unparsed=sum(_unparsed(entry) for entry in scored),
            no_truth=no_truth,
        )

    @property
    def missing(self) -> int:
        """Samples without an entry: they were not asked."""
        return self.total - self.scored - self.errors - self.no_truth

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


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one metric over one run.

    Attributes:
        metrics: estimates by name, in the order in which the metric returned them.
        coverage: the samples that they are based on.
        samples: one entry per sample, sorted by id: ``id, status``, and the findings of
            `score_sample` (``metric_result, parsed, evidence``, ...) or ``error``.
        primary: the key of the headline metric in ``metrics``.
        details: results that are not single numbers (the name of the policy, bins, ...).
    """

    metrics: dict[str, Estimate]
    coverage: Coverage
    samples: list[dict[str, Any]]
    primary: str
    details: dict[str, Any] = field(default_factory=dict)

    def to_json(self, *, samples: bool = False) -> dict[str, Any]:
        """The report as JSON data; with ``samples=True`` it includes the entries of the samples."""
        data: dict[str, Any] = {
            "primary": self.primary,
            "metrics": {name: item.to_json() for name, item in self.metrics.items()},
            "coverage": self.coverage.to_json(),
            "details": to_jsonable(self.details),
        }
        return {**data, "samples": to_jsonable(self.samples)} if samples else data


def as_estimate(item: Any, n: int) -> Estimate | None:
    """Convert a value that a metric returned to an estimate; None if it is not a number.

    >>> as_estimate(81.2, n=5)
    Estimate(value=81.2, n=5, stderr=None, low=None, high=None, unit='', method='none', \
higher_is_better=True)
    """
    if isinstance(item, Estimate):
        return item
    if item is None:
        return Estimate(None, n)
    if isinstance(item, Real) or (hasattr(item, "item") and getattr(item, "ndim", None) == 0):
        value = float(item)
        return Estimate(value if math.isfinite(value) else None, n)
    return None


def _unparsed(entry: Mapping[str, Any]) -> bool:
    if "parsed" in entry:
        return entry["parsed"] is None
    return bool(entry["status"] == Status.UNPARSED)
