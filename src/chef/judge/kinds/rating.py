"""How good is the answer, from 1 to 10?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chef.judge.kinds.numbers import number_within
from chef.judge.kinds.texts import answer_of, question_of, references_text
from chef.judge.wordings import pool
from chef.metric.judge_kind import JudgeKind, Wording
from chef.metric.records import references_of

#: By what an answer is rated where the recipe has no rubric.
RUBRIC = """\
Helpfulness: it answers what was asked.
Accuracy: what it states is true, and agrees with the reference where there is one.
Completeness: nothing that matters is missing.
Clarity: it is easy to follow and no longer than needed."""


class Rating(JudgeKind):
    """How good is an answer by a rubric? The reading is a number in 1..10.

    A reference is shown where the sample has one.
    """

    takes_rubric = True

    def __init__(self, *, wording: str = "default", rubric: str | None = None) -> None:
        super().__init__(wording=wording, rubric=rubric)
        # It is the recipe's own text, which the judge shall follow; the others are data.
        asked = self.wording.prompt.replace("{rubric}", (rubric or RUBRIC).strip())
        self.wording = replace(self.wording, prompt=asked)

    def wordings(self) -> Mapping[str, Wording]:
        return pool("rating")

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        has_reference = bool(references_of(dict(record)))
        return {
            "question": question_of(record),
            "reference": references_text(record) if has_reference else "(there is no reference)",
            "answer": answer_of(record),
        }

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> float | None:
        return number_within(verdict, 1, 10)
