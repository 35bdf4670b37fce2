"""Sentences that six authors made by frames, with readings that are true by construction.

`frames/README.md` says what they are. What is marked as a pair is the same answer in another form
(an opening sentence, another order of the options, no full stop), and is to be read alike.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reading.test_fresh_answers import read, verdict

LINES = (Path(__file__).parent / "frames" / "sentences.jsonl").read_text("utf-8").splitlines()
CASES: list[dict[str, Any]] = list(map(json.loads, LINES))


@pytest.mark.parametrize(
    ("kind", "wrong", "unread"),
    # What was counted when the rules were last changed, in per cent, rounded up.
    [("options", 0.7, 6.5), ("yes_no", 0.2, 7.5), ("number", 0.5, 3.0), ("free", 1.1, 1.5)],
)
def test_sentences_of_frames_are_read(kind: str, wrong: float, unread: float) -> None:
    cases = [case for case in CASES if case["kind"] == kind]
    verdicts = {case["id"]: verdict(case) for case in cases}
    count = Counter(verdicts.values())
    misread = [name for name, value in verdicts.items() if value == "wrong"]
    assert 100 * count["wrong"] / len(cases) <= wrong, misread
    assert 100 * count["unread"] / len(cases) <= unread, count


def _said(case: dict[str, Any]) -> Any:
    """What is read, as text where it is an option."""
    value = read(case)
    return (
        case["options"][value].lower().rstrip(".") if case["kind"] == "options" and value else value
    )


def test_two_forms_of_an_answer_are_read_alike() -> None:
    ids = {case["id"]: case for case in CASES}
    pairs = [(case, ids[case["pair"]]) for case in CASES if case.get("pair", "") in ids]
    assert len(pairs) > 400
    differ = [one["id"] for one, two in pairs if _said(one) != _said(two)]
    assert len(differ) <= len(pairs) / 50, differ
