"""Confidence sequences, against the formula in plain Python and by simulation."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import norm

from chef.stats.confidence_sequence import (
    Draws,
    Population,
    difference_interval,
    log_capital,
    mean_interval,
)

#: A unit: the sum of its scores, how many were scored, and how many samples it has.
Unit = tuple[float, int, int]
THRESHOLD = math.log(2 / 0.05)


def draws_of(units: Sequence[Unit]) -> Draws:
    sums, counts, sizes = zip(*units, strict=True)
    return Draws(sums, counts, sizes)


def population_of(units: Sequence[Unit]) -> Population:
    sizes = [size for *_, size in units]
    return Population(len(units), sum(sizes), max(sizes))


def singles(scores: Sequence[float]) -> list[Unit]:
    return [(float(score), 1, 1) for score in scores]


def mean(units: Sequence[Unit]) -> float:
    return sum(unit[0] for unit in units) / sum(unit[1] for unit in units)


def capital_by_hand(
    units: Sequence[Unit], of: Population, aim: float, m: float, *, larger: bool
) -> list[float]:
    """The gambler's capital after each draw, as the docstring of the module tells it."""
    capital, path = 1.0, []
    seen: list[Unit] = []
    for total, count, size in units:
        t, n = len(seen), of.units
        y_before = sum(m * (1 - c / of.largest) + s / of.largest for s, c, _ in seen)
        expected = (n * m - y_before) / (n - t)
        # The variance of the residuals so far, with one prior draw of variance 1/4.
        variance, sums, counts = 0.25, 0.0, 0
        for s, c, _ in seen:
            variance += ((s - (0.5 + sums) / (1 + counts) * c) / of.largest) ** 2
            sums, counts = sums + s, counts + c
        variance /= 1 + t
        edge = aim * n / (n - t) * (of.samples / n / of.largest)
        bet = edge / (variance + edge**2)
        y = m * (1 - count / of.largest) + total / of.largest
        if larger:
            capital *= 1 + min(bet, 0.75 / expected) * (y - expected)
        else:
            capital *= 1 - min(bet, 0.75 / (1 - expected)) * (y - expected)
        path.append(capital)
        seen.append((total, count, size))
    return path


def mixed(seed: int) -> list[Unit]:
    """Units of 1 to 4 samples, of which some could not be scored."""
    rng = random.Random(seed)
    units = []
    for _ in range(40):
        size = rng.randint(1, 4)
        count = rng.randint(0, size) if rng.random() < 0.2 else size
        units.append((sum(rng.random() for _ in range(count)), count, size))
    return units


@pytest.mark.parametrize("larger", [True, False])
@pytest.mark.parametrize("units", [mixed(1), mixed(2), singles([1, 0, 1, 1, 0, 1, 1, 1] * 4)])
def test_the_capital_is_that_of_the_formula(units: list[Unit], larger: bool) -> None:
    of, drawn = population_of(units), units[:12]  # what is left could give any of these means
    for m in (mean(units), 0.4, 0.55):
        found = log_capital(draws_of(drawn), of, [0.1], m, larger=larger)
        by_hand = capital_by_hand(drawn, of, 0.1, m, larger=larger)
        assert np.exp(found) == pytest.approx(by_hand, rel=1e-9)
        # Several aims share the capital.
        shared = np.exp(log_capital(draws_of(drawn), of, [0.1, 0.3], m, larger=larger))
        other = capital_by_hand(drawn, of, 0.3, m, larger=larger)
        assert shared == pytest.approx((np.array(by_hand) + other) / 2, rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_is_that_of_a_grid(seed: int) -> None:
    """It holds the means whose capital, by hand, never reached 2 / alpha."""
    units = mixed(seed)
    of, drawn = population_of(units), units[:25]
    found = mean_interval(draws_of(drawn), of, [0.1])
    left = of.samples - sum(unit[2] for unit in drawn)
    total, count = sum(unit[0] for unit in drawn), sum(unit[1] for unit in drawn)
    step = 0.002
    kept = [
        m
        for m in np.arange(step, 1, step)
        if total / (count + left) <= m <= (total + left) / (count + left)
        and max(capital_by_hand(drawn, of, 0.1, m, larger=True)) < 40
        and max(capital_by_hand(drawn, of, 0.1, m, larger=False)) < 40
    ]
    assert kept[0] - step <= found.low <= kept[0]
    assert kept[-1] <= found.high <= kept[-1] + step


def test_the_intervals_are_nested_and_end_at_the_value() -> None:
    units = mixed(5)
    of = population_of(units)
    before = (0.0, 1.0)
    for n in range(1, len(units) + 1):
        found = mean_interval(draws_of(units[:n]), of, [0.1])
        assert found.low <= found.value <= found.high
        # Apart from the value itself, which always belongs to it.
        assert found.low >= min(before[0], found.value) - 1e-6
        assert found.high <= max(before[1], found.value) + 1e-6
        before = found.low, found.high
    assert before == pytest.approx((mean(units), mean(units)))


def test_nothing_scored_tells_nothing() -> None:
    found = mean_interval(Draws([0.0], [0], [1]), Population(5, 5, 1), [0.1])
    assert (found.low, found.high) == (0, 1)


POPULATIONS = {
    "half": singles([1, 0] * 100),
    "nine in ten": singles(([1] * 9 + [0]) * 30),
    "nearly all": singles([1] * 297 + [0] * 3),
    "skewed": singles(list(np.random.default_rng(0).beta(0.3, 2, 300))),
    "continuous": singles(list(np.random.default_rng(1).uniform(size=300))),
    "small": singles([1] * 35 + [0] * 15),
    "sorted": singles(sorted(np.random.default_rng(2).uniform(size=200))),
    # Large groups are right, small ones wrong: the mean of the units is far from that of samples.
    "unequal groups": [(4.0, 4, 4)] * 40 + [(0.0, 1, 1)] * 60,
    # What fails is what would be hard.
    "failures": [(1.0, 1, 1)] * 100 + [(0.0, 1, 1)] * 60 + [(0.0, 0, 1)] * 40,
}


@pytest.mark.parametrize("name", POPULATIONS)
def test_the_error_rate_under_continuous_looking(name: str) -> None:
    """The true mean is ever outside, at any draw, in at most 5 % of random orders.

    It is outside from the first draw on at which one of its gamblers has 40 times his money.
    """
    units = POPULATIONS[name]
    of, truth, rng = population_of(units), mean(units), random.Random(name)
    runs, errors = 400, 0
    for _ in range(runs):
        drawn = draws_of(rng.sample(units, len(units)))
        errors += any(
            log_capital(drawn, of, [0.05], truth, larger=larger).max() >= THRESHOLD
            for larger in (True, False)
        )
    # 5 %, and what 400 runs leave open (one-sided, 99.9 %).
    assert errors / runs <= 0.05 + norm.ppf(0.999) * math.sqrt(0.05 * 0.95 / runs)


def test_intervals_cover_where_a_run_stops() -> None:
    """Stopping at the first interval that is narrow enough does not spoil it."""
    units, rng, errors, stopped = singles([1] * 340 + [0] * 60), random.Random(0), 0, []
    for _ in range(100):
        order = rng.sample(units, len(units))
        for n in range(20, len(units) + 1, 20):
            found = mean_interval(draws_of(order[:n]), population_of(units), [0.04])
            if found.reach <= 0.04:
                break
        errors += not found.low - 1e-9 <= 0.85 <= found.high + 1e-9
        stopped.append(n)
    assert errors <= 11  # 5 of 100, and what chance adds in one of a hundred simulations
    assert np.mean(stopped) < 340


def test_the_width_is_near_that_of_a_fixed_number() -> None:
    """A fixed number of samples would give a normal interval of 1.96 / 2.72 of the width."""
    rng = random.Random(0)
    units = singles([1] * 1800 + [0] * 200)
    for n in (300, 600, 1200):
        fixed = 1.96 * 0.3 / math.sqrt(n) * math.sqrt(1 - n / 2000)
        widths = [
            mean_interval(draws_of(rng.sample(units, n)), population_of(units), [fixed * 1.4]).reach
            for _ in range(10)
        ]
        assert 1.0 < np.mean(widths) / fixed < 1.65


def test_paired_differences() -> None:
    rng = random.Random(0)
    scores = [rng.choice([1, 0, 0, 0, -1]) * 1.0 for _ in range(300)] + [1.0] * 60
    order = rng.sample(singles(scores), len(scores))
    of, truth = population_of(order), float(np.mean(scores))
    for n in (50, 150, 359):
        found = difference_interval(draws_of(order[:n]), of, [0.1])
        assert found.low <= truth <= found.high
        assert found.value == pytest.approx(float(np.mean([unit[0] for unit in order[:n]])))
    whole = difference_interval(draws_of(order), of, [0.1])
    assert (whole.low, whole.high) == pytest.approx((truth, truth))


def test_twenty_thousand_draws_take_no_time() -> None:
    import time

    units = singles([1, 1, 1, 0] * 10_000)
    drawn, before = draws_of(random.Random(0).sample(units, 20_000)), time.process_time()
    found = mean_interval(drawn, population_of(units), [0.01])
    assert time.process_time() - before < 20
    assert found.reach < 0.01


def test_draws_that_refute_every_mean_claim_nothing() -> None:
    """All right, then all wrong, then all right: no mean is left, and the interval is wide."""
    scores = [1.0] * 200 + [0.0] * 2000 + [1.0] * 2000
    ones = [1] * len(scores)
    found = mean_interval(Draws(scores, ones, ones), Population(6000, 6000, 1), [0.03])
    assert found.value == pytest.approx(2200 / 4200)
    assert (found.low, found.high) == pytest.approx((2200 / 6000, 4000 / 6000))
