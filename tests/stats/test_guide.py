"""Weighted draws with control variates: fair for any weights and predictions, by counting out."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import norm

from chef.stats.confidence_sequence import (
    Draws,
    Game,
    Population,
    log_capital,
    mean_interval,
    sampled_interval,
)
from chef.stats.guide import Expected, drawn_order, first, guides_of, weights_of

#: Sums, counts and sizes of units: one failed in part, one as a whole.
UNITS = [(1.0, 1, 1), (0.0, 1, 1), (2.0, 3, 3), (0.0, 0, 1), (1.0, 1, 2)]
NAMES = [["a"], ["b"], ["c", "d", "e"], ["f"], ["g", "h"]]
MODELS = {
    "right": {"a": 0.9, "b": 0.2, "c": 0.7, "d": 0.7, "e": 0.7, "g": 0.8},
    "wrong": {"a": 0.1, "b": 0.95, "c": 0.0, "d": 0.1, "e": 0.0, "f": 1.0, "g": 0.3, "h": 0.6},
}
WEIGHTS = [0.5, 1.2, 2.0, 0.7, 0.6]


def orders(weights: list[float]):
    """Every order, with its probability by drawing one after the other."""
    for order in itertools.permutations(range(len(weights))):
        left, chance = sum(weights), 1.0
        for place in order:
            chance *= weights[place] / left
            left -= weights[place]
        yield order, chance


def drawn(order: tuple[int, ...], scores: dict[str, float], number: int) -> Draws:
    guide = guides_of([NAMES[i] for i in order], scores, [WEIGHTS[i] for i in order])
    sums, counts, sizes = zip(*[UNITS[i] for i in order[:number]], strict=True)
    return Draws(sums, counts, sizes, first(guide, number))


OF = Population(5, 8, 3)
TRUTH = 4 / 6


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("larger", [True, False])
def test_at_the_true_mean_no_bet_has_an_edge(model: str, larger: bool) -> None:
    """The capital is 1 on average, over all orders and at each draw, whatever is predicted."""
    for number in range(1, 6):
        mean = 0.0
        for order, chance in orders(WEIGHTS):
            path = log_capital(
                drawn(order, MODELS[model], number), OF, [0.2, 0.05], TRUTH, larger=larger
            )
            mean += chance * math.exp(path[-1])
        assert mean == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_the_capital_of_who_doubts_never_grows_with_the_mean(model: str) -> None:
    """So the ends of an interval are found by halving."""
    grid = np.linspace(0.01, 0.99, 60)
    for order, _ in list(orders(WEIGHTS))[::7]:
        game = Game(drawn(order, MODELS[model], 4), OF, [0.2])
        left = OF.samples - sum(UNITS[i][2] for i in order[:4])
        total, count = (sum(UNITS[i][k] for i in order[:4]) for k in (0, 1))
        can_be = grid[(grid >= total / (count + left)) & (grid <= (total + left) / (count + left))]
        for larger, sign in ((True, 1), (False, -1)):
            most = game.log_capital(can_be, larger=larger)
            assert (sign * np.diff(most) <= 1e-12).all()


@pytest.mark.parametrize("model", MODELS)
def test_the_estimate_is_without_bias(model: str) -> None:
    """Of single samples, over all orders."""
    scores, names = [1.0, 0.0, 1.0, 1.0, 0.0], [["a"], ["b"], ["c"], ["g"], ["h"]]
    mean = 0.0
    for order, chance in orders(WEIGHTS):
        guide = guides_of([names[i] for i in order], MODELS[model], [WEIGHTS[i] for i in order])
        draws = Draws([scores[i] for i in order[:3]], [1] * 3, [1] * 3, first(guide, 3))
        mean += chance * Game(draws, Population(5, 5, 1)).mean()[0]
    assert mean == pytest.approx(0.6, abs=1e-9)


def test_without_a_guide_the_estimate_is_the_mean() -> None:
    draws = Draws([1.0, 0.0, 1.0, 1.0], [1] * 4, [1] * 4)
    value, variance = Game(draws, Population(9, 9, 1)).mean()
    assert value == pytest.approx(0.75)
    # That of a draw without replacement: s^2 / n (1 - n / N).
    assert variance == pytest.approx(0.25 / 4 * (1 - 4 / 9), rel=0.35)


def test_a_source_has_no_guide() -> None:
    draws = drawn((0, 1, 2, 3, 4), MODELS["right"], 3)
    with pytest.raises(ValueError, match="source"):
        mean_interval(draws, Population(5, 8, 3, is_sample=True), [0.1])


def test_units_come_in_proportion_to_their_weights() -> None:
    """The first of an order, and the second after each first."""
    seen = np.zeros((5, 5))
    for seed in range(4000):
        one, other, *_ = drawn_order(WEIGHTS, seed)
        seen[one, other] += 1
    shares = np.array(WEIGHTS) / sum(WEIGHTS)
    assert seen.sum(axis=1) / 4000 == pytest.approx(shares, abs=0.03)
    after = seen[2] / seen[2].sum()
    rest = sum(WEIGHTS) - WEIGHTS[2]
    assert after == pytest.approx([0.5 / rest, 1.2 / rest, 0, 0.7 / rest, 0.6 / rest], abs=0.05)
    assert drawn_order(WEIGHTS, 1) == drawn_order(WEIGHTS, 1)


def test_weights_by_hand() -> None:
    expected = Expected({"a": 0.5, "b": 1.0, "c": 0.9}, {}, 3)
    # Standard deviations .5, .05 (the least), .3 + .5 (unknown); sizes 1, 1, 2.
    found = weights_of([["a"], ["b"], ["c", "d"]], expected)
    spreads, sizes = np.array([0.5, 0.05, 0.8]), np.array([1, 1, 2])
    assert found == pytest.approx(list(0.5 * spreads / 0.45 + 0.5 * sizes / (4 / 3)))


def population(kind: str, rng: np.random.Generator, size: int = 600):
    """Scores, and what a model expects: right, noise, or the opposite of what is."""
    chances = rng.beta(1.5, 1.0, size)
    scores = (rng.random(size) < chances).astype(float)
    expected = {
        "right": chances, "wrong": rng.random(size), "adversarial": 0.98 * (1 - scores) + 0.01,
    }[kind]  # fmt: skip
    return scores, expected


@pytest.mark.parametrize("kind", ["right", "wrong", "adversarial"])
def test_misses_under_continuous_looking_and_coverage_at_one_look(kind: str) -> None:
    """`benchmarks/items.py` has the whole table; this is a slice of it."""
    rng = np.random.default_rng(7)
    runs, outside, missed = 150, 0, 0
    names = [[str(place)] for place in range(600)]
    of, ones = Population(600, 600, 1), [1] * 600
    for seed in range(runs):
        scores, chances = population(kind, rng)
        expected = Expected(
            {name: float(one) for (name,), one in zip(names, chances, strict=True)}, {}, 9
        )
        weights = weights_of(names, expected)
        order = drawn_order(weights, seed)
        guide = guides_of([names[i] for i in order], expected.scores, [weights[i] for i in order])
        draws = Draws(scores[order].tolist(), ones, ones, guide)
        outside += any(
            log_capital(draws, of, [0.04], scores.mean(), larger=larger).max() >= math.log(40)
            for larger in (True, False)
        )
        part = Draws(scores[order[:120]].tolist(), ones[:120], ones[:120], first(guide, 120))
        found = sampled_interval(part, of)
        missed += not found.low <= scores.mean() <= found.high
    most = 0.05 + norm.ppf(0.999) * math.sqrt(0.05 * 0.95 / runs)
    assert outside / runs <= most
    assert missed / runs <= most
