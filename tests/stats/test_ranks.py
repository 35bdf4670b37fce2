"""The places of several runs, and the best of them."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from chef.stats.estimate import Estimate
from chef.stats.figures import share
from chef.stats.paired import PairedDifference, best_of, joint_level, rank_intervals, single_mean


@pytest.mark.parametrize(
    ("better", "places"),
    [
        ([], {"a": (1, 4), "b": (1, 4), "c": (1, 4), "d": (1, 4)}),
        # a before all others, of which nothing is known
        ([("a", "b"), ("a", "c"), ("a", "d")],
         {"a": (1, 1), "b": (2, 4), "c": (2, 4), "d": (2, 4)}),
        # two good ones and two bad ones
        ([("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")],
         {"a": (1, 2), "b": (1, 2), "c": (3, 4), "d": (3, 4)}),
        # only the ends are told apart
        ([("d", "a")], {"a": (2, 4), "b": (1, 4), "c": (1, 4), "d": (1, 3)}),
    ],
)  # fmt: skip
def test_places_by_hand(better, places):
    found = rank_intervals("abcd", better)
    assert {name: (item.start, item.stop - 1) for name, item in found.items()} == places


def alone(value, n=100, up=True, moves=None, unit="0-1"):
    reach = 0.1
    estimate = Estimate(value, n, 0.05, value - reach, value + reach, unit, higher_is_better=up)
    return PairedDifference(estimate, n, None, moves=moves or {})


def test_the_best_of_two_that_have_nothing_in_common_is_sidaks():
    name, estimate = best_of({"a": alone(0.5), "b": alone(0.6)})
    wider = norm.ppf((1 + math.sqrt(0.95)) / 2) / norm.ppf(0.975)
    assert name == "b"
    assert estimate.low == pytest.approx(0.6 - 0.1 * wider, abs=0.001)
    assert estimate.high == pytest.approx(0.6 + 0.1 * wider, abs=0.001)


def test_runs_that_move_alike_need_no_correction():
    moves = {"x": 1.0, "y": -1.0}
    _, estimate = best_of({"a": alone(0.5, moves=moves), "b": alone(0.6, moves=moves)})
    assert (estimate.low, estimate.high) == pytest.approx((0.5, 0.7), abs=1e-3)
    assert joint_level([moves] * 5) == pytest.approx(0.05, abs=0.001)


def test_the_best_error_is_the_lowest_and_a_share_ends_at_its_bounds():
    assert best_of({"a": alone(0.5, up=False), "b": alone(0.6, up=False)})[0] == "a"
    assert best_of({"a": alone(0.5, up=None), "b": alone(0.6, up=None)}) is None
    assert best_of({"a": alone(0.5), "b": alone(0.95)})[1].high == 1.0
    assert best_of({"a": alone(50.0, unit="%"), "b": alone(99.95, unit="%")})[1].high == 100.0
    bare = PairedDifference(Estimate(0.4, 9), 9, None)
    assert best_of({"a": alone(0.5), "b": bare}) is None
    assert best_of({"a": alone(0.5)}) is None


def test_the_best_of_equal_runs_is_covered():
    """The interval of the best by itself misses more often than one in twenty."""
    rng = np.random.default_rng(5)
    missed = {"alone": 0, "chosen": 0}
    for _ in range(150):
        hard = rng.normal(size=100)
        scores = [(hard + rng.normal(size=100) < 0).astype(float) for _ in range(8)]
        owns = [share(item.tolist(), range(100), "0-1") for item in scores]
        items = {
            str(place): single_mean(item, range(100), own)
            for place, (item, own) in enumerate(zip(scores, owns, strict=True))
        }
        name, chosen = best_of(items)
        for key, estimate in (("alone", owns[int(name)]), ("chosen", chosen)):
            missed[key] += not estimate.low <= 0.5 <= estimate.high
    assert missed["chosen"] <= 7
    assert missed["alone"] > missed["chosen"]
