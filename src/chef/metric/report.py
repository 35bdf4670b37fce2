"""The result of a metric: its values, the coverage, and one entry per sample."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.metric.coverage import Coverage
from chef.metric.groups import Groups
from chef.metric.judge_summary import JudgeSummary
from chef.metric.stopped import StoppedEarly
from chef.stats.estimate import Estimate


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
        chance_for: the keys of ``metrics`` that the score of random guessing belongs to.
        chance: what guessing scores on these samples, in 0..1, where some have several right
            options, which a scenario's own number does not know; None where none has.
        by: the groups of each field by which samples were grouped, by value; see `Group`.
        left_out: for a field with too many values, how many groups are not in ``by``.
        judge: who judged, and how many answers; None where no judge had a part in the figures.
        stopped: what ended the run before the whole benchmark was asked; None where nothing did.
    """

    metrics: dict[str, Estimate]
    coverage: Coverage
    samples: list[dict[str, Any]]
    primary: str
    details: dict[str, Any] = field(default_factory=dict)
    chance_for: Sequence[str] = ()
    chance: float | None = None
    by: Mapping[str, Groups] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    judge: JudgeSummary | None = None
    stopped: StoppedEarly | None = None

    def to_json(self, *, samples: bool = False) -> dict[str, Any]:
        """The report as JSON data; with ``samples=True`` it includes the entries of the samples."""
        data: dict[str, Any] = {
            "primary": self.primary,
            "chance_for": list(self.chance_for),
            "metrics": {name: item.to_json() for name, item in self.metrics.items()},
            "coverage": self.coverage.to_json(),
            "details": to_jsonable(self.details),
        }
        if self.judge:
            data["judge"] = self.judge.to_json()
        if self.stopped:
            data["stopped_early"] = self.stopped.to_json()
        if self.by:
            data["by"] = {
                field: {name: group.to_json() for name, group in groups.items()}
                for field, groups in self.by.items()
            }
        if self.left_out:
            data["by_left_out"] = dict(self.left_out)
        return {**data, "samples": to_jsonable(self.samples)} if samples else data


def as_estimate(item: Any, n: int) -> Estimate | None:
    """Convert a value that a metric returned to an estimate; None if it is not a number.

    >>> as_estimate(81.2, n=5)
    Estimate(value=81.2, n=5, stderr=None, low=None, high=None, unit='', method='none', \
higher_is_better=True, clusters=None, effective_n=None)
    """
    if isinstance(item, Estimate):
        return item
    if item is None:
        return Estimate(None, n)
    if isinstance(item, Real) or (hasattr(item, "item") and getattr(item, "ndim", None) == 0):
        value = float(item)
        return Estimate(value if math.isfinite(value) else None, n)
    return None
