"""MMBench by ChEF's own rules, in a subset that breaks its groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS
from chef.types import Prediction

MMBenchCalibration = METRICS.get("MMBench_Calibration", compat="upstream")
MMBenchVQA = METRICS.get("MMBenchVQA", compat="upstream")
VQACalibration = METRICS.get("ScienceQA_Calibration", compat="upstream")

Make = Callable[..., Prediction]
Values = Callable[..., dict[str, Any]]
FIELDS = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}


@pytest.fixture
def subset(make: Make) -> list[Prediction]:
    rows = {
        "1": ("B", 0.5),  # by its letter
        "1000001": ("?", 0.5),  # not read
        "2": ("a dog", 0.8),  # by its text
        "1000003": ("B", 0.9),  # right, but its main row is not there
        "2000003": ("A", 0.5),
        "1000004": ("a cat", 0.6),  # wrong
    }
    answers = [make(name, text, **FIELDS) for name, (text, _) in rows.items()]
    for answer, (_, prob) in zip(answers, rows.values(), strict=True):
        answer.scores["prob"] = prob
    return answers


def test_matches_are_counted_in_questions_with_a_main_row(
    subset: list[Prediction], values: Values
) -> None:
    found = values(MMBenchVQA(), *subset)
    assert found["option_match"] == pytest.approx(100 / 6)
    assert found["content_match"] == pytest.approx(100 / 6)


def test_the_first_row_of_a_question_stands_for_it(
    subset: list[Prediction], values: Values
) -> None:
    found = values(MMBenchVQA(), *subset)
    assert found["vanilla_acc"] == 75  # rows 1, 2, 1000003 of four questions
    # Question 1 has a wrong row; questions 3 and 4 have no main row, and no row at all.
    assert found["circular_acc"] == 75
    assert "incomplete_groups" not in found


def test_calibration_uses_the_first_rows_and_counts_the_read_ones(
    subset: list[Prediction],
) -> None:
    report = MMBenchCalibration().evaluate(subset)
    # first rows: right at 0.5, 0.8 and 0.9, wrong at 0.6; each its own bin
    assert report.metrics["ECE"].value == pytest.approx((0.5 + 0.6 + 0.2 + 0.1) / 4)
    assert report.details["Prob_bins"] == [0.5, 0.6, 0.8, 0.9]
    assert report.details["Acc_bins"] == [1, 0, 1, 1]
    assert report.details["prednum"] == [0, 2, 0, 0]


def test_only_a_to_d_are_letters(make: Make, values: Values) -> None:
    said = make("1", "B E", **FIELDS)
    assert values(MMBenchVQA(), said)["vanilla_acc"] == 100


def test_bins_of_calibration_are_of_equal_counts(make: Make) -> None:
    probs = [0.05 * place for place in range(1, 13)]
    answers = [make(str(place), "B", **FIELDS) for place in range(12)]
    for answer, prob in zip(answers, probs, strict=True):
        answer.scores["prob"] = prob
    report = VQACalibration().evaluate(answers)
    # all right: two bins of two and eight of one, so the gaps add up to those of all
    assert report.details["Prob_bins"][:3] == pytest.approx([0.075, 0.175, 0.25])
    assert report.metrics["ECE"].value == pytest.approx(1 - sum(probs) / 12)
