"""Which of two answers is better?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.judge.kinds.texts import answer_of, question_of
from chef.judge.wordings import pool
from chef.metric.judge_kind import JudgeKind, Wording
from chef.metric.records import required_references


class Preference(JudgeKind):
    """Which of two answers is better? The reading is 1 for the judged one, 0.5 for a tie, else 0.

    The other one is the answer of another run (``against``), or the first reference. Both orders
    are asked, because judges tend to prefer the first answer; where the two contradict each other,
    their mean is that of a tie.
    """

    orders = 2
    compares = True

    def wordings(self) -> Mapping[str, Wording]:
        return pool("preference")

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        own = answer_of(record)
        if "other_answer" in record:
            other = answer_of(record, "other_answer")
        else:
            other = required_references(dict(record))[0]
        first, second = (own, other) if order == 0 else (other, own)
        return {"question": question_of(record), "answer_a": first, "answer_b": second}

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> float | None:
        places = {"a": 1.0, "b": 0.0, "tie": 0.5}
        found = places.get(verdict.lower())
        return found if found is None or order == 0 else 1.0 - found
