"""Multiple choice: what is taken as the answer, corrected and as in ChEF."""

import pytest

from chef.metric import METRICS
from chef.metric.vqa.vqa import VQA

UpstreamVQA = METRICS.get("VQA", compat="upstream")

LETTERED = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}
TEXTS = {"options": ["A. Jones", "B. Smith"], "choices": ["A. Jones", "B. Smith"], "gt_choice": 0}


def entry(prediction, kind=VQA, **keys):
    return kind(**keys).evaluate([prediction]).samples[0]


def test_figures_by_hand(make):
    report = VQA().evaluate(
        [
            make("1", "(B", choice=1, **LETTERED),
            make("2", "(A", choice=0, **LETTERED),
            make("3", "B. dog", **LETTERED),
            make("4", "no idea", **LETTERED),
        ]
    )
    assert report.metrics["ACC"].value == pytest.approx(50)
    assert report.metrics["match_ratio"].value == pytest.approx(75)
    assert report.primary == "ACC"


def test_scored_texts_are_no_letters(make):
    # The chosen text "B. Smith" reads as B, whichever option it was.
    swapped = {**TEXTS, "options": TEXTS["options"][::-1], "choices": TEXTS["choices"][::-1]}
    wrong = make("1", "B. Smith", choice=0, **swapped)
    assert entry(wrong)["metric_result"] == 1
    assert entry(wrong, UpstreamVQA)["metric_result"] == 0


def test_of_equal_texts_the_scored_one_counts(make):
    fields = {"options": ["cat", "cat"], "choices": ["cat", "cat"], "gt_choice": 1}
    assert entry(make("1", "cat", choice=1, **fields))["metric_result"] == 1
    assert entry(make("1", "cat", choice=0, **fields))["metric_result"] == 0


def test_the_thought_is_no_answer(make):
    thought = "A. has whiskers, but it barks. "
    said = make("1", "(B)", CoT_answer=thought, **LETTERED)
    assert entry(said)["metric_result"] == 1
    assert entry(said, UpstreamVQA)["metric_result"] == 0
    # Scored after a thought, ChEF reads the option alone.
    assert entry(make("1", "(B", choice=1, CoT_answer=thought, **LETTERED), UpstreamVQA)[
        "metric_result"
    ]


def test_content_only_reads_words(make):
    assert entry(make("1", "B", **LETTERED))["match"] == "option"
    assert entry(make("1", "B", **LETTERED), content_only=True)["parsed"] is None
    found = entry(make("1", "it is a dog", **LETTERED), content_only=True)
    assert (found["parsed"], found["match"]) == (1, "content")


def test_letters_of_the_question_when_texts_are_scored(make):
    options = {"options": ["(A) cat", "(B) dog"], "choices": ["cat", "dog"], "gt_choice": 1}
    assert entry(make("1", "dog", labels=["A", "B"], **options))["metric_result"] == 1
    assert entry(make("1", "(B)", labels=["A", "B"], **options))["metric_result"] == 1


def test_empty_answers_are_unparsed_and_unknown_truths_unscored(make):
    assert entry(make("1", "", **LETTERED))["parsed"] is None
    report = VQA().evaluate([make("1", "B", options=["(A", "(B"], choices=["cat", "dog"])])
    assert report.coverage.no_truth == 1
    assert report.metrics["ACC"].value is None


@pytest.mark.parametrize("wrong", [-1, 4, 1.5, float("nan"), "B", [0, 9]])
def test_a_right_option_that_does_not_exist_is_an_error_and_no_wrong_answer(make, wrong):
    options = ["(A", "(B", "(C", "(D"]
    good = make("1", answer="(B", choice=1, gt_choice=1, options=options)
    bad = make("2", answer="(B", choice=1, gt_choice=wrong, options=options)
    report = VQA().evaluate([good, bad])
    assert report.coverage.scored == report.coverage.errors == 1
    assert report.metrics["ACC"].value == 100.0
