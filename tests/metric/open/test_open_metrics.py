"""The published measures, against values worked out by hand from their definitions."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.errors import ConfigError
from chef.metric import METRICS
from chef.metric.vqa.open_answers import ANLS, VQAAccuracy, levenshtein, soft_score
from chef.scoring.result import RunResult


def score(name, make, answer, references, **options):
    """The score of one answer, 0 to 1."""
    report = METRICS.get(name)(**options).evaluate([make("1", answer, gt_answers=references)])
    assert report.coverage.scored == 1
    return report.samples[0]["metric_result"]


@pytest.mark.parametrize(
    ("answer", "references", "right"),
    [
        ("The Eiffel Tower!", "eiffel tower", 1),
        ("It is the Eiffel Tower.", "eiffel tower", 0),
        ("<think>Rome?</think> Paris", ["Rome", "Paris"], 1),
        ("red\nQuestion: What now?\nAnswer: blue", "red", 1),
        ("12.5", "125", 0),
        ("-5", "5", 0),
        ("5%", "5", 0),
        ("t-shirt", "T shirt", 1),
        ("?", "!", 0),
        ("", "red", 0),
    ],
)
def test_exact_match(make, answer, references, right):
    assert score("ExactMatch", make, answer, references) == right


@pytest.mark.parametrize("agreeing", range(11))
def test_vqa_accuracy_is_the_mean_over_subsets_of_nine(agreeing):
    votes = [place < agreeing for place in range(10)]
    subsets = list(combinations(votes, 9))
    mean = sum(min(sum(subset) / 3, 1) for subset in subsets) / len(subsets)
    assert soft_score(votes) == pytest.approx(mean)


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("Two dogs.", ["2 dogs"] * 10, 1),
        ("the dont walk sign", ["don't walk sign"] * 10, 1),
        ("1,000", ["1000"] * 4 + ["900"] * 6, 1),
        ("2:50 pm", ["2:50 pm"] * 10, 1),
        ("2.5", ["25"] * 10, 0),
        ("girl's", ["girls"] * 10, 0),
        ("red", ["red", *["blue"] * 9], 0.3),
        ("red", "red", 1),
        ("red", ["red", "red"], 1),
        ("It is red", ["red"] * 10, 0),
    ],
)
def test_vqa_accuracy(make, answer, references, expected):
    assert score("VQAAccuracy", make, answer, references) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("Hello World", "hello world", 1),
        ("helo", "hello", 0.8),
        ("abcd", "abxy", 0.5),  # the distance is just the threshold
        ("abcde", "abxyz", 0),
        ("new \n york", "New York", 1),
        ("abcde", "abcxy", 0.6),
        ("new york", "newyork", 7 / 8),
        ("helo", ["goodbye", "hello"], 0.8),
        ("", "hello", 0),
    ],
)
def test_anls(make, answer, references, expected):
    assert score("ANLS", make, answer, references) == pytest.approx(expected)


def test_the_threshold_of_anls(make):
    assert score("ANLS", make, "abcd", "abxy", threshold=0.5) == 0.5
    assert score("ANLS", make, "abcd", "abxy", threshold=0.4) == 0
    with pytest.raises(ConfigError):
        ANLS(threshold=0)


def _distance(one: str, two: str) -> int:
    """The definition by recursion."""
    if not one or not two:
        return len(one) + len(two)
    same = _distance(one[1:], two[1:]) + (one[0] != two[0])
    return min(same, _distance(one[1:], two) + 1, _distance(one, two[1:]) + 1)


@given(st.text("ab", max_size=5), st.text("abc", max_size=5))
def test_the_edit_distance(one, two):
    assert levenshtein(one, two) == _distance(one, two)


@pytest.mark.parametrize(
    ("answer", "references", "right"),
    [
        ("105", "100", 1),
        ("95", "100", 1),
        ("105.1", "100", 0),
        ("-100", "100", 0),
        ("1,000", "1000", 1),
        ("5%", "5", 1),
        ("0.0", "0", 1),
        ("0.01", "0", 0),
        ("2.1 million", "2,000,000", 1),
        ("$5", "5.2", 1),
        ("5 km", "5 m", 0),
        ("Yes", "yes", 1),
        ("yes, it is", "yes", 0),
        ("France", ["Spain", "france"], 1),
    ],
)
def test_relaxed_accuracy(make, answer, references, right):
    assert score("RelaxedAccuracy", make, answer, references) == right


@pytest.mark.parametrize("name", ["ExactMatch", "VQAAccuracy", "ANLS", "RelaxedAccuracy"])
def test_each_says_how_it_compares_and_has_a_clustered_interval(make, name):
    metric = METRICS.get(name)()
    images = ["a", "a", "b", "b"]
    answers = ["red", "red", "no", "no"]
    report = metric.evaluate(
        make(str(place), answer, gt_answers="red", image_path=image)
        for place, (answer, image) in enumerate(zip(answers, images, strict=True))
    )
    item = report.metrics[report.primary]
    assert (item.value, item.n, item.unit, item.method) == (50, 4, "%", "wilson, clustered")
    # Two images, of which one is right: the standard error of two trials.
    assert item.stderr == pytest.approx(100 * math.sqrt(0.25 / 1))
    assert report.details["open_answers"] == metric.compared
    assert metric.needs_options is False


def test_an_answer_without_a_reference_is_not_scored(make):
    report = VQAAccuracy().evaluate([make("1", "red", gt_answers=None)])
    assert report.coverage.no_truth == 1


def test_the_table_says_how_free_answers_were_compared(make, tmp_path):
    for name, said in (("ANLS", "by edit distance (ANLS, threshold 0.5)"), ("Accuracy", "contain")):
        report = METRICS.get(name)().evaluate([make("1", "red", gt_answers="red")])
        names = {"recipe": "r", "scenario": "s", "model": "m"}
        shown = str(RunResult.of(report, **names, file=tmp_path / "r.json", random_accuracy=None))
        assert said in shown.partition("Free answers: ")[2]
    chosen = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}
    report = METRICS.get("Accuracy")().evaluate([make("1", "(B", choice=1, **chosen)])
    assert "open_answers" not in report.details
