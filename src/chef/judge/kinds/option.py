"""Which option does the answer mean?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.judge.kinds.texts import answer_of, options_of, question_of
from chef.judge.wordings import pool
from chef.metric.judge_kind import JudgeKind, Wording


class Option(JudgeKind):
    """The reading is the index of the option, or -1 where the answer means none of them."""

    def wordings(self) -> Mapping[str, Wording]:
        return pool("option")

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        listed = "\n".join(f"{label}. {text}" for label, text in options_of(record).items())
        return {"question": question_of(record), "options": listed, "answer": answer_of(record)}

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> int | None:
        if verdict.lower() == "none":
            return -1
        labels = list(options_of(record))
        return labels.index(verdict.upper()) if verdict.upper() in labels else None
