"""Answers that were new when the rules were written; `fresh/README.md` says what they are."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from chef.metric.vqa.accuracy import Accuracy
from chef.metric.vqa.yesno import YesNo
from chef.reading.numbers import extract_number

FOLDER = Path(__file__).parent / "fresh"


def read(case: dict[str, Any]) -> Any:
    """What chef reads: as ``reading`` of the file."""
    record = {"id": case["id"], "question": case["question"], "answer": case["answer"]}
    if case["kind"] == "number":
        return extract_number(case["answer"], case["question"]).value
    if case["kind"] == "yes_no":
        return YesNo("").score_sample({**record, "gt_answers": "yes"})["parsed"]
    if case["kind"] == "free":
        found = Accuracy("").score_sample({**record, "gt_answers": case["references"]})
        is_right = None if found["parsed"] is None else bool(found["metric_result"])
        # An answer that commits to nothing and is not right is read well enough.
        return None if case["reading"] is None and not is_right else is_right
    keys = list(case["options"])
    shown = {"options": [f"({key})" for key in keys], "labels": keys, "gt_choice": 0}
    texts = list(case["options"].values())
    place = Accuracy("").score_sample({**record, **shown, "choices": texts})["parsed"]
    return None if place is None else keys[place]


def verdict(case: dict[str, Any]) -> str:
    """``right``, ``wrong`` or ``unread``."""
    found, meant = read(case), case["reading"]
    if case["kind"] == "number" and None not in (found, meant):
        return "right" if math.isclose(found, meant, abs_tol=1e-9) else "wrong"
    return "right" if found == meant else "unread" if found is None else "wrong"


@pytest.mark.parametrize(
    ("file", "kind", "right", "wrong"),
    # What was measured when the file was new, or when the rules were last changed.
    [
        ("answers", "options", 155, 0),
        ("answers", "yes_no", 86, 1),
        ("answers", "number", 78, 0),
        ("answers", "free", 66, 4),
        ("answers_2", "options", 39, 1),
        ("answers_2", "yes_no", 28, 0),
        ("answers_2", "number", 28, 0),
        ("answers_2", "free", 21, 1),
        ("answers_3", "options", 89, 0),
        ("answers_3", "yes_no", 57, 0),
        ("answers_3", "number", 46, 2),
        ("answers_3", "free", 38, 2),
        ("answers_4", "options", 105, 0),
        ("answers_4", "yes_no", 72, 0),
        ("answers_4", "number", 60, 0),
        ("answers_4", "free", 60, 0),
        ("answers_5", "options", 105, 1),
        ("answers_5", "yes_no", 71, 0),
        ("answers_5", "number", 60, 0),
        ("answers_5", "free", 60, 0),
        ("answers_6", "options", 107, 1),
        ("answers_6", "yes_no", 71, 0),
        ("answers_6", "number", 60, 0),
        ("answers_6", "free", 60, 0),
        ("answers_7", "options", 128, 0),
        ("answers_7", "yes_no", 81, 1),
        ("answers_7", "number", 71, 1),
        ("answers_7", "free", 71, 1),
        ("answers_8", "options", 76, 2),
        ("answers_8", "yes_no", 55, 0),
        ("answers_8", "number", 113, 2),
        ("answers_8", "free", 71, 9),
        ("answers_9", "options", 135, 2),
        ("answers_9", "yes_no", 82, 2),
        ("answers_9", "number", 73, 5),
        ("answers_9", "free", 76, 4),
        ("answers_10", "options", 103, 1),
        ("answers_10", "yes_no", 67, 1),
        ("answers_10", "number", 60, 0),
        ("answers_10", "free", 56, 4),
        ("answers_11", "options", 89, 0),
        ("answers_11", "yes_no", 58, 1),
        ("answers_11", "number", 50, 0),
        ("answers_11", "free", 49, 0),
        ("answers_12", "options", 77, 2),
        ("answers_12", "yes_no", 44, 0),
        ("answers_12", "number", 49, 1),
        ("answers_12", "free", 44, 6),
        ("answers_13", "options", 69, 4),
        ("answers_13", "yes_no", 55, 0),
        ("answers_13", "number", 44, 1),
        ("answers_13", "free", 44, 1),
        ("answers_14", "options", 71, 3),
        ("answers_14", "yes_no", 43, 2),
        ("answers_14", "number", 48, 2),
        ("answers_14", "free", 33, 6),
        ("answers_15", "options", 127, 0),
        ("answers_15", "yes_no", 70, 0),
        ("answers_15", "number", 60, 0),
        ("answers_15", "free", 60, 0),
        ("answers_16", "options", 100, 0),
        ("answers_16", "yes_no", 59, 0),
        ("answers_16", "number", 50, 0),
        ("answers_16", "free", 43, 2),
        ("answers_17", "options", 59, 0),
        ("answers_17", "yes_no", 35, 0),
        ("answers_17", "number", 29, 1),
        ("answers_17", "free", 25, 0),
        ("answers_18", "options", 97, 0),
        ("answers_18", "yes_no", 60, 2),
        ("answers_18", "number", 62, 2),
        ("answers_18", "free", 52, 5),
        ("answers_19", "options", 84, 6),
        ("answers_19", "yes_no", 59, 0),
        ("answers_19", "number", 56, 2),
        ("answers_19", "free", 55, 5),
        ("answers_20", "options", 146, 3),
        ("answers_20", "yes_no", 87, 1),
        ("answers_20", "number", 78, 2),
        ("answers_20", "free", 77, 3),
        ("answers_21", "options", 86, 3),
        ("answers_21", "yes_no", 51, 1),
        ("answers_21", "number", 47, 0),
        ("answers_21", "free", 47, 1),
        ("answers_22", "options", 74, 0),
        ("answers_22", "yes_no", 44, 1),
        ("answers_22", "number", 40, 0),
        # What says another thing than a sentence is unread, as what says it in other words.
        ("answers_22", "free", 37, 2),
        ("answers_23", "options", 132, 1),
        ("answers_23", "yes_no", 73, 0),
        ("answers_23", "number", 77, 1),
        ("answers_23", "free", 68, 8),
        ("answers_24", "options", 67, 3),
        ("answers_24", "yes_no", 43, 0),
        ("answers_24", "number", 47, 0),
        ("answers_24", "free", 36, 11),
        ("answers_25", "options", 100, 0),
        ("answers_25", "yes_no", 67, 0),
        ("answers_25", "number", 60, 0),
        ("answers_25", "free", 52, 4),
        ("answers_26", "options", 73, 0),
        ("answers_26", "yes_no", 41, 1),
        ("answers_26", "number", 40, 0),
        ("answers_26", "free", 38, 2),
        ("answers_27", "options", 98, 2),
        ("answers_27", "yes_no", 61, 1),
        ("answers_27", "number", 60, 0),
        ("answers_27", "free", 50, 10),
        ("answers_28", "options", 70, 5),
        ("answers_28", "yes_no", 49, 0),
        ("answers_28", "number", 58, 1),
        ("answers_28", "free", 45, 14),
        ("answers_29", "options", 99, 1),
        ("answers_29", "yes_no", 62, 0),
        ("answers_29", "number", 58, 1),
        ("answers_29", "free", 56, 4),
        ("answers_30", "number", 56, 2),
        ("answers_30", "yes_no", 48, 2),
        ("answers_30", "options", 75, 1),
        ("answers_30", "free", 37, 18),
        ("predicates", "yes_no", 216, 0),
    ],
)
def test_fresh_answers_are_read_as_well_as_at_first_sight(
    file: str, kind: str, right: int, wrong: int
) -> None:
    lines = (FOLDER / f"{file}.jsonl").read_text("utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["kind"] == kind]
    counts = Counter(map(verdict, cases))
    assert counts["right"] >= right, counts
    assert counts["wrong"] <= wrong, counts
