"""The choice among options by their likelihood: what ties, and what is recorded of it."""

from __future__ import annotations

import math

import pytest

from chef.errors import SampleError
from chef.inferencer.ppl import choose, measures
from chef.types import Scored


@pytest.mark.parametrize(
    ("means", "choice", "ties"),
    [
        ([-1.0, -1.0005, -2.0], 0, None),  # apart by much more than a batch moves them
        ([-1.0005, -1.0], 1, None),
        ([-1.00002, -1.0], 1, None),
        ([-1.000001, -1.0, -2.0], 0, [0, 1]),  # apart by no more than a batch moves them
        ([-3.0, -1.0, -1.0], 1, [1, 2]),
    ],
)
def test_what_ties(means: list[float], choice: int, ties: list[int] | None) -> None:
    scores = choose([Scored(mean, 1) for mean in means], "s")
    assert scores["choice"] == choice
    assert scores.get("ties") == ties


def test_sums_and_means_have_a_distribution_each() -> None:
    scores = measures([Scored(-1.0, 1), Scored(-3.0, 4)])
    assert scores["ppl_results"] == [-1.0, -0.75]
    assert scores["logprob_sums"] == [-1.0, -3.0]
    of_means, of_sums = 1 / (1 + math.exp(0.25)), 1 / (1 + math.exp(-2.0))
    assert scores["probs"] == pytest.approx([of_means, 1 - of_means])
    assert scores["sum_probs"] == pytest.approx([of_sums, 1 - of_sums])
    assert scores["prob"] == max(scores["probs"])


def test_a_score_that_is_not_finite_is_no_choice() -> None:
    with pytest.raises(SampleError, match="not finite"):
        choose([Scored(-1.0, 1), Scored(math.nan, 1)], "s")
