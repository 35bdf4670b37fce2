"""Confidence sequences against their definition, without a look at how they are computed.

Waudby-Smith and Ramdas (2024): at the true mean the capital of either gambler is a martingale that
starts at 1, in every order of a benchmark that is drawn without replacement. That is checked here
exactly, over all orders of small benchmarks, and by simulation for larger ones.
"""

import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from chef.stats.confidence_sequence import (
    Draws,
    Interval,
    Population,
    difference_interval,
    log_capital,
    mean_interval,
)

AIMS = [0.05, 0.15]
Unit = tuple[float, int, int]
"""The sum of the scores of a unit, how many samples were scored, and how many it has."""

SINGLES: list[Unit] = [
    (1, 1, 1),
    (0, 1, 1),
    (1, 1, 1),
    (1, 1, 1),
    (0, 1, 1),
    (0.5, 1, 1),
    (1, 1, 1),
]
RARE: list[Unit] = [(0, 1, 1)] * 6 + [(1, 1, 1)]
UNEQUAL: list[Unit] = [(3, 3, 3), (0, 1, 1), (1, 2, 2), (0.25, 1, 1), (2, 2, 2), (0, 3, 3)]
FAILED: list[Unit] = [(2, 2, 3), (0, 0, 1), (1, 2, 2), (0, 1, 2), (1, 1, 1), (0, 0, 2), (1, 1, 1)]
SMALL = {"single": SINGLES, "rare": RARE, "unequal": UNEQUAL, "failed": FAILED}


def population(units: list[Unit]) -> Population:
    sizes = [size for _, _, size in units]
    return Population(len(units), sum(sizes), max(sizes))


def draws(units) -> Draws:
    units = list(units)
    return Draws([u[0] for u in units], [u[1] for u in units], [u[2] for u in units])


def truth(units: list[Unit]) -> float:
    return float(Fraction(sum(Fraction(s) for s, _, _ in units), sum(c for _, c, _ in units)))


def capital(units, of: Population, m: float, *, larger: bool) -> list[float]:
    return [math.exp(v) for v in log_capital(draws(units), of, AIMS, m, larger=larger)]


@pytest.mark.parametrize("larger", [True, False])
@pytest.mark.parametrize("name", SMALL)
def test_at_the_truth_no_bet_has_an_edge_after_any_start(name, larger):
    """Over what may be drawn next, the mean of the capital is what it was before."""
    units = SMALL[name]
    of, mean = population(units), truth(units)
    moved = False
    for length in range(len(units) - 1):
        for start in itertools.permutations(range(len(units)), length):
            rest = [i for i in range(len(units)) if i not in start]
            drawn = [units[i] for i in start]
            before = capital(drawn, of, mean, larger=larger)[-1] if drawn else 1.0
            after = [capital([*drawn, units[i]], of, mean, larger=larger)[-1] for i in rest]
            assert math.fsum(after) / len(after) == pytest.approx(before, rel=1e-9)
            moved = moved or max(after) > 1.05
        if length == 3 and len(units) > 6:
            break
    assert moved


@pytest.mark.parametrize("larger", [True, False])
@pytest.mark.parametrize("name", SMALL)
def test_at_the_truth_of_a_source_no_bet_has_an_edge_after_any_draws(name, larger):
    """The same where units are drawn with replacement: what was drawn may come again."""
    units = SMALL[name]
    of, mean = replace(population(units), is_sample=True), truth(units)
    for length in range(4):
        for start in itertools.islice(itertools.product(units, repeat=length), 0, None, 5):
            before = capital(start, of, mean, larger=larger)[-1] if start else 1.0
            after = [capital([*start, unit], of, mean, larger=larger)[-1] for unit in units]
            assert math.fsum(after) / len(after) == pytest.approx(before, rel=1e-9)
            assert max(after) > before


@pytest.mark.parametrize("name", SMALL)
def test_a_draw_multiplies_the_capital_by_a_line_in_its_value(name):
    """One bet for all that may come: it cannot have been chosen by what came."""
    of, start = population(SMALL[name]), SMALL[name][:3]
    for m in (0.35, 0.6):
        for larger in (True, False):
            ends = [(0, 1, 1), (0.25, 1, 1), (0.5, 1, 1), (1, 1, 1)]
            at = [capital([*start, end], of, m, larger=larger)[-1] for end in ends]
            slope = at[3] - at[0]
            assert at[1] - at[0] == pytest.approx(slope / 4, abs=1e-9)
            assert at[2] - at[0] == pytest.approx(slope / 2, abs=1e-9)
            assert slope >= 0 if larger else slope <= 0


@pytest.mark.parametrize("name", SMALL)
def test_all_orders_of_a_small_benchmark(name):
    """Of all orders, those in which the truth is outside at any look are at most alpha."""
    units = SMALL[name]
    of, mean = population(units), truth(units)
    most = []
    for order in set(itertools.permutations(units)):
        part = draws(order[:-1])
        most.append(
            max(
                np.max(log_capital(part, of, AIMS, mean, larger=larger)) for larger in (True, False)
            )
        )
        if len(most) % 100 == 0:  # what the capital says is what the interval says
            low, high = (
                getattr(mean_interval(part, of, AIMS, 0.6), end) for end in ("low", "high")
            )
            outside = not low - 1e-6 <= mean <= high + 1e-6
            assert not outside or most[-1] >= math.log(2 / 0.6) - 1e-6
    for alpha in (0.05, 0.2, 0.5, 0.8, 1):
        assert np.mean(np.array(most) >= math.log(2 / alpha)) <= alpha


def paths(scores: np.ndarray, orders: int, seed: int) -> float:
    """The share of random orders in which the truth is ever refuted at 5%."""
    of, mean = Population(len(scores), len(scores), 1), float(scores.mean())
    ones = [1] * len(scores)
    rng = np.random.default_rng(seed)
    missed = 0
    for _ in range(orders):
        drawn = Draws(list(rng.permutation(scores)), ones, ones)
        most = max(
            np.max(log_capital(drawn, of, [0.03], mean, larger=larger)[:-1])
            for larger in (True, False)
        )
        missed += most >= math.log(40)
    return missed / orders


@pytest.mark.parametrize("mean", [0.02, 0.5, 0.9])
def test_the_truth_is_held_at_all_looks_together(mean):
    scores = np.zeros(200)
    scores[: round(200 * mean)] = 1
    assert paths(scores, 1500, 7) <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 1500)


def random_units(rng: random.Random, count: int) -> list[Unit]:
    units = []
    for _ in range(count):
        size = rng.randint(1, 6)
        scored = sum(rng.random() < 0.85 for _ in range(size))
        right = rng.random()
        units.append((float(sum(rng.random() < right for _ in range(scored))), scored, size))
    return units


def test_the_truth_is_held_over_many_populations_with_groups_and_failures():
    rng = random.Random(3)
    runs, missed = 300, 0
    for _ in range(runs):
        units = random_units(rng, rng.randint(20, 120))
        of, mean = population(units), truth(units)
        rng.shuffle(units)
        last = mean_interval(draws(units[:-1]), of, AIMS)
        missed += not last.low - 1e-9 <= mean <= last.high + 1e-9
    assert missed / runs <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize("name", SMALL)
def test_when_all_is_drawn_it_is_the_value(name):
    units = SMALL[name]
    all_of_it = mean_interval(draws(units), population(units), AIMS)
    assert all_of_it.low == pytest.approx(truth(units))
    assert all_of_it.high == pytest.approx(truth(units))
    assert all_of_it.value == pytest.approx(truth(units))


def random_start(seed: int) -> tuple[list[Unit], Population]:
    rng = random.Random(seed)
    units = random_units(rng, 60)
    return units, population(units)


def test_it_is_never_empty_and_only_shrinks_and_keeps_within_what_is_possible():
    for seed in range(8):
        units, of = random_start(seed)
        if seed >= 4:  # an order that no random draw gives: all the good ones first
            units.sort(key=lambda u: -u[0] / max(u[1], 1))
        last = Interval(0.5, 0.0, 1.0)
        for t in range(1, len(units) + 1, 3):
            now = mean_interval(draws(units[:t]), of, AIMS)
            assert now.low <= now.high
            if t < len(units) - 3 and seed < 4:
                assert now.low >= last.low - 1e-6
                assert now.high <= last.high + 1e-6
            assert now.low >= 0
            assert now.high <= 1
            right, scored = sum(u[0] for u in units[:t]), sum(u[1] for u in units[:t])
            left = sum(u[2] for u in units[t:])
            if seed < 4:
                assert now.low >= right / (scored + left) - 1e-9
                assert now.high <= (right + left) / (scored + left) + 1e-9
            last = now


def test_wrong_for_right_turns_it_around():
    units, of = random_start(11)
    mirrored = [(scored - right, scored, size) for right, scored, size in units]
    for t in (5, 20, 45):
        one = mean_interval(draws(units[:t]), of, AIMS)
        other = mean_interval(draws(mirrored[:t]), of, AIMS)
        assert one.low == pytest.approx(1 - other.high, abs=1e-6)
        assert one.high == pytest.approx(1 - other.low, abs=1e-6)


def test_it_holds_what_the_capital_has_not_refuted():
    """Bisection finds the ends that a fine grid finds."""
    units, of = random_start(5)
    for t in (10, 25, 40):
        drawn = draws(units[:t])
        interval = mean_interval(drawn, of, AIMS)
        for m in np.linspace(0.005, 0.995, 100):
            if min(abs(m - interval.low), abs(m - interval.high)) < 1e-4:
                continue
            right, scored = sum(drawn.sums), sum(drawn.counts)
            left = sum(u[2] for u in units[t:])
            possible = right / (scored + left) <= m <= (right + left) / (scored + left)
            refuted = not possible or any(
                max(log_capital(drawn, of, AIMS, float(m), larger=larger)) >= math.log(40)
                for larger in (True, False)
            )
            assert refuted == (not interval.low < m < interval.high)


def test_what_a_unit_holds_does_not_matter_beyond_its_sum():
    """A benchmark of units of three equal samples is nearly that of their means."""
    rng = random.Random(1)
    scores = [float(rng.random() < 0.7) for _ in range(50)]
    single = mean_interval(draws([(s, 1, 1) for s in scores[:30]]), Population(50, 50, 1), AIMS)
    tripled = mean_interval(
        draws([(3 * s, 3, 3) for s in scores[:30]]), Population(50, 150, 3), AIMS
    )
    assert (tripled.low, tripled.high) == pytest.approx((single.low, single.high), abs=0.01)


def test_differences_are_scores_on_another_scale():
    rng = random.Random(2)
    of = Population(80, 80, 1)
    pairs = [(float(rng.random() < 0.8), float(rng.random() < 0.4)) for _ in range(80)]
    difference = [(a - b, 1, 1) for a, b in pairs[:50]]
    there = difference_interval(draws(difference), of, [0.1])
    back = difference_interval(draws((-d, c, s) for d, c, s in difference), of, [0.1])
    mean = mean_interval(draws(((d + 1) / 2, c, s) for d, c, s in difference), of, [0.05])
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-6)
    assert (there.low, there.high) == pytest.approx((2 * mean.low - 1, 2 * mean.high - 1), abs=1e-6)
    assert there.low <= sum(a - b for a, b in pairs) / 80 <= there.high


def test_a_source_is_known_less_well_than_the_benchmark_drawn_from_it():
    units, of = random_start(4)
    source = replace(of, is_sample=True)
    for t in (20, 45, 60):
        here, there = (mean_interval(draws(units[:t]), one, AIMS) for one in (of, source))
        assert there.reach > here.reach
        assert there.low < here.value < there.high
    assert there.reach > 0.05


def test_a_smaller_alpha_is_wider():
    units, of = random_start(9)
    wide = mean_interval(draws(units[:30]), of, AIMS, 0.01)
    narrow = mean_interval(draws(units[:30]), of, AIMS, 0.2)
    assert wide.low < narrow.low < narrow.high < wide.high
