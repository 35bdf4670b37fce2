"""The item model, against the likelihood maximised by brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from chef.stats.guide import FEWEST, fit_2pl, items_of

GRID = np.linspace(-6, 6, 1201)
DENSITY = norm.pdf(GRID) / norm.pdf(GRID).sum()


def simulated(runs: int, items: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    ability = rng.standard_normal(runs)
    a, b = np.exp(0.4 * rng.standard_normal(items)), rng.normal(0.5, 1.2, items)
    chances = 1 / (1 + np.exp(-(np.outer(ability, a) + b)))
    return (rng.random((runs, items)) < chances).astype(float), ability, a, b


def log_posterior(values: np.ndarray, right: np.ndarray, centre: float) -> float:
    """The marginal log-likelihood on a fine grid of abilities, plus the log of the priors."""
    log_a, b = np.split(values, 2)
    total = -0.5 * float((log_a**2).sum()) / 0.5**2 - 0.5 * float(((b - centre) ** 2).sum()) / 4
    for run in right:
        likelihood = DENSITY.copy()
        for answer, slope, level in zip(run, np.exp(log_a), b, strict=True):
            chance = 1 / (1 + np.exp(-(slope * GRID + level)))
            likelihood = likelihood * (chance if answer else 1 - chance)
        total += math.log(likelihood.sum())
    return total


def test_the_fit_is_the_maximum_of_the_marginal_likelihood() -> None:
    right, *_ = simulated(40, 5)
    slopes, levels, abilities = fit_2pl(right, np.ones_like(right))
    shares = (right.sum(axis=0) + 0.5) / 41
    centre = float(np.log(shares / (1 - shares)).mean())
    found = minimize(lambda v: -log_posterior(v, right, centre), np.zeros(10), method="L-BFGS-B")
    assert np.log(slopes) == pytest.approx(found.x[:5], abs=0.01)
    assert levels == pytest.approx(found.x[5:], abs=0.01)
    # The abilities are means of their posterior.
    likelihood = DENSITY.copy()
    for answer, slope, level in zip(right[0], slopes, levels, strict=True):
        chance = 1 / (1 + np.exp(-(slope * GRID + level)))
        likelihood = likelihood * (chance if answer else 1 - chance)
    assert abilities[0] == pytest.approx(float(likelihood @ GRID / likelihood.sum()), abs=0.01)


def test_it_recovers_what_it_was_made_of() -> None:
    right, ability, a, b = simulated(300, 60)
    slopes, levels, abilities = fit_2pl(right, np.ones_like(right))
    assert np.corrcoef(slopes, a)[0, 1] > 0.9
    assert np.corrcoef(levels, b)[0, 1] > 0.97
    assert np.corrcoef(abilities, ability)[0, 1] > 0.93


def test_what_a_run_was_not_asked_says_nothing() -> None:
    right, *_ = simulated(40, 5)
    has = np.random.default_rng(1).random(right.shape) < 0.7
    one = fit_2pl(right, has)
    other = fit_2pl(np.where(has, right, np.nan), has)
    assert [list(item) for item in one] == [list(item) for item in other]


def test_few_runs_are_shares_drawn_to_that_of_all() -> None:
    runs = [{"a": 1.0, "b": 1.0, "c": 0.0}, {"a": 1.0, "b": 0.0}]
    found = items_of(runs)
    assert not found.is_fitted
    assert list(found.shares) == [1.0, 0.5, 0.0]
    mean = 3 / 5  # of all answers; two answers' worth of it are added
    assert 1 / (1 + np.exp(-found.levels)) == pytest.approx(
        [(2 + 2 * mean) / 4, (1 + 2 * mean) / 4, 2 * mean / 3]
    )
    expected = found.expected
    assert expected.runs == 2
    assert expected.scores["a"] > expected.scores["b"] > expected.scores["c"]


def test_expected_scores_and_information_by_hand() -> None:
    right, *_ = simulated(FEWEST, 4)
    names = [f"i{place}" for place in range(4)]
    found = items_of([dict(zip(names, run, strict=True)) for run in right])
    assert found.is_fitted
    for place, name in enumerate(names):
        slope, level = found.slopes[place], found.levels[place]
        chances = 1 / (1 + np.exp(-(slope * GRID + level)))
        assert found.expected.scores[name] == pytest.approx(float(chances @ DENSITY), abs=1e-4)
        apart = slope * float((chances * (1 - chances)) @ DENSITY)
        assert found.expected.differences[name] == pytest.approx(apart, abs=1e-4)
        at = 1 / (1 + np.exp(-(slope * found.abilities + level)))
        assert found.information[place] == pytest.approx(float((slope**2 * at * (1 - at)).mean()))


def test_nothing_is_no_item_model() -> None:
    with pytest.raises(ValueError, match="no run"):
        items_of([{}])


def test_scores_between_right_and_wrong_count_in_part() -> None:
    half = [{"a": 0.5, "b": 1.0 if n % 2 else 0.0} for n in range(10)]
    found = items_of(half)
    assert found.shares == pytest.approx([0.5, 0.5])
    # The one that tells runs apart has the steeper slope.
    assert found.slopes[1] > found.slopes[0]
