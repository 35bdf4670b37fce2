"""The replies that the journal has of a sample, in the order in which its program asks for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.common.redaction import redact_data
from chef.common.text import encodable_data
from chef.inferencer.base import Answer
from chef.inferencer.decoding import STATUS
from chef.metric.records import turns_of
from chef.types import Generate, Generated, Prediction, Reply, Request, Scored, Status

#: What the journal has of how a sample was asked, and what it is called in notes.
_ASKED = {
    "query": "it is worded otherwise now",
    "CoT_query": "its chain of thought is asked for otherwise now",
    "ices": "other in-context examples are chosen now",
    "answer_prefix": "its answer begins otherwise now",
}
_FINISH = {status: reason for reason, status in STATUS.items()}


class Journaled:
    """The replies of one sample: its texts in order, and its scores of options in order.

    Args:
        prediction: the line of the journal.
    """

    def __init__(self, prediction: Prediction) -> None:
        self._texts: list[Generated] = []
        self._scored: list[tuple[Scored, ...]] = []
        trace, turns = prediction.trace, turns_of(prediction.scores)
        if "CoT_answer" in trace:
            cut = bool(trace.get("CoT_truncated"))
            self._texts.append(Generated(str(trace["CoT_answer"]), "length" if cut else "stop"))
        for turn in turns or [{**prediction.scores, "answer": prediction.answer}]:
            status = Status(turn.get("status", Status.OK if turns else prediction.status))
            if scored := _scored(turn):
                self._scored.append(scored)
            elif isinstance(turn.get("answer"), str):
                tokens = trace.get("tokens", 0) if len(turns) < 2 else 0
                reason = _FINISH.get(status, "stop")
                self._texts.append(Generated(turn["answer"], reason, tokens))  # type: ignore[arg-type]

    def to(self, request: Request) -> Reply | None:
        """The reply to the next request; None where the journal has none that answers it."""
        if isinstance(request, Generate):
            return self._texts.pop(0) if self._texts else None
        if not self._scored or len(self._scored[0]) != len(request.candidates):
            return None
        return self._scored.pop(0)

    def left(self) -> str:
        """Why replies are left that nothing asked for; empty if none are."""
        return "fewer requests are made now" if self._texts or self._scored else ""


def difference(answer: Answer, prediction: Prediction) -> str:
    """How what a program gives differs from what the journal has; empty if it is the same."""
    for key, what in _ASKED.items():
        if _as_journaled(answer.trace.get(key)) != prediction.trace.get(key):
            return what
    asked = [turn.get("question") for turn in turns_of(answer.scores)]
    if _as_journaled(asked) != [turn.get("question") for turn in turns_of(prediction.scores)]:
        return "its turns are worded otherwise now"
    if _as_journaled(answer.answer) != prediction.answer:
        return "the same replies give another answer now"
    return ""


def _as_journaled(data: Any) -> Any:
    """Data as a line of the journal holds it."""
    return redact_data(encodable_data(to_jsonable(data)))


def _scored(record: Mapping[str, Any]) -> tuple[Scored, ...]:
    """The scores of options; empty where none were scored.

    The journal of ChEF's own rules has None for what is not finite.
    """
    tokens, means = record.get("option_tokens"), record.get("ppl_results")
    if not isinstance(tokens, list) or not isinstance(means, list) or len(means) != len(tokens):
        return ()
    numbers = [math.nan if mean is None else mean for mean in means]
    sums = record.get("logprob_sums") or [
        mean * count for mean, count in zip(numbers, tokens, strict=True)
    ]
    return tuple(Scored(total, count) for total, count in zip(sums, tokens, strict=True))
