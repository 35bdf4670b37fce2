"""What does the answer come to, in the short form that was asked for?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.judge.kinds.texts import answer_of, question_of
from chef.judge.wordings import pool
from chef.metric.judge_kind import JudgeKind, Wording
from chef.metric.records import names

#: What a judge says of an answer that comes to nothing.
NOTHING = "none"


class Extracted(JudgeKind):
    """What does an answer come to? The reading is a short text; empty where it comes to nothing.

    The judge does not see the reference. It is told what is asked for: the field ``answer_form`` of
    the sample, such as "a whole number".
    """

    def wordings(self) -> Mapping[str, Wording]:
        return pool("extraction")

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        listed = "\n".join(names(dict(record), "choices"))
        question = question_of(record)
        return {
            "question": f"{question}\n{listed}" if listed and listed not in question else question,
            "asked_for": str(record.get("answer_form") or "a short answer"),
            "answer": answer_of(record),
        }

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> str | None:
        return "" if verdict.casefold() == NOTHING else verdict
