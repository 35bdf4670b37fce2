"""The most stable recipe: chosen on one half of the samples, told of the other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from chef.suite.sweep.analysis import fall, stability
from chef.suite.sweep.matrix import ScoreMatrix


def runs(recipes: int, wordings: int) -> list[dict[str, str]]:
    return [
        {"ices": str(recipe), "wording": str(wording)}
        for recipe, wording in itertools.product(range(recipes), range(wordings))
    ]


def test_the_confirmed_accuracy_is_unbiased_where_the_best_is_noise() -> None:
    """All recipes are alike: what one half chooses looks better on it, and not on the other."""
    rng, values = np.random.default_rng(0), runs(8, 2)
    chosen_on, confirmed, falls, clear = [], [], [], 0
    for seed in range(150):
        scores = (rng.random((16, 120)) < 0.6).astype(float)
        found = stability(
            ScoreMatrix(scores, np.arange(120)), ["ices"], values, resamples=40, seed=seed
        )
        best = next(item for item in found if item.chosen)
        assert best.first_half is not None
        assert best.accuracy.value is not None
        assert best.lead is not None
        assert best.lead.low is not None
        chosen_on.append(best.first_half)
        confirmed.append(best.accuracy.value)
        falls.append(fall(found))
        clear += best.lead.low > 0
    error = np.std(confirmed, ddof=1) / 150**0.5
    assert abs(np.mean(confirmed) - 60) < 3.5 * error
    assert np.mean(chosen_on) - 60 > 5 * error
    assert np.mean(falls) == pytest.approx(np.mean(chosen_on) - np.mean(confirmed), abs=4 * error)
    assert clear <= 12  # 2.5 % of 150 are 4


def test_a_recipe_of_little_spread_is_preferred_to_one_of_equal_accuracy() -> None:
    """Recipe 0 scores 70 and 70, recipe 1 80 and 60, recipe 2 50 and 50."""
    rng = np.random.default_rng(1)
    chances = np.array([0.7, 0.7, 0.8, 0.6, 0.5, 0.5])
    scores = (rng.random((6, 6000)) < chances[:, None]).astype(float)
    found = stability(ScoreMatrix(scores, np.arange(6000)), ["ices"], runs(3, 2))
    assert [item.values["ices"] for item in found] == ["0", "1", "2"]
    assert [item.chosen for item in found] == [True, False, False]
    spreads = [item.spread for item in found]
    assert spreads[0] < 2.5
    assert spreads[1] == pytest.approx(10.0, abs=1.5)
    interval = found[1].interval
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low < 10 < interval.high
    assert [item.accuracy.value for item in found] == pytest.approx([70, 70, 50], abs=2)
    assert not found[2].on_front or found[2].spread < found[0].spread


def test_nothing_is_chosen_of_one_recipe_or_few_samples() -> None:
    scores = np.ones((2, 40))
    assert stability(ScoreMatrix(scores, np.arange(40)), ["ices"], runs(1, 2)) == []
    assert stability(ScoreMatrix(scores, np.arange(40) // 5), ["ices"], runs(2, 1)) == []
    assert fall([]) is None


def test_a_cluster_is_in_one_half() -> None:
    """Each cluster has its own score, so halves that share one would show in the number of them."""
    clusters = np.arange(60) // 3
    found = stability(ScoreMatrix(np.ones((2, 60)), clusters), ["ices"], runs(2, 1))
    assert {item.accuracy.n for item in found} == {30}
    assert {item.accuracy.value for item in found} == {100.0}
    low = found[0].accuracy.low
    assert low is not None
    assert low == pytest.approx(100 * 10 / (10 + 1.96**2), abs=0.01)  # Wilson, of ten clusters


def test_a_single_run_has_no_known_spread_and_is_not_chosen() -> None:
    rng, values = np.random.default_rng(2), runs(3, 2)[:5]
    chances = np.array([0.6, 0.6, 0.5, 0.5, 0.9])
    scores = (rng.random((5, 400)) < chances[:, None]).astype(float)
    found = stability(ScoreMatrix(scores, np.arange(400)), ["ices"], values)
    assert found[-1].values == {"ices": "2"}
    assert (found[-1].interval, found[-1].chosen, found[-1].runs) == (None, False, 1)
    assert next(item for item in found if item.chosen).values == {"ices": "0"}
