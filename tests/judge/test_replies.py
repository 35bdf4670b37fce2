"""Replies as judges write them, held against the verdicts that a person reads in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from chef.judge.stage import verdict_of
from chef.metric.judge_kind import JUDGE_KINDS
from chef.types import Generated

REPLIES = yaml.load(
    Path(__file__).with_name("replies.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
)
CASES = [(kind, case) for kind, cases in REPLIES.items() for case in cases]
RECORD = {"id": "s1", "question": "?", "options": ["square", "circle", "star", "line"]}
#: How the readings stand for the verdicts of the file.
READINGS: dict[str, dict[Any, Any]] = {
    "option": {"A": 0, "B": 1, "C": 2, "D": 3, "none": -1},
    "equivalence": {"yes": True, "no": False},
    "preference": {"A": 1.0, "B": 0.0, "tie": 0.5},
}


def read(kind: str, reply: str) -> Any:
    verdict = verdict_of(Generated(reply))
    return None if verdict is None else JUDGE_KINDS.get(kind)().read(verdict, RECORD, 0)


@pytest.mark.parametrize(("kind", "case"), CASES)
def test_a_reply_is_read_as_a_person_reads_it_or_not_at_all(kind: str, case: Any) -> None:
    means = case["means"]
    expected = means if means is None else READINGS.get(kind, {}).get(means, means)
    found = read(kind, case["reply"])
    assert found is None or found == expected, "rather unparsed than wrong"
    if case.get("asked"):
        assert found is not None


def test_the_cases_are_many_and_of_all_kinds() -> None:
    assert set(REPLIES) == {"option", "equivalence", "grade", "rating", "preference"}
    assert len(CASES) >= 80
    assert sum(bool(case.get("asked")) for _, case in CASES) >= 30
