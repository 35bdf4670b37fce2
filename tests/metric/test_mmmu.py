"""MMMU: letters, words and numbers, with nothing left to chance."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.metric import METRICS
from chef.metric.vqa.vqa import MMMUMetric
from chef.reading.open_answers import candidates, open_matches
from chef.reading.rules.chef_options import mmmu_option
from chef.reading.rules.chef_texts import chef_open_answer

UpstreamMMMU = METRICS.get("MMMU_Metric", compat="upstream")

MCQ = {"question_type": "multiple-choice", "choices": ["x ray", "sound", "light"], "gt_choice": 1}


def entry(prediction, kind=MMMUMetric, **keys):
    return kind(**keys).evaluate([prediction]).samples[0]


def test_figures_by_hand(make):
    answers = [
        make("1", "B", subject="Math", **MCQ),
        make("2", "C", subject="Math", **MCQ),
        make("3", "(B)", subject="Art", **MCQ),
        make("4", "nothing here", subject="Art", **MCQ),
    ]
    report = MMMUMetric().evaluate(answers)
    found = {name: figure.value for name, figure in report.metrics.items()}
    assert found == {
        "Overall/acc": 50,
        "Overall/sample_nums": 4,
        "Art/acc": 50,
        "Art/correct_nums": 1,
        "Art/sample_nums": 2,
        "Math/acc": 50,
        "Math/correct_nums": 1,
        "Math/sample_nums": 2,
    }
    assert report.primary == "Overall/acc"
    assert report.coverage.unparsed == 1


def test_no_answer_is_no_guess(make):
    silent = [make(str(n), "I cannot tell", **MCQ) for n in range(60)]
    assert MMMUMetric().evaluate(silent).metrics["Overall/acc"].value == 0
    # ChEF draws an option: about one in three is right, and the same ones in every run.
    first = UpstreamMMMU().evaluate(silent)
    assert 10 < first.metrics["Overall/acc"].value < 60
    again = UpstreamMMMU().evaluate(silent[::-1])
    assert again.samples == first.samples


def test_scored_options(make):
    scored = make("1", "(B", choice=1, options=["(A", "(B", "(C"], **MCQ)
    assert entry(scored)["metric_result"] == 1
    assert entry(scored, UpstreamMMMU)["metric_result"] == 1


@pytest.mark.parametrize(
    ("answer", "value", "rule"),
    [
        ("(A) no, (B)", 1, "brackets"),
        ("(C)? (A)? No: (C)", 2, "brackets"),
        ("A or C.", 2, "alone"),
        ("I think the answer must be sound", 1, "content"),
        ("must be sound", None, "random"),
        ("It was light at first and then sound", 1, "content"),
    ],
)
def test_letters_as_chef_reads_them(answer, value, rule):
    found = mmmu_option(answer, MCQ["choices"], random.Random(0))
    assert found.rule == rule
    assert value is None or found.value == value


@pytest.mark.parametrize(
    ("answer", "references", "right"),
    [
        ("The result is 1,234.5", ["1234.50"], True),
        ("It is about 12.344 m", ["12.34"], True),
        ("x = 3. So y = 4", ["4"], True),
        ("x = 3. So y = 4", ["7"], False),
        ("Therefore the answer is Gothic architecture.", ["gothic"], True),
        ("1/4", ["0.25", "1/4"], True),
        ("-2", ["2"], False),
        ("6.02e23", ["6.02e23"], True),
        ("a category", ["cat"], False),
        ("", ["cat"], False),
        ("A.", ["a"], True),
        ("banana", ["a"], False),
    ],
)
def test_open_answers(make, answer, references, right):
    fields = {"question_type": "open", "gt_answers": references}
    assert entry(make("1", answer, **fields))["metric_result"] == right


def test_open_answers_of_chef_hold_words_in_words(make):
    fields = {"question_type": "open", "gt_answers": ["cat"]}
    assert entry(make("1", "a category", **fields), UpstreamMMMU)["metric_result"] == 1
    thought = make("1", "no", CoT_answer="It is a cat. ", **fields)
    assert entry(thought)["metric_result"] == 0
    assert entry(thought, UpstreamMMMU)["metric_result"] == 1


def test_what_was_taken_as_the_answer(make):
    fields = {"question_type": "open", "gt_answers": ["cat"]}
    assert entry(make("1", "The answer is dog.", **fields))["parsed"] == "dog"
    assert entry(make("1", " ", **fields))["parsed"] is None


def test_candidates_are_what_follows_the_indicators():
    texts, numbers = candidates("The area is 3 x 4 = 12. Thus it is twelve, or 12.0.")
    assert texts == ["3 x 4 = 12", "twelve, or 12.0"]
    assert numbers == {3.0, 4.0, 12.0}


@given(
    st.text(),
    st.lists(st.text(min_size=1), max_size=3),
    st.sampled_from([open_matches, chef_open_answer]),
)
def test_any_text_can_be_read(answer, references, read):
    found = read(answer, references)
    assert (found.value is None) == (found.rule == "none")


@given(st.floats(-1e6, 1e6).map(lambda number: round(number, 2)))
def test_a_number_is_found_however_it_is_dressed(number):
    for text in (f"{number}", f"The answer is {number}.", f"x = {number}"):
        assert open_matches(text, [f"{number}"]).rule == "number"
