"""HallusionBench, AMBER, POPE by split, and OCRBench: values worked out by hand."""

from __future__ import annotations

import math

import pytest

from chef.metric import METRICS
from chef.types import Status


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


def ask(make, name, answer, truth="yes", **fields):
    return make(name, answer, gt_answers=truth, **fields)


def hallusion(make, place, answer, *args, **fields):
    return make(f"VD_illusion_1_{place}", answer, *args, gt_answers="yes", **fields)


def test_hallusionbench_rows_figures_and_questions(make):
    rows = [
        hallusion(make, "0_0_0", "**Yes**"),
        hallusion(make, "0_0_1", "Yes, it is."),
        hallusion(make, "0_1_0", "Yes"),
        hallusion(make, "0_1_1", "No"),
        hallusion(make, "1_0_0", "I cannot say"),
    ]
    report = METRICS.get("HallusionBench")().evaluate(rows)
    # Rows 3 of 5. Figures: (0,0) right, (0,1) and (1,0) wrong. Questions: (0,0) right.
    third = pytest.approx(100 / 3)
    assert values(report) == {"aAcc": 60, "fAcc": third, "qAcc": third, "incomplete_groups": 0}
    assert report.metrics["fAcc"].n == 3
    assert report.coverage.unparsed == 1
    # Two sets of 4 and 1 rows: with p = 0.6 the sums of residuals are 0.6 and -0.6.
    variance = (0.36 / (1 - 4 / 5) + 0.36 / (1 - 1 / 5)) / 5**2
    assert report.metrics["aAcc"].stderr == pytest.approx(100 * math.sqrt(variance))
    assert report.metrics["aAcc"].clusters == 2
    assert report.metrics["aAcc"].method == "wilson, clustered"


def test_a_failed_row_leaves_its_figure_and_its_question_out(make):
    rows = [
        hallusion(make, "0_0_0", "Yes"),
        hallusion(make, "0_0_1", None, Status.ERROR),
        hallusion(make, "0_1_0", "Yes"),
        hallusion(make, "0_1_1", "Yes"),
        make("unknown", None, Status.ERROR),
    ]
    report = METRICS.get("HallusionBench")().evaluate(rows)
    # Left out: figure 0 and question 1. They are 2 of 4 groups.
    assert values(report) == {"aAcc": 100, "fAcc": 100, "qAcc": 100, "incomplete_groups": 2}
    assert (report.metrics["fAcc"].n, report.metrics["qAcc"].n) == (1, 1)
    assert report.coverage.errors == 2


def test_hallusionbench_of_a_group_looks_at_its_own_rows(make):
    rows = [
        hallusion(make, "0_0_0", "Yes", **{"l2-category": "VD"}),
        hallusion(make, "0_0_1", "No", **{"l2-category": "VS"}),
    ]
    report = METRICS.get("HallusionBench")().evaluate(rows, None, {"kind": "l2-category"})
    found = {name: group.metrics["fAcc"].value for name, group in report.by["kind"].items()}
    assert found == {"VD": 100, "VS": 0}


def test_set_figure_and_question_may_be_fields_of_their_own(make):
    fields = {"set_id": 1, "figure_id": 2}
    rows = [
        ask(make, "a", "yes", question_id=0, **fields),
        ask(make, "b", "no", question_id=1, **fields),
    ]
    assert values(METRICS.get("HallusionBench")().evaluate(rows))["fAcc"] == 0


def test_an_id_that_does_not_say_the_set_is_an_error_with_its_remedy(make):
    report = METRICS.get("HallusionBench")().evaluate([ask(make, "17", "yes")])
    (entry,) = report.samples
    assert "which set, figure and question" in entry["error"]["message"]
    assert "'17'" in entry["error"]["message"]
    assert values(report)["aAcc"] is None


def test_amber_by_kind_and_on_average(make):
    rows = [
        ask(make, "1", "yes", category="discriminative-attribute-state"),
        ask(make, "2", "no", category="discriminative-attribute-number"),
        ask(make, "3", "no", category="discriminative-attribute-action"),
        ask(make, "4", "no", category="discriminative-attribute-action"),
        ask(make, "5", "Certainly: **yes**", category="discriminative-hallucination"),
        ask(make, "6", "yes", category="discriminative-relation"),
        ask(make, "7", "hm", category="relation"),
    ]
    report = METRICS.get("AMBER")().evaluate(rows)
    assert values(report) == {
        "Avg ACC": pytest.approx((25 + 100 + 50) / 3),
        "Attribute": 25,
        "Existence": 100,
        "Relation": 50,
        "Accuracy": pytest.approx(300 / 7),
        "match_ratio": pytest.approx(600 / 7),
    }
    average = report.metrics["Avg ACC"]
    # Without its only question a kind has no accuracy, so nothing tells how far this one varies.
    assert (average.n, average.low) == (7, None)


def test_amber_takes_images_with_all_their_questions(make):
    rows = [
        ask(make, f"{kind}{image}", "yes" if image else "no", category=kind, image_path=str(image))
        for kind in ("attribute", "relation")
        for image in range(2)
    ]
    # Two images, of which one is right, whatever the kind.
    average = METRICS.get("AMBER")().evaluate(rows).metrics["Avg ACC"]
    assert (average.value, average.clusters) == (50, 2)
    assert average.low == pytest.approx(100 - average.high)
    assert average.low < 1


def test_pope_counts_a_row_once_overall_and_in_each_of_its_splits(make):
    rows = [
        ask(make, "1", "yes", "yes", category="random, popular"),
        ask(make, "2", "yes", "no", category="popular"),
        ask(make, "3", "no", "yes", category="random"),
        ask(make, "4", "no", "no"),
    ]
    report = METRICS.get("POPE_Metric")().evaluate(rows)
    found = values(report)
    assert (found["Accuracy"], report.metrics["Accuracy"].n) == (0.5, 4)
    # popular: TP 1, FP 1; random: TP 1, FN 1.
    assert (found["popular/Accuracy"], found["popular/Precision"]) == (0.5, 0.5)
    assert (found["random/Recall"], found["random/Precision"]) == (0.5, 1)
    assert found["popular/F1 score"] == found["random/F1 score"] == pytest.approx(2 / 3)
    assert report.metrics["popular/Accuracy"].n == report.metrics["random/Accuracy"].n == 2


def test_pope_without_splits_is_as_before(make):
    found = METRICS.get("POPE_Metric")().evaluate([ask(make, "1", "yes")])
    assert [name for name in found.metrics if "/" in name] == []


def test_ocrbench_in_percent_by_part_and_category(make):
    rows = [
        make(
            "1", "<think>go</think>STOP", gt_answers=["stop"], category="Regular Text Recognition"
        ),
        make("2", "13", gt_answers=["12"], category="Digit String Recognition"),
        make("3", "yes", gt_answers=["yes"], category="Key Information Extraction"),
        make("4", "", gt_answers=["yes"], category="Another"),
    ]
    report = METRICS.get("OCRBench")().evaluate(rows)
    assert values(report) == {
        "Final Score Norm": 50,
        "Final Score": 2,
        "Text Recognition": 50,
        "Key Information Extraction": 100,
        "Digit String Recognition": 0,
        "Regular Text Recognition": 100,
        "Another": 0,
    }
    assert report.metrics["Text Recognition"].n == 2


@pytest.mark.parametrize(
    ("agreeing", "plain", "left_out"), [(0, 0, 0), (1, 1 / 3, 0.3), (2, 2 / 3, 0.6), (3, 1, 0.9)]
)
def test_vqa_accuracy_of_all_references_at_once(make, agreeing, plain, left_out):
    row = make("1", "red", gt_answers=["red"] * agreeing + ["blue"] * (10 - agreeing))
    for key, expected in ((False, plain), (True, left_out)):
        report = METRICS.get("VQAAccuracy")(leave_one_out=key).evaluate([row])
        assert report.samples[0]["metric_result"] == pytest.approx(expected)


@pytest.mark.parametrize("references", [["red"], ["red", "red"]])
def test_few_references_that_agree_are_enough(make, references):
    report = METRICS.get("VQAAccuracy")(leave_one_out=False).evaluate(
        [make("1", "red", gt_answers=references)]
    )
    assert report.samples[0]["metric_result"] == 1
