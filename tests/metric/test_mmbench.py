"""Circular evaluation, calibration and instruction following, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.metric import METRICS
from chef.metric.vqa.calibration import MMBenchCalibration, VQACalibration, calibration
from chef.metric.vqa.vqa import InstructFollow, MMBenchVQA
from chef.stats.figures import OfRows, without_intervals
from chef.types import Status

UpstreamInstructFollow = METRICS.get("Instruct_Follow", compat="upstream")
UpstreamMMBenchVQA = METRICS.get("MMBenchVQA", compat="upstream")


def row(make, index, right, size=2, status=Status.OK, **fields):
    """A row of a question with two options; its truth is B."""
    return make(
        str(index),
        None if status == Status.ERROR else "(B" if right else "(A",
        status,
        choice=int(right),
        options=["(A", "(B"],
        choices=["cat", "dog"],
        gt_choice=1,
        circular_group=str(index % 1_000_000),
        circular_size=size,
        **fields,
    )


def values(metric, predictions):
    report = metric.evaluate(predictions)
    return {name: figure.value for name, figure in report.metrics.items()}


@pytest.mark.parametrize("all_are_rotated", [True, False])
def test_rows_tell_the_circular_figure_of_a_part_where_all_questions_are_rotated(
    make, all_are_rotated
):
    rows = [row(make, number, number % 2) for number in (241, 1000241, 252, 1000252)]
    rows += [] if all_are_rotated else [row(make, 270, True, size=1)]
    metric = MMBenchVQA()
    answers = list(metric.scored_answers(rows).values())
    with without_intervals(keep_rows=True):
        found = metric.figures(answers)
    assert isinstance(found["circular_acc"].value, OfRows) == all_are_rotated
    assert isinstance(found["vanilla_acc"].value, OfRows)


def test_figures_by_hand(make):
    rows = [
        row(make, 241, True),
        row(make, 1000241, True),
        row(make, 252, True),
        row(make, 1000252, False),
        row(make, 260, False),
        row(make, 1000260, True),
    ]
    report = MMBenchVQA().evaluate(rows)
    assert report.metrics["vanilla_acc"].value == pytest.approx(200 / 3)
    assert report.metrics["circular_acc"].value == pytest.approx(100 / 3)
    assert report.metrics["circular_acc"].n == report.metrics["vanilla_acc"].n == 3
    assert report.metrics["option_match"].value == 100
    assert report.metrics["option_match"].method == "wilson, clustered"
    assert report.metrics["content_match"].value == 0
    assert values(UpstreamMMBenchVQA(), rows) == {
        key: figure.value for key, figure in report.metrics.items() if key != "incomplete_groups"
    }


@pytest.mark.parametrize("gone", [0, 1])
def test_a_question_that_lacks_a_row_is_left_out_and_counted(make, gone):
    rows = [row(make, 241, True), row(make, 1000241, True)]
    rest = [row(make, 252, False), row(make, 1000252, False)]
    found = values(MMBenchVQA(), [rows[1 - gone], *rest])
    assert found["circular_acc"] == 0
    assert found["incomplete_groups"] == 1
    assert found["vanilla_acc"] == (0 if gone == 0 else 50)


def test_an_error_makes_its_question_incomplete(make):
    rows = [row(make, 241, True), row(make, 1000241, True, status=Status.ERROR)]
    found = values(MMBenchVQA(), rows)
    assert found["circular_acc"] is None
    assert (found["vanilla_acc"], found["incomplete_groups"]) == (100, 1)


def test_upstream_counts_a_question_without_its_main_row_as_right(make):
    rows = [row(make, 1000241, False), row(make, 2000241, False)]
    assert values(UpstreamMMBenchVQA(), rows)["circular_acc"] == 100


def test_without_rotations_there_is_no_circular_figure(make):
    found = values(MMBenchVQA(), [row(make, 1, True, size=1), row(make, 2, False, size=1)])
    assert (found["vanilla_acc"], found["circular_acc"]) == (50, None)


def test_more_than_four_options(make):
    names = ["(A", "(B", "(C", "(D", "(E"]
    fields = {"options": names, "choices": list("vwxyz"), "gt_choice": 4}
    five = make("1", "(E)", **fields, circular_group="1", circular_size=1)
    assert values(MMBenchVQA(), [five])["vanilla_acc"] == 100


def test_words_and_letters_are_told_apart(make):
    fields = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}
    answers = [make("1", "a dog", **fields), make("2", "B. dog", **fields), make("3", "", **fields)]
    found = values(MMBenchVQA(), answers)
    assert found["content_match"] == found["option_match"] == pytest.approx(100 / 3)


def test_rotations_are_told_by_the_index_alone(make):
    fields = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}
    answers = [
        make("241", "(B", choice=1, **fields),
        make("1000241", "(A", choice=0, **fields),
        make("252", "(B", choice=1, **fields),
    ]
    report = MMBenchVQA().evaluate(answers)
    assert report.metrics["vanilla_acc"].value == 100
    assert report.metrics["circular_acc"].value == 50


def test_nothing_to_score():
    assert values(MMBenchVQA(), [])["vanilla_acc"] is None


# -- calibration --------------------------------------------------------------------------------


def scored(probs, corrects):
    pairs = zip(probs, corrects, strict=True)
    return [{"id": str(n), "prob": p, "correct": c} for n, (p, c) in enumerate(pairs)]


def test_calibration_by_hand():
    # Twelve answers: two bins of two, eight of one.
    probs = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.99]
    corrects = [0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    found = calibration(scored(probs[::-1], corrects[::-1]))
    assert found["Prob_bins"][:3] == pytest.approx([0.15, 0.35, 0.5])
    assert found["Acc_bins"][:3] == [0.5, 0.0, 1.0]
    assert len(found["Acc_bins"]) == 10
    gaps = [2 * 0.35, 2 * 0.35, 0.5, 0.4, 0.7, 0.2, 0.1, 0.05, 0.03, 0.01]
    assert found["ECE"].value == pytest.approx(sum(gaps) / 12)
    assert found["ECE"].higher_is_better is False


def test_few_answers_are_bins_of_their_own():
    found = calibration(scored([0.5, 0.9], [0.0, 1.0]))
    assert (found["Acc_bins"], found["Prob_bins"]) == ([0.0, 1.0], [0.5, 0.9])
    assert calibration([])["ECE"].value is None
    assert calibration([])["Acc_bins"] == calibration([])["Prob_bins"] == []


def test_equal_confidence_is_not_sorted_by_outcome():
    found = calibration(scored([0.5] * 20, [0.0, 1.0] * 10))
    assert (found["Acc_bins"], found["N_bins"]) == ([0.5], [20])
    assert found["ECE"].value == 0


def test_ties_stand_in_one_bin_whatever_the_order_of_the_data():
    probs, corrects = [0.3] * 7 + [0.6] * 7 + [0.9] * 9, [0.0, 1.0, 1.0] * 7 + [1.0, 0.0]
    rows = scored(probs, corrects)
    found = calibration(rows)
    assert found["N_bins"] == [7, 7, 9]
    expected = sum(
        abs(sum(prob - right for prob, right in part))
        for part in (list(zip(probs, corrects, strict=True))[at] for at in
                     (slice(0, 7), slice(7, 14), slice(14, 23)))
    ) / 23  # fmt: skip
    assert found["ECE"].value == pytest.approx(expected)
    assert calibration(rows[::-1]) == found
    # ChEF's own bins part them.
    assert len(calibration(rows, splits_ties=True)["N_bins"]) == 10


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_the_error_is_that_of_its_bins(pairs):
    probs, corrects = [p for p, _ in pairs], [float(c) for _, c in pairs]
    found = calibration(scored(probs, corrects))
    n, k = len(probs), len(found["Acc_bins"])
    assert k <= min(10, n, len(set(probs)))
    assert sum(found["N_bins"]) == n
    gaps = zip(found["N_bins"], found["Acc_bins"], found["Prob_bins"], strict=True)
    expected = sum(size * abs(prob - acc) for size, acc, prob in gaps) / n
    assert found["ECE"].value == pytest.approx(expected, abs=1e-9)
    assert 0 <= found["ECE_debiased"].value <= found["ECE"].value + 1e-12 <= 1 + 1e-12
    assert found["ECE"].low is None
    assert sorted(found["Prob_bins"]) == found["Prob_bins"]


def sure(make, index, right, prob):
    prediction = row(make, index, right)
    prediction.scores["prob"] = prob
    return prediction


def test_calibration_of_mmbench_looks_at_main_rows_and_counts_all(make):
    rows = [
        sure(make, 241, True, 0.8),
        sure(make, 1000241, False, 0.99),
        sure(make, 252, False, 0.6),
        sure(make, 1000252, True, 0.5),
    ]
    report = MMBenchCalibration().evaluate(rows)
    assert report.metrics["ECE"].value == pytest.approx((0.2 + 0.6) / 2)
    assert report.details["prednum"] == [2, 2, 0, 0]  # as option_match
    assert report.metrics["circular_acc"].value == 0
    assert report.samples[0]["correct"] in (0, 1)


def test_calibration_needs_scores(make):
    fields = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}
    answers = [make("1", "(B", **fields), make("2", "(B", choice=1, **fields)]
    answers[1].scores["prob"] = 0.75
    report = VQACalibration().evaluate(answers)
    assert report.coverage.errors == 1
    assert "PPL" in report.samples[0]["error"]["message"]
    assert report.metrics["ACC"].value == 100
    assert report.metrics["ECE"].value == pytest.approx(0.25)


# -- instruction following ----------------------------------------------------------------------


def test_instruction_following_reads_the_new_words(make):
    fields = {"options": ["Smith", "Johnson"], "choices": ["cat", "dog"], "gt_choice": 1}
    answers = [
        make("1", "Johnson", choice=1, **fields),
        make("2", "It is johnson.", **fields),
        make("3", "(B)", **fields),
        make("1000001", "Smith", choice=0, **fields, circular_group="1"),
    ]
    report = InstructFollow().evaluate(answers)
    assert report.metrics["score"].value == pytest.approx(200 / 3)
    assert report.metrics["score"].n == 3
    # Case matters to ChEF, and a full stop is one of its forms.
    assert values(UpstreamInstructFollow(), answers[:2])["score"] == 50
