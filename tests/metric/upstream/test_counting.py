"""Counts by ChEF's own rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS
from chef.reading.rules.chef_texts import first_number
from chef.types import Prediction

Counting = METRICS.get("Counting", compat="upstream")

Make = Callable[..., Prediction]
Values = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("No 5", 0),  # "no" is the number 0
        ("TWENTY birds", 20),
        ("Seven of 9", 7),
        ("5.", 0),
        ("x5 6", 6),
        ("twenty-one", 0),
        ("", 0),
    ],
)
def test_the_first_number_word_in_any_case(answer: str, number: int) -> None:
    assert first_number(answer).value == number


def test_errors_are_capped_by_the_true_count(make: Make, values: Values) -> None:
    said = [make("1", "Three", gt_answers=3), make("2", "50", gt_answers=4)]
    found = values(Counting(inference_type="direct"), *said)
    assert (found["MAE"], found["ACC"]) == (2, 50)


def test_the_thought_is_read_first(make: Make, values: Values) -> None:
    said = make("1", "4", CoT_answer="I see two and two. ", gt_answers=2)
    assert values(Counting(), said)["ACC"] == 100
