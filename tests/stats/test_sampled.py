"""pass@k and the majority, against what counting all subsets and hand-worked cases give."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest

from chef.scoring.sampled import Sampling, majority_is_right, pass_at_k, sampled_figures


def by_subsets(right: list[bool], k: int) -> float:
    """The share of all subsets of k answers that hold a right one."""
    drawn = [any(subset) for subset in combinations(right, k)]
    return float(Fraction(sum(drawn), len(drawn)))


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_is_the_share_of_subsets_with_a_right_answer(n: int) -> None:
    for count in range(n + 1):
        right = [place < count for place in range(n)]
        for k in range(1, n + 1):
            assert pass_at_k(n, count, k) == pytest.approx(by_subsets(right, k), abs=1e-12)


def test_pass_at_k_by_hand() -> None:
    # Of 5 answers 2 are right; of the 10 pairs, the 3 among the wrong ones hold none.
    assert pass_at_k(5, 2, 2) == pytest.approx(0.7)
    assert pass_at_k(5, 2, 1) == pytest.approx(0.4)
    assert pass_at_k(5, 2, 4) == 1.0


@pytest.mark.parametrize(
    ("said", "right", "expected"),
    [
        ("AAB", "110", 1.0),
        ("ABB", "100", 0.0),
        ("ABAB", "1010", 0.5),  # a tie: each as likely, in whatever order
        ("BABA", "0101", 0.5),
        ("ABC", "010", 1 / 3),
        ("--A", "001", 1.0),  # what could not be read has no vote
        ("---", "000", 0.0),
    ],
)
def test_the_majority_by_hand(said: str, right: str, expected: float) -> None:
    values = [None if item == "-" else item for item in said]
    assert majority_is_right(Sampling([item == "1" for item in right], values)) == expected


def test_the_figures_of_two_questions_by_hand() -> None:
    questions = [
        Sampling([True, False, False, False], ["A", "B", "C", "C"]),
        Sampling([True, True, True, False], ["A", "A", "A", "B"]),
    ]
    found = sampled_figures(questions, ["one", "two"], 4)
    assert [*found] == ["mean@4", "pass@2", "pass@4", "majority@4"]
    values = {name: item.value for name, item in found.items()}
    # Of the 6 pairs of the first question 3 hold its right answer, of the second all do.
    assert values == pytest.approx(
        {"mean@4": 50.0, "pass@2": 75.0, "pass@4": 100.0, "majority@4": 50.0}
    )
    assert {item.n for item in found.values()} == {2}


def test_a_question_with_fewer_scored_answers_is_not_in_figures_of_more() -> None:
    questions = [Sampling([False], ["B"]), Sampling([True, True, False], ["A", "A", "B"])]
    found = sampled_figures(questions, ["one", "two"], 3)
    assert {name: item.n for name, item in found.items()} == {
        "mean@3": 2, "pass@2": 1, "pass@3": 1, "majority@3": 2,
    }  # fmt: skip
    assert found["pass@2"].value == 100.0


def test_the_mean_of_an_estimator_is_unbiased() -> None:
    """Of a model that is right with chance p, pass@k is 1 - (1 - p)^k on average."""
    stream, p, n, k = random.Random(1), 0.3, 10, 3
    runs = [sum(stream.random() < p for _ in range(n)) for _ in range(20_000)]
    mean = sum(pass_at_k(n, right, k) for right in runs) / len(runs)
    assert mean == pytest.approx(1 - (1 - p) ** k, abs=0.01)


def test_questions_about_one_image_are_one_cluster() -> None:
    stream = random.Random(2)
    questions = []
    for _ in range(20):
        rights = [stream.random() < 0.5 for _ in range(4)]
        questions += [Sampling(rights, ["A"] * 4)] * 2  # two questions that agree
    apart = sampled_figures(questions, list(range(40)), 4)["pass@2"]
    together = sampled_figures(questions, [place // 2 for place in range(40)], 4)["pass@2"]
    assert together.clusters == 20
    widths = [(item.high or 0) - (item.low or 0) for item in (together, apart)]
    assert widths[0] > widths[1] > 0
