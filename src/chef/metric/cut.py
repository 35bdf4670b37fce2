"""Answers that the limit of new tokens has cut, and the score among the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from chef.document.numbers import interval, quantity
from chef.metric.coverage import is_scored
from chef.stats.estimate import Estimate
from chef.types import Prediction, Status

Record: TypeAlias = Mapping[str, Any]
#: The share of cut answers above which a result begins with them.
MANY = 0.05
#: The keys that limit answers, and the chains of thought before them.
_ANSWERS = "eval_cfg.inferencer_cfg.max_new_tokens"
_THOUGHTS = "eval_cfg.inferencer_cfg.cot_max_new_tokens"


@dataclass(frozen=True, slots=True)
class CutAnswers:
    """How many answers the limit of new tokens has cut, as far as the model told.

    Attributes:
        samples: scored samples of which the answer or the chain of thought before it was cut.
        thoughts: those of them of which the chain of thought was.
        scored: all scored samples.
        figure: the key of the main figure; empty where there is none.
        others: that figure of the other samples; None where there are none. What is scored as one
            (the rotations of a question) is left out as a whole.
    """

    samples: int
    thoughts: int
    scored: int
    figure: str = ""
    others: Estimate | None = None

    @property
    def share(self) -> float:
        """``samples / scored``, in 0..1."""
        return self.samples / self.scored

    def warning(self, *, of_run: bool) -> str:
        """The line with which a result begins where many answers are cut; empty where few are.

        Args:
            of_run: whether a run can set the limit; False for answers from elsewhere.
        """
        if self.share <= MANY:
            return ""
        text = f"{100 * self.share:.1f}% of the answers were cut by the limit of new tokens"
        if not of_run:
            return f"{text}."
        answers = self.samples - self.thoughts
        keys = [key for key, count in ((_THOUGHTS, self.thoughts), (_ANSWERS, answers)) if count]
        return f"{text}: raise it with {' '.join(f'{key}=N' for key in keys)}"

    @property
    def why(self) -> str:
        """What was cut, and the score among the others, as one sentence."""
        what = " (thoughts)" if self.thoughts == self.samples else ""
        text = f"{self.samples} of {self.scored} answers{what} were cut by the limit of new tokens"
        if self.others is None:
            return f"{text}."
        shown = f"{quantity(self.others)} {interval(self.others)}".strip()
        return f"{text}; {self.figure} among the others: {shown}, n={self.others.n}."

    def to_json(self) -> dict[str, Any]:
        """The fields and the share, as plain data."""
        others = None if self.others is None else self.others.to_json()
        counts = {"samples": self.samples, "thoughts": self.thoughts, "scored": self.scored}
        return {**counts, "share": self.share, "figure": self.figure, "others": others}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CutAnswers:
        """Of what `to_json` gave.

        Raises:
            KeyError, ValueError: a field is missing, or is none.
        """
        counts = {key: data[key] for key in cls.__dataclass_fields__ if key != "others"}
        others = data["others"]
        return msgspec.convert(
            {**counts, "others": None if others is None else Estimate.from_json(others)}, cls
        )


def is_cut(prediction: Prediction) -> bool:
    """Whether the limit of new tokens cut an answer, or the chain of thought before it."""
    return prediction.status is Status.TRUNCATED or bool(prediction.trace.get("CoT_truncated"))


def cut_answers(
    answers: Mapping[str, Record],
    entries: Iterable[Record],
    predictions: Mapping[str, Prediction],
    unit: Callable[[dict[str, Any]], str],
    values: Callable[[list[dict[str, Any]]], Mapping[str, Estimate]],
) -> Callable[[str], CutAnswers | None]:
    """What was cut, before a metric aggregates the answers (which may change the records).

    Args:
        answers: what the metric aggregates, by sample id.
        entries: of the samples in the report.
        predictions: by sample id.
        unit: what is scored as one with a record.
        values: computes the figures of some answers.

    Returns:
        A function of the key of the main figure; it gives None where no answer is known to be cut.
    """
    scored = [entry for entry in entries if is_scored(entry)]
    names = [str(entry["id"]) for entry in scored]
    thoughts = {name for name in names if predictions[name].trace.get("CoT_truncated")}
    replies = {str(entry["id"]) for entry in scored if entry["status"] == Status.TRUNCATED}
    if not (cut := thoughts | replies):
        return lambda _: None
    records = {name: {"id": name, **predictions[name].sample} for name in answers}
    units = {unit(records[name]) for name in cut if name in records}
    rest = [dict(item) for name, item in answers.items() if unit(records[name]) not in units]

    def among_others(figure: str) -> CutAnswers:
        found = _figure(rest, figure, values)
        return CutAnswers(len(cut), len(thoughts), len(scored), figure, found)

    return among_others


def _figure(
    answers: Sequence[dict[str, Any]],
    figure: str,
    values: Callable[[list[dict[str, Any]]], Mapping[str, Estimate]],
) -> Estimate | None:
    """A figure of some answers; None where it has no value."""
    try:
        found = values([*answers]).get(figure) if answers and figure else None
    except Exception:  # the whole run has its values; the rest may be too little for the metric
        return None
    return None if found is None or found.value is None else found
