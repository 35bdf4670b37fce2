"""How much of the reference does the answer get right?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.judge.kinds.numbers import number_within
from chef.judge.kinds.texts import compared_with_reference
from chef.judge.wordings import pool
from chef.metric.judge_kind import JudgeKind, Wording


class Grade(JudgeKind):
    """How much of the reference does an answer get right? The reading is a share in 0..1."""

    def wordings(self) -> Mapping[str, Wording]:
        return pool("grade")

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        return compared_with_reference(record)

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> float | None:
        return number_within(verdict, 0, 1)
