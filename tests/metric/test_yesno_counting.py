import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.metric import METRICS
from chef.metric.counting import Counting
from chef.metric.vqa.yesno import YesNo

UpstreamCounting = METRICS.get("Counting", compat="upstream")

OPTIONS = {"options": ["Yes", "No"]}


def values(report):
    return {name: item.value for name, item in report.metrics.items()}


def test_yes_no_by_hand(make):
    # said yes yes no no yes ?   truth yes no yes no yes no: TP 2, FP 1, FN 1, TN 1, unparsed 1
    said = ["Yes", "yes!", "No.", "There is no dog", "Yes, no doubt", "perhaps"]
    true = ["Yes", "No", "Yes", "No", "Yes", "No"]
    report = YesNo().evaluate(
        [
            make(str(i), a, gt_answers=t, **OPTIONS)
            for i, (a, t) in enumerate(zip(said, true, strict=True))
        ]
    )
    assert values(report) == pytest.approx(
        {
            "Accuracy": 3 / 6,
            "Precision": 2 / 3,
            "Recall": 2 / 3,
            "F1 score": 2 / 3,
            "Yes ratio": 3 / 6,
            "match_ratio": 100 * 5 / 6,
        }
    )
    assert report.metrics["Precision"].n == 3
    assert report.metrics["F1 score"].method == "wilson"
    assert report.metrics["Yes ratio"].higher_is_better is None
    assert report.coverage.unparsed == 1
    assert report.samples[5]["parsed"] is None
    assert report.samples[3]["truth"] == "no"


def test_division_by_zero_is_no_value(make):
    report = YesNo().evaluate([make(str(i), "no", gt_answers="no") for i in range(3)])
    assert report.metrics["Accuracy"].value == 1
    for name in ("Precision", "Recall", "F1 score"):
        assert report.metrics[name].value is None
    assert report.metrics["Yes ratio"].value == 0


def test_yes_no_by_option_scores(make):
    lettered = {"options": ["(A", "(B"], "choices": ["Yes", "No"], "gt_choice": 1}
    report = YesNo().evaluate(
        [
            make("1", "Yes", choice=0, gt_answers="Yes", **OPTIONS),
            make("2", "No", choice=1, gt_answers="Yes", **OPTIONS),
            make("3", "(B", choice=1, **lettered),
            make("4", "(A)", gt_answers="(A)", **{**lettered, "gt_choice": 0}),
            make("5", "B", **lettered),
            make("6", "no", gt_answers=False),
        ]
    )
    assert [entry["parsed"] for entry in report.samples] == ["yes", "no", "no", "yes", "no", "no"]
    assert [entry["metric_result"] for entry in report.samples] == [1, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "yes", "gt_answers": "blue"},
        {"answer": "cat", "choice": 0, "options": ["cat", "dog"], "gt_answers": "yes"},
    ],
)
def test_yes_no_with_a_truth_of_another_kind_is_an_error(make, fields):
    assert YesNo().evaluate([make("1", **fields)]).coverage.errors == 1


def test_counting_by_hand(make):
    said = ["3", "three red circles", "5.", "1,000", "many", "no circles"]
    true = [3, 2, 5, 10, 4, "0"]
    report = Counting().evaluate(
        [make(str(i), a, gt_answers=t) for i, (a, t) in enumerate(zip(said, true, strict=True))]
    )
    # errors 0 1 0 990 - 0; capped by the truth 0 1 0 10 4 0
    assert values(report) == pytest.approx(
        {"ACC": 50, "MAE": 991 / 5, "MAE_capped": 15 / 6, "match_ratio": 500 / 6}
    )
    assert report.metrics["MAE"].n == 5
    assert report.metrics["MAE"].higher_is_better is False
    assert report.metrics["MAE"].unit == "count"
    assert report.samples[3]["count_error"] == 990
    assert report.coverage.unparsed == 1


def test_counting_by_option_scores(make):
    options = {"options": ["0", "1", "2", "3"]}
    lettered = {"options": ["(A", "(B"], "choices": ["four", "5"]}
    report = Counting().evaluate(
        [
            make("1", "2", choice=2, gt_answers=2, **options),
            make("2", "0", choice=0, gt_answers=2, **options),
            make("3", "(A", choice=0, gt_answers=4, **lettered),
        ]
    )
    assert [entry["parsed"] for entry in report.samples] == [2, 0, 4]
    assert report.metrics["MAE"].value == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "3", "gt_answers": "some"},
        {"answer": "a", "choice": 0, "options": ["a", "b"], "gt_answers": 1},
    ],
)
def test_counting_without_numbers_is_an_error(make, fields):
    assert Counting().evaluate([make("1", **fields)]).coverage.errors == 1


def test_counts_that_are_all_unread_have_no_mean_error(make):
    report = Counting().evaluate([make("1", "many", gt_answers=3)])
    assert report.metrics["MAE"].value is None
    assert report.metrics["ACC"].value == 0


def test_chef_s_own_counts(make):
    said = ["3", "3.", "1,000", "about twelve of them", "no 7", "many"]
    report = UpstreamCounting().evaluate(
        [make(str(i), answer, gt_answers=3) for i, answer in enumerate(said)]
    )
    # read as 3 0 0 12 0 0; errors capped by the truth: 0 3 3 3 3 3
    assert [entry["parsed"] for entry in report.samples] == [3, 0, 0, 12, 0, 0]
    assert values(report)["MAE"] == 15 / 6
    assert values(report)["ACC"] == pytest.approx(100 / 6)


def test_counts_of_another_kind_than_the_recipe_says_are_errors(make):
    report = Counting(inference_type="ppl").evaluate([make("1", "3", gt_answers=3)])
    assert "inference_type direct" in report.samples[0]["error"]["message"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 99), min_size=1, max_size=10))
def test_perfect_counts(make, counts):
    report = Counting().evaluate(
        [make(str(i), f"{n}.", gt_answers=n) for i, n in enumerate(counts)]
    )
    assert report.metrics["ACC"].value == 100
    assert report.metrics["MAE"].value == 0


@settings(max_examples=25, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=10))
def test_perfect_verdicts(make, truths):
    words = ["yes" if truth else "no" for truth in truths]
    report = YesNo().evaluate([make(str(i), w, gt_answers=w) for i, w in enumerate(words)])
    assert report.metrics["Accuracy"].value == 1
    assert report.metrics["F1 score"].value == (1 if any(truths) else None)
    assert report.metrics["Yes ratio"].value == pytest.approx(sum(truths) / len(truths))
