"""Is the answer equivalent to the reference?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.common.options import yes_or_no
from chef.judge.kinds.texts import compared_with_reference
from chef.judge.wordings import pool
from chef.metric.judge_kind import JudgeKind, Wording


class Equivalence(JudgeKind):
    """Is an answer equivalent to the reference? The reading is true or false.

    One of several references is enough.
    """

    def wordings(self) -> Mapping[str, Wording]:
        return pool("equivalence")

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        return compared_with_reference(record)

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> bool | None:
        word = yes_or_no(verdict)
        return None if word is None else word == "Yes"
