"""Failed calls as VLMEvalKit scores them: their text is an answer, and wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from chef.common.judgements import Judging
from chef.metric.base import Metric
from chef.metric.report import Report
from chef.reading.rules.vlmevalkit import FAILED
from chef.types import Prediction, Status


class FailuresAreAnswers(Metric):
    """A mixin: the text that VLMEvalKit stores for a failed call is scored like any other answer.

    It is an error by chef's own rules, and lowers the coverage there. What fails in a run of chef
    stays an error here too: it is asked again, and VLMEvalKit has no text for it.
    """

    def evaluate(
        self,
        predictions: Iterable[Prediction],
        expected: int | None = None,
        groupings: Mapping[str, str] | None = None,
        judging: Judging | None = None,
    ) -> Report:
        return super().evaluate(map(_as_answer, predictions), expected, groupings, judging)


def _as_answer(prediction: Prediction) -> Prediction:
    message = str((prediction.error or {}).get("message", ""))
    if prediction.status != Status.ERROR or not message.startswith(FAILED):
        return prediction
    return replace(prediction, status=Status.OK, answer=message, error=None)
