"""Scores of groups of samples: each is what the metric gives for these samples alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS, Metric
from chef.metric.groups import LIMIT, Group, with_crossing
from chef.types import Prediction, Status

Make = Callable[..., Prediction]
BY = {"category": "category"}
FOUR = ["cat", "dog", "cow", "hen"]


def mcq(make: Make, name: str, answer: str, category: Any, options: int = 4) -> Prediction:
    return make(name, answer, choices=FOUR[:options], gt_choice=0, category=category)


def values(report: Any, group: str) -> dict[str, float | None]:
    return {key: item.value for key, item in report.by["category"][group].metrics.items()}


def test_each_group_by_hand(make: Make) -> None:
    answers = [
        mcq(make, "1", "A", "color"),
        mcq(make, "2", "B", "color"),
        mcq(make, "3", "A", "shape", options=2),
        make("4", None, Status.ERROR, category="shape"),
        make("5", None, Status.ERROR),  # could not be made: its category is not known
    ]
    report = METRICS.get("Accuracy")().evaluate(answers, None, BY)
    color, shape = report.by["category"].values()
    assert list(report.by["category"]) == ["color", "shape"]
    assert (color.n, color.metrics["ACC"].value, color.random_accuracy) == (2, 50, 0.25)
    assert (shape.n, shape.metrics["ACC"].value, shape.random_accuracy) == (1, 100, 0.5)
    assert (shape.coverage.total, shape.coverage.errors) == (2, 1)
    assert report.metrics["ACC"].value == pytest.approx(200 / 3)  # the whole is as it was


def test_chance_knows_that_several_options_may_be_right(make: Make) -> None:
    answers = [
        make("1", "A", choices=FOUR, gt_choice=[0, 2], category="x"),
        make("2", "B", choices=FOUR, gt_choice=[1], category="x"),
        make("3", "B", choices=FOUR, gt_choice=[0, 1, 3], category="y"),
    ]
    report = METRICS.get("Accuracy")().evaluate(answers, None, BY)
    assert {name: group.random_accuracy for name, group in report.by["category"].items()} == {
        "x": (2 / 4 + 1 / 4) / 2, "y": 3 / 4,
    }  # fmt: skip
    assert report.scored_chance == 1 / 2  # of all three
    assert (
        METRICS.get("Accuracy")().evaluate(answers[1:2]).scored_chance is None
    )  # the scenario knows it
    assert (
        METRICS.get("Caption")().evaluate(answers).scored_chance is None
    )  # no share of right options


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Accuracy", {"choices": FOUR, "gt_choice": 1}),
        ("YesNo", {"gt_answers": "yes", "image_path": "same.jpg"}),
        ("Counting", {"gt_answers": 2}),
        ("Caption", {"gt_answers": ["a dog", "two dogs"]}),
    ],
)
def test_a_group_alone_gives_the_same(make: Make, name: str, fields: dict[str, Any]) -> None:
    said = ["B", "yes", "2", "a dog", "no", "I see two dogs", "A", "3"]
    answers = [
        make(str(place), text, category="even" if place % 2 == 0 else "odd", **fields)
        for place, text in enumerate(said)
    ]
    report = METRICS.get(name)().evaluate(answers, None, BY)
    alone = METRICS.get(name)().evaluate(answers[::2])
    expected = {key: item for key, item in alone.metrics.items() if item.value is not None}
    assert report.by["category"]["even"].metrics == expected
    assert report.by["category"]["even"].coverage == alone.coverage


def test_rotations_and_pairs_are_never_torn(make: Make) -> None:
    """The category of the question itself holds for its rotations, whatever their rows say."""
    fields = {"choices": ["x", "y"], "gt_choice": 0, "circular_size": 2}
    rows = [
        make("7", "A", circular_group="7", category="logic", **fields),
        make("1000007", "A", circular_group="7", category="vision", **fields),
        make("8", "A", circular_group="8", category="vision", **fields),
        make("1000008", "B", circular_group="8", category="", **fields),
    ]
    report = METRICS.get("MMBenchVQA")().evaluate(rows, None, BY)
    logic, vision = report.by["category"].values()
    assert (logic.n, logic.metrics["circular_acc"].value) == (2, 100)
    assert (vision.n, vision.metrics["circular_acc"].value) == (2, 0)
    assert (
        logic.metrics["incomplete_groups"].value == vision.metrics["incomplete_groups"].value == 0
    )
    pair = [
        make(name, "yes", gt_answers="yes", task_type="color", image_path="1.jpg", category=text)
        for name, text in (("1", "new"), ("2", "old"))
    ]
    (group,) = METRICS.get("MMEVQA")().evaluate(pair, None, BY).by["category"].values()
    assert group.metrics["overall_plus"].value == 100


def test_mme_names_no_figure_twice(make: Make) -> None:
    answers = [
        make(f"{task}/{image}-{side}", "yes", gt_answers="yes", task_type=task, image_path=image)
        for task in ("color", "OCR")
        for image in "ab"
        for side in "12"
    ]
    report = METRICS.get("MMEVQA")().evaluate(answers, None, {"category": "task_type"})
    assert list(report.by["category"]) == ["color", "OCR"]
    for group in report.by["category"].values():
        assert set(group.metrics) == {"overall", "overall_plus", "incomplete_images"}


def test_samples_without_the_field(make: Make) -> None:
    answers = [mcq(make, "1", "A", "b10"), mcq(make, "2", "A", "B9"), mcq(make, "3", "A", None)]
    answers.append(mcq(make, "4", "A", ["ocr", "math"]))
    report = METRICS.get("Accuracy")().evaluate(answers, None, {**BY, "split": "split"})
    assert list(report.by["category"]) == ["B9", "b10", "ocr, math", "(none)"]
    assert "split" not in report.by  # no sample has it


def test_many_groups_are_cut(make: Make) -> None:
    answers = [mcq(make, str(n), "A", f"c{n % 1000}") for n in range(1003)]
    report = METRICS.get("Accuracy")().evaluate(answers, None, BY)
    assert len(report.by["category"]) == LIMIT
    assert report.left_out == {"category": 1000 - LIMIT}
    assert {"c0", "c1", "c2"} <= report.by["category"].keys()  # the only ones with two samples
    assert report.to_json()["by_left_out"] == {"category": 1000 - LIMIT}
    assert len(json.dumps(report.to_json())) < 250_000


class Counts(Metric):
    """Changes its records and itself, as a careless metric may."""

    def __init__(self, dataset_name: str = "") -> None:
        super().__init__(dataset_name)
        self.seen = 0

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        for answer in answers:
            answer["answer"] = answer["answer"].split()
            self.seen += len(answer["answer"])
        if len(answers) == 1:
            raise ZeroDivisionError("n - 1")
        return {"words": self.seen}


def test_a_metric_that_changes_what_it_is_given(make: Make) -> None:
    answers = [make(str(n), "one two", category="a" if n < 3 else "b") for n in range(4)]
    report = Counts().evaluate(answers, None, BY)
    assert report.metrics["words"].value == 8
    assert values(report, "a") == {"words": 6}
    assert report.by["category"]["b"].error == "ZeroDivisionError: n - 1"  # the run goes on


class Precise(Metric):
    """Has no value where nothing is right."""

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        right = [answer for answer in answers if answer["answer"] == "A"]
        return {"precision": 50 if right else None}


def test_a_value_that_is_undefined_in_a_group(make: Make) -> None:
    answers = [mcq(make, str(n), "AB"[n < 2], "ab"[n < 2]) for n in range(4)]
    report = Precise().evaluate(answers, None, BY)
    assert (values(report, "a"), values(report, "b")) == ({"precision": 50}, {})
    assert not report.by["category"]["b"].error


def test_groups_are_stored_and_read(make: Make) -> None:
    answers = [mcq(make, "1", "A", "x"), mcq(make, "2", "C", "x"), mcq(make, "3", "?", "y")]
    report = METRICS.get("Accuracy")().evaluate(answers, None, BY)
    stored = json.loads(json.dumps(report.to_json()["by"]["category"]))
    assert stored["x"]["n"] == 2
    assert stored["x"]["metrics"]["ACC"]["value"] == 50
    assert {name: Group.from_json(data) for name, data in stored.items()} == report.by["category"]


CROSSED = "split,l2-category,category"


def test_the_crossing_of_three_fields_by_hand(make: Make) -> None:
    rows = [  # split, l2-category, category, whether it is right
        ("dev", "L1", "a", 1), ("dev", "L1", "a", 0), ("dev", "L1", "b", 1), ("dev", "L2", "a", 0),
        ("test", "L1", "a", 1), ("test", None, "a", 1),
    ]  # fmt: skip
    answers = [
        make(
            str(place), "A" if right else "B", choices=FOUR, gt_choice=0, category=category,
            **{"split": split, "l2-category": main},
        )
        for place, (split, main, category, right) in enumerate(rows)
    ]  # fmt: skip
    groupings = with_crossing({name: name for name in ("category", "l2-category", "split")})
    found = METRICS.get("Accuracy")().evaluate(answers, None, groupings).by[CROSSED]
    assert {name: (group.n, group.metrics["ACC"].value) for name, group in found.items()} == {
        "dev × L1 × a": (2, 50), "dev × L1 × b": (1, 100), "dev × L2 × a": (1, 0),
        "test × (none) × a": (1, 100), "test × L1 × a": (1, 100),
    }  # fmt: skip
    pair = found["dev × L1 × a"].metrics["ACC"]  # Wilson's interval of 1 of 2
    assert (pair.low, pair.high) == pytest.approx((9.453, 90.547), abs=1e-3)


def test_one_field_is_no_crossing(make: Make) -> None:
    groupings = with_crossing({"category": "category", "split": "split"})
    report = METRICS.get("Accuracy")().evaluate([mcq(make, "1", "A", "x")], None, groupings)
    assert list(report.by) == ["category"]
    assert with_crossing({"subject": "subject", "split": "split"}) == {
        "subject": "subject", "split": "split",
    }  # fmt: skip
