"""The result of a metric: its values, the coverage, one entry per sample; what it may return."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar

import msgspec

from chef.common.jsonable import to_jsonable
from chef.errors import RunError
from chef.metric.coverage import Coverage, CutAnswers, StoppedEarly
from chef.metric.groups import Group
from chef.metric.verdicts import JudgeSummary
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
        return {**fields, "samples": to_jsonable(list(self.samples))} if samples else fields

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


_SCORE = "metric_result"
_HINT = "return a number, or a dict of numbers by name such as {'ACC': 81.5}"


def values_and_findings(
    returned: Any, answers: Sequence[Mapping[str, Any]], where: str = ""
) -> tuple[Mapping[str, Any], dict[str, dict[str, Any]]]:
    """The values by name (one alone is ``score``), and what `metric_func` added to the answers, by
    id. ``before`` has copies from before the call, ``where`` the user's `metric_func`, for errors.
    Raises RunError for a tuple or a list that is no pair of values and answers, or without a
    number.

    >>> values_and_findings((0.5, [{"id": "1", "metric_result": 1}]), [{"id": "1"}])
    ({'score': 0.5}, {'1': {'metric_result': 1}})
    """
    if not isinstance(returned, tuple | list):
        return _named(returned, len(answers), where), {}
    if len(returned) != 2 or not _are_answers(returned[1], answers):
        raise RunError(
            f"metric_func returned a {type(returned).__name__} of {len(returned)} items",
            where=where or None,
            hint="return a value, a dict of values by name, or (result, answers), where answers is "
            "the list of dicts that it was given",
        )
    before = {str(answer["id"]): answer for answer in answers}
    return _named(returned[0], len(answers), where), {
        str(answer["id"]): _added(answer, before[str(answer["id"])]) for answer in returned[1]
    }


def marked(
    answers: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The ``metric_result`` that `metric_func` wrote into answers it did not return, by their ids.

    >>> marked([{"id": "1", "metric_result": True}, {"id": "2"}], [{"id": "1"}, {"id": "2"}])
    {'1': {'metric_result': True}}
    """
    scored = {str(answer["id"]) for answer in before if _SCORE in answer}
    return {
        str(answer["id"]): {_SCORE: to_jsonable(answer[_SCORE])}
        for answer in answers
        if _SCORE in answer and str(answer.get("id")) not in scored
    }


def flat(items: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The values of nested mappings, each with the names that lead to it.

    >>> list(flat({"Art": {"acc": 50.0}, "n": 2}))
    [('Art/acc', 50.0), ('n', 2)]
    """
    for key, item in items.items():
        if isinstance(item, Mapping):
            yield from flat(item, f"{prefix}{key}/")
        else:
            yield f"{prefix}{key}", item


def _named(result: Any, n: int, where: str) -> Mapping[str, Any]:
    """The values by name; raises RunError without a number, as a table of them would be empty."""
    named = result if isinstance(result, Mapping) else {"score": result}
    values = [item for _, item in flat(named)]
    if any(item is not None and as_estimate(item, n) is not None for item in values):
        return named
    # Of a single answer (`--dry-run`) a value may be undefined that is defined for a whole run.
    if n == 1 and isinstance(result, Mapping) and None in values:
        return named
    told = "an empty dict" if result == {} else f"no number: {_short(result)}"
    undefined = "; chef.Estimate(None, n) stands for a value that is undefined"
    raise RunError(
        f"metric_func returned {told}",
        where=where or None,
        hint=_HINT + (undefined if None in values else ""),
    )


def _short(item: Any) -> str:
    text = repr(item)
    return text if len(text) <= 80 else f"{text[:79]}…"


def _are_answers(given: Any, answers: Sequence[Mapping[str, Any]]) -> bool:
    known = {str(answer["id"]) for answer in answers}
    return isinstance(given, list | tuple) and all(
        isinstance(item, Mapping) and str(item.get("id")) in known for item in given
    )


def _added(answer: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    reserved = {"id", "status"}
    return {
        key: found
        for key, value in answer.items()
        if key not in reserved and (found := to_jsonable(value)) != to_jsonable(before.get(key))
    }


def estimates(named: Mapping[str, Any], n: int) -> tuple[dict[str, Estimate], dict[str, Any]]:
    """The metrics, and the values that are no numbers."""
    metrics: dict[str, Estimate] = {}
    details: dict[str, Any] = {}
    for name, item in flat(named):
        metric = as_estimate(item, n)
        if metric is not None:
            metrics[name] = metric
        else:
            details[name] = to_jsonable(item)
    return metrics, details
