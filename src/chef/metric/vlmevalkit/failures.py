"""What VLMEvalKit makes of failed calls, and of answers whose judge cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chef.common.judgements import JudgementStatus
from chef.metric.base import Metric
from chef.metric.records import answer_text, scored_entry
from chef.reading.rules.vlmevalkit import FAILED
from chef.reading.text import Reading
from chef.types import Prediction, Status

Record = dict[str, Any]


class FailuresAreAnswers(Metric):
    """A mixin: the text that VLMEvalKit stores for a failed call is scored like any other answer.

    It is an error by chef's own rules, and lowers the coverage there. What fails in a run of chef
    stays an error here too: it is asked again, and VLMEvalKit has no text for it.
    """

    def answers_of_run(self, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
        return super().answers_of_run([_as_answer(one) for one in predictions])


def _as_answer(prediction: Prediction) -> Prediction:
    message = str((prediction.error or {}).get("message", ""))
    if prediction.status != Status.ERROR or not message.startswith(FAILED):
        return prediction
    return replace(prediction, status=Status.OK, answer=message, error=None)


def gave_up(record: Record) -> bool:
    """Whether judges were asked as often as they are, and no reply can be read.

    It is False where a request failed: the same command asks again.
    """
    given = record.get("judgements") or ()
    return bool(given) and all(item["status"] == JudgementStatus.UNPARSED for item in given)


def unjudged(record: Record) -> Record:
    """The record as it is where no judge was asked, so that only the rules read it."""
    return {**record, "judgements": None}


def is_failed_call(record: Record) -> bool:
    """Whether the answer is the text that VLMEvalKit stores for a failed call."""
    return FAILED in answer_text(record)


class UnreadIsWrong(FailuresAreAnswers):
    """A mixin for metrics without a rule: without a reading of a judge, an answer is worth 0."""

    def judge_kind(self, record: Record) -> str | None:
        """None for the text of a failed call."""
        return None if is_failed_call(record) else super().judge_kind(record)

    def score_sample(self, record: Record) -> Record:
        """0 where no reply of a judge can be read, and for the text of a failed call."""
        if gave_up(record) or is_failed_call(record):
            return scored_entry(Reading(None, "none"), right=False)
        return super().score_sample(record)
