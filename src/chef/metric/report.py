"""The result of a metric: its values, the coverage, and one entry per sample."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar

import msgspec

from chef.common.jsonable import to_jsonable
from chef.metric.coverage import Coverage
from chef.metric.cut import CutAnswers
from chef.metric.groups import Group
from chef.metric.judge_summary import JudgeSummary
from chef.metric.stopped import StoppedEarly
from chef.stats.estimate import Estimate


class Report(msgspec.Struct, frozen=True):
    """The result of one metric over one run.

    Attributes:
        metrics: estimates by name, in the order in which the metric returned them.
        coverage: the samples that they are based on.
        samples: one entry per sample, sorted by id: ``id, status``, and the findings of
            `score_sample` (``metric_result, parsed, evidence``, ...) or ``error``.
        primary: the key of the headline metric in ``metrics``.
        details: results that are not single numbers (the name of the policy, bins, ...).
        chance_for: the keys of ``metrics`` that the score of random guessing belongs to.
        scored_chance: what guessing scores on these samples, in 0..1, where some have several
            right options, which a scenario's own number does not know; None where none has.
        by: the groups of each field by which samples were grouped, by value; see `Group`.
        left_out: for a field with too many values, how many groups are not in ``by``.
        judge: who judged, and how many answers; None where no judge had a part in the figures.
        stopped: what ended the run before the whole benchmark was asked; None where nothing did.
        cut: the answers that the limit of new tokens cut; None where none is known to be.
    """

    metrics: Mapping[str, Estimate]
    coverage: Coverage
    samples: Sequence[Mapping[str, Any]]
    primary: str
    details: Mapping[str, Any] = {}
    chance_for: tuple[str, ...] = ()
    scored_chance: float | None = None
    by: Mapping[str, Mapping[str, Group]] = {}
    left_out: Mapping[str, int] = msgspec.field(default_factory=dict, name="by_left_out")
    judge: JudgeSummary | None = None
    stopped: StoppedEarly | None = msgspec.field(default=None, name="stopped_early")
    cut: CutAnswers | None = None

    #: Fields that stand in other files than results.json, and those that stand there also if empty.
    elsewhere: ClassVar[frozenset[str]] = frozenset({"samples", "scored_chance"})
    always: ClassVar[frozenset[str]] = frozenset({"details", "chance_for"})

    def to_json(self, *, samples: bool = False) -> dict[str, Any]:
        """The report as JSON data; with ``samples=True`` it includes the entries of the samples.

        Fields that are empty are left out, but for those in `always`.
        """
        fields = {
            field.encode_name: _plain(getattr(self, field.name))
            for field in msgspec.structs.fields(self)
            if field.name not in self.elsewhere
            and (field.name in self.always or field.required or not self._is_empty(field.name))
        }
        return {**fields, "samples": to_jsonable(self.samples)} if samples else fields

    def _is_empty(self, name: str) -> bool:
        item = getattr(self, name)
        return item is None or (isinstance(item, Mapping | Sequence) and not item)


def _plain(item: Any) -> Any:
    """Data that JSON holds, of what has a form of its own there and of everything else."""
    if hasattr(item, "to_json"):
        return item.to_json()
    if isinstance(item, Mapping):
        return {str(key): _plain(value) for key, value in item.items()}
    return to_jsonable(item)


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
