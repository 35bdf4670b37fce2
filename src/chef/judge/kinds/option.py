"""Which option does the answer mean?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from chef.judge.kinds.texts import answer_of, options_of, question_of
from chef.judge.wordings import pool
from chef.metric.judge_kind import JudgeKind, Wording

#: A letter as options are often written: ``(B)``, ``B)``, ``B.``.
_DECORATED = re.compile(r"^\(?([A-Za-z]{1,2})[.)]$")


class Option(JudgeKind):
    """Which option does an answer mean? The reading is its index, or -1 where it means none."""

    when = "unread"

    def wordings(self) -> Mapping[str, Wording]:
        return pool("option")

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        listed = "\n".join(f"{label}. {text}" for label, text in options_of(record).items())
        return {"question": question_of(record), "options": listed, "answer": answer_of(record)}

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> int | None:
        said = _DECORATED.sub(r"\1", verdict).upper()
        labels = list(options_of(record))
        if said in labels:
            return labels.index(said)
        return -1 if said == "NONE" else None
