"""Yes and no by ChEF's own rules: POPE and MME."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS
from chef.metric.vqa.blocks import MMEVQA as CorrectedMMEVQA
from chef.reading.rules.chef_texts import no_or_not, substring_verdict
from chef.types import Prediction

MMEVQA = METRICS.get("MMEVQA", compat="upstream")
Pope = METRICS.get("POPE_Metric", compat="upstream")

Make = Callable[..., Prediction]
Values = Callable[..., dict[str, Any]]


def test_every_label_but_no_is_positive(make: Make, values: Values) -> None:
    labels = ["no", "No", "yes", "maybe"]
    said = [make(str(n), "Yes", gt_answers=label) for n, label in enumerate(labels)]
    assert values(Pope(), *said) == {
        "Accuracy": 0.75,
        "Precision": 0.75,
        "Recall": 1,
        "F1 score": pytest.approx(6 / 7),
        "Yes ratio": 1,
        "match_ratio": 100,
    }


def test_an_option_can_say_the_label(make: Make, values: Values) -> None:
    said = make("1", "No", options=["Yes", "No"], gt_choice=1, choice=1)
    assert values(Pope(), said)["Accuracy"] == 1


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("NO", "no"),
        ("none", None),  # a number
        ("an-other", None),
        ("n-o", None),  # the hyphen becomes a space
        ("n-o - it is", "no"),  # it touches a space elsewhere, so it is removed
        ("Ye.s", "yes"),
        ("yes and no", None),
    ],
)
def test_mme_normalises_what_is_not_exactly_yes_or_no(answer: str, verdict: str | None) -> None:
    assert substring_verdict(answer).value == verdict


def images(make: Make, **counts: tuple[int, int]) -> list[Prediction]:
    return [
        make(
            f"{image}-{place}",
            "Yes" if place < right else "perhaps",
            gt_answers="Yes",
            task_type="color",
            image_path=image,
        )
        for image, (total, right) in counts.items()
        for place in range(total)
    ]


def test_an_image_is_right_with_exactly_two_right_answers(make: Make, values: Values) -> None:
    answers = images(make, pair=(2, 2), half=(2, 1), lone=(1, 1), two=(3, 2), three=(3, 3))
    found = values(MMEVQA(), *answers)
    assert found["color"] == pytest.approx(900 / 11)
    assert found["color_plus"] == found["overall_plus"] == 40  # pair and two, of five images


def test_corrected_pairs_have_two_questions(make: Make, values: Values) -> None:
    answers = images(make, pair=(2, 2), half=(2, 1), lone=(1, 1), two=(3, 2))
    found = values(CorrectedMMEVQA(), *answers)
    assert found["color_plus"] == found["overall_plus"] == 50
    assert found["incomplete_images"] == 2
    alone = values(CorrectedMMEVQA(), *images(make, lone=(1, 1)))
    assert alone["color_plus"] is alone["overall_plus"] is None


def test_an_image_in_two_subtasks_has_two_pairs(make: Make, values: Values) -> None:
    answers = [
        make(f"{task}{n}", "Yes", gt_answers="Yes", task_type=task, image_path="same.jpg")
        for task in ("color", "count")
        for n in range(2)
    ]
    for metric in (MMEVQA(), CorrectedMMEVQA()):
        report = metric.evaluate(answers)
        assert report.metrics["overall_plus"].value == 100
        assert report.metrics["overall_plus"].n == 2


@pytest.mark.parametrize(
    ("answer", "value"),
    [("No.", "-1"), ("She cannot smile", "-1"), ("She isn't smiling", "1"), ("know", "1")],
)
def test_smiles_by_the_words_no_and_not(answer: str, value: str) -> None:
    assert no_or_not(answer).value == value
