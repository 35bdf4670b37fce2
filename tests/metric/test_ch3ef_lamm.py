"""Ch3Ef's abstention, and multiple choice as LAMM counts it."""

import pytest

from chef.metric import METRICS
from chef.metric.vqa.vqa import Ch3EfMetric, LammVQA
from chef.reading.rules.chef_options import lamm_option

UpstreamLammVQA = METRICS.get("LAMM_VQA", compat="upstream")


def chosen(make, name, choice, options):
    return make(name, options[choice], choice=choice, options=options, gt_choice=0)


def test_an_honest_abstention_is_accepted_where_it_is_offered(make):
    honest = ["Three.", "I don't know.", "Four."]
    plain = ["Three.", "Four.", "Five."]
    answers = [
        chosen(make, "1", 0, honest),
        chosen(make, "2", 1, honest),
        chosen(make, "3", 2, honest),
        chosen(make, "4", 1, plain),
    ]
    report = Ch3EfMetric().evaluate(answers)
    assert report.metrics["ACC"].value == 50
    assert report.metrics["abstained"].value == 25
    assert report.metrics["abstained"].higher_is_better is None
    assert [entry["metric_result"] for entry in report.samples] == [1, 1, 0, 0]


def test_written_answers_are_kept_for_a_person(make):
    report = Ch3EfMetric().evaluate([make("1", "Three.", gt_choice=0, choices=["Three.", "Four."])])
    assert report.coverage.no_truth == 1
    assert report.metrics["ACC"].value is None


LISTED = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choices": ["cat", "dog"]}


@pytest.mark.parametrize(
    ("answer", "corrected", "upstream"),
    [
        ("The answer is (B).", 1, 1),
        ("The answer is A. The answer is B.", 1, 0),  # all that is stated must be right
        ("(A) or (B)", 0, 0),
        ("It is a dog", 1, 1),
        ("It is a dog, not a cat", 1, 0),
        ("A", 0, 0),
        ("", 0, 0),
    ],
)
def test_lamm_vqa(make, answer, corrected, upstream):
    for kind, right in ((LammVQA, corrected), (UpstreamLammVQA, upstream)):
        report = kind().evaluate([make("1", answer, gt_choice=1, **LISTED)])
        assert report.metrics["vision_acc"].value == right, kind
        assert report.metrics["vision_acc"].unit == "0-1"


def test_the_order_of_lamms_rules():
    choices = ["cat", "dog"]
    assert lamm_option("ANSWER: A (B)", choices, 1).value == 0
    assert lamm_option("the answer is A. ANSWER: B", choices, 1).value == 0
    assert lamm_option("(B) (A) (B)", choices, 1).value == 0
    assert lamm_option("(B) (B)", choices, 1).value == 1
    assert lamm_option("dog and cat", choices, 1).value is None


def test_lamm_reads_the_thought_too(make):
    said = make("1", "dog", CoT_answer="The answer is (A). ", gt_choice=1, **LISTED)
    assert LammVQA().evaluate([said]).metrics["vision_acc"].value == 1
    assert UpstreamLammVQA().evaluate([said]).metrics["vision_acc"].value == 0
