import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.common.options import letters
from chef.metric.vqa.accuracy import Accuracy
from chef.reading.text import POLICY

MCQ = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_answers": "(B)", "gt_choice": 1}


def judged(prediction):
    report = Accuracy().evaluate([prediction])
    return report.samples[0]


def test_a_table_by_hand(make):
    report = Accuracy().evaluate(
        [
            make("1", "(B", choice=1, **MCQ),
            make("2", "(A", choice=0, **MCQ),
            make("3", "I see a dog. The answer is (B).", **MCQ),
            make("4", "dog", **MCQ),
            make("5", "who knows", **MCQ),
        ]
    )
    assert report.metrics["ACC"].value == pytest.approx(60)
    assert report.metrics["ACC"].n == 5
    assert report.metrics["match_ratio"].value == pytest.approx(80)
    assert report.primary == "ACC"
    assert report.coverage.unparsed == 1
    assert report.details == {"policy": POLICY}
    assert [entry["metric_result"] for entry in report.samples] == [1, 0, 1, 1, 0]
    assert [entry["parsed"] for entry in report.samples] == [1, 0, 1, 1, None]
    assert report.samples[2]["evidence"]["text"] == "B"


def test_a_scored_option_is_never_read_as_text(make):
    # The option's words would parse as a letter; its index counts.
    fields = {"options": ["B. Smith", "A. Jones"], "gt_choice": 0}
    entry = judged(make("1", "B. Smith", choice=0, **fields))
    assert (entry["parsed"], entry["metric_result"]) == (0, 1.0)
    assert entry["evidence"]["rule"] == "option scores"


@pytest.mark.parametrize("choice", [None, 0])
@pytest.mark.parametrize("options", [["dog", "bird"], ["(A)", "(B)"]])
def test_a_right_answer_that_is_no_option_is_not_scored(make, options, choice):
    entry = judged(make("7", options[0], choice=choice, options=options, gt_answers="cat"))
    assert "metric_result" not in entry
    first, second = map(repr, options)
    what = f"sample '7': the right answer 'cat' is none of the options {first}, {second}"
    assert what in entry["error"]["message"]
    assert "gt_choice in the fields" in entry["error"]["message"]


def test_text_options_are_read_by_content_only(make):
    fields = {"options": ["A. Jones", "B. Smith", "cat"], "gt_choice": 1}
    assert judged(make("1", "B. Smith", **fields))["metric_result"] == 1
    assert judged(make("1", "B", **fields))["parsed"] is None


def test_the_thought_does_not_count(make):
    entry = judged(make("1", "A. cat could be, but it barks. The answer is (B).", **MCQ))
    assert entry["parsed"] == 1


def test_the_right_option_is_found_through_the_answer(make):
    for fields in (
        {"options": ["3", "7"], "gt_answers": "7"},
        {"options": ["3", "7"], "gt_answers": 7},
        {"choices": ["cat", "dog"], "gt_answers": "dog"},
        {"options": ["3", "7"], "gt_choice": [1]},
    ):
        assert judged(make("1", "x", choice=1, **fields))["metric_result"] == 1
        assert judged(make("1", "x", choice=0, **fields))["metric_result"] == 0


@pytest.mark.parametrize(
    ("answer", "truth", "right"),
    [
        ("Paris", "paris.", True),
        ("The answer is **Paris**.", ["Rome", "Paris"], True),
        ("<think>Rome</think>the Paris", "Paris", True),
        ("Parisian", "Paris", False),
        ("1,000", 1000, True),
        ("three", "3", True),
        ("3", "4", False),
        ("", "Paris", False),
    ],
)
def test_open_answers(make, answer, truth, right):
    entry = judged(make("1", answer, gt_answers=truth))
    assert entry["metric_result"] == float(right)
    assert (entry["parsed"] is None) == (not answer)


@pytest.mark.parametrize(
    "fields",
    [
        {"choice": 2, "options": ["a", "b"], "gt_choice": 0},
        {"choice": -1, "options": ["a", "b"], "gt_choice": 0},
        {"choice": float("nan"), "options": ["a", "b"], "gt_choice": 0},
        {"choice": True, "options": ["a", "b"], "gt_choice": 0},
        {"gt_choice": "first", "choices": ["a", "b"]},
    ],
)
def test_what_cannot_be_judged_is_an_error(make, fields):
    report = Accuracy().evaluate([make("1", "a", **fields)])
    assert report.coverage.errors == 1
    assert report.metrics["ACC"].value is None
    assert report.samples[0]["error"]["message"]


def test_a_refusal_is_scored_and_unparsed(make):
    entry = judged(make("1", None, **MCQ))
    assert (entry["metric_result"], entry["parsed"]) == (0, None)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(2, 12), st.integers(0, 100)), min_size=1, max_size=10))
def test_a_perfect_predictor_scores_100(make, cases):
    predictions = []
    for i, (count, pick) in enumerate(cases):
        right = pick % count
        fields = {
            "options": [f"({label}" for label in letters(count)],
            "choices": [f"thing {index}" for index in range(count)],
            "gt_choice": right,
        }
        predictions.append(make(f"{i}a", fields["options"][right], choice=right, **fields))
        predictions.append(make(f"{i}b", fields["options"][right], **fields))
        predictions.append(make(f"{i}c", f"It is thing {right}.", **fields))
    report = Accuracy().evaluate(predictions)
    assert report.metrics["ACC"].value == 100
    assert report.metrics["ACC"].high == 100
    assert report.metrics["ACC"].low < 100
