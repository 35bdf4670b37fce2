"""Several differences that are told together."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm, studentized_range

from chef.stats.estimate import Estimate
from chef.stats.paired import PairedDifference, correlations, joint, largest_deviations, paired_mean


def differences_of(scores, clusters=None, pairs=None):
    runs, n = scores.shape
    clusters = list(range(n)) if clusters is None else clusters
    pairs = list(combinations(range(runs), 2)) if pairs is None else pairs
    return [
        paired_mean(scores[one], scores[other], clusters, unit="0-1", higher_is_better=True)
        for one, other in pairs
    ]


@pytest.mark.parametrize("runs", [2, 3, 5, 8])
def test_all_pairs_are_tukeys(runs):
    pairs = list(combinations(range(runs), 2))
    contrasts = np.array([[(k == b) - (k == a) for k in range(runs)] for a, b in pairs]) / 2**0.5
    found = np.quantile(largest_deviations(contrasts @ contrasts.T), 0.95)
    assert found == pytest.approx(studentized_range.ppf(0.95, runs, np.inf) / 2**0.5, abs=0.02)


@pytest.mark.parametrize("count", [2, 4, 9])
def test_against_one_is_dunnetts(count):
    matrix = np.full((count, count), 0.5) + 0.5 * np.eye(count)
    largest = largest_deviations(matrix)
    for reach in (1.5, 2.2, 2.8):
        inside = multivariate_normal.cdf(
            [reach] * count, None, matrix, lower_limit=[-reach] * count
        )
        assert (largest <= reach).mean() == pytest.approx(inside, abs=0.004)


def test_correlations_are_those_of_the_clusters():
    rng = np.random.default_rng(0)
    scores = rng.random((3, 400))
    clusters = (np.arange(400) // 4).tolist()
    moves = [item.moves for item in differences_of(scores, clusters)]
    gains = np.array([scores[b] - scores[a] for a, b in combinations(range(3), 2)])
    sums = (gains - gains.mean(axis=1, keepdims=True)).reshape(3, 100, 4).sum(axis=2)
    assert correlations(moves) == pytest.approx(np.corrcoef(sums), abs=0.03)
    # Of other samples nothing is known.
    assert correlations([{"a": 1.0}, {"b": 1.0}]) == pytest.approx(np.eye(2))


def test_one_and_the_same_needs_no_correction():
    scores = np.random.default_rng(1).random((2, 100)) + np.array([[0.0], [0.06]])
    (single,) = differences_of(scores)
    for estimate, p_value in joint([single, single, single]):
        assert p_value == pytest.approx(single.p_value, abs=0.01)
        assert estimate.low == pytest.approx(single.estimate.low, abs=0.01)


def test_it_lies_between_none_and_bonferroni():
    scores = np.random.default_rng(2).random((4, 60)) + 0.05 * np.arange(4)[:, None]
    items = differences_of(scores)
    for item, (estimate, p_value) in zip(items, joint(items), strict=True):
        assert item.p_value <= p_value <= min(1.0, 6 * item.p_value) + 1e-12
        assert estimate.low < item.estimate.low
        assert estimate.high > item.estimate.high
        assert estimate.value == item.estimate.value


@pytest.mark.parametrize("kind", ["right or wrong", "scores", "clusters"])
def test_of_equal_runs_hardly_any_family_is_decided(kind):
    rng = np.random.default_rng(3)
    wrong, rounds = 0, 40
    for _ in range(rounds):
        hard = rng.normal(size=60)
        clusters = None
        if kind == "clusters":
            hard, clusters = np.repeat(rng.normal(size=60), 3), np.repeat(np.arange(60), 3).tolist()
        scores = hard + rng.normal(size=(4, len(hard)))
        if kind == "clusters":
            scores += np.repeat(rng.normal(size=(4, 60)), 3, axis=1)
        if kind != "scores":
            scores = (scores > 0).astype(float)
        found = joint(differences_of(scores, clusters))
        decided = [p <= 0.05 for _, p in found]
        assert decided == [not item.low <= 0 <= item.high for item, _ in found]
        wrong += any(decided)
    assert wrong <= rounds * 0.05 + 3 * (rounds * 0.05 * 0.95) ** 0.5


def test_power_is_more_than_that_of_bonferroni():
    rng, found = np.random.default_rng(4), {"joint": 0, "bonferroni": 0}
    for _ in range(40):
        scores = rng.normal(size=(5, 80)) + 0.45 * (np.arange(5) > 0)[:, None]
        items = differences_of(scores, pairs=[(0, run) for run in range(1, 5)])
        found["joint"] += sum(p <= 0.05 for _, p in joint(items))
        found["bonferroni"] += sum(4 * item.p_value <= 0.05 for item in items)
    assert found["joint"] > found["bonferroni"]


def test_what_cannot_be_told_stays():
    bare = PairedDifference(Estimate(1.0, 5), 1, None)
    known = PairedDifference(Estimate(2.0, 5, 1.0, 0.1, 3.9), 5, 0.04, freedom=np.inf, moves={1: 1})
    assert joint([bare, known]) == [(bare.estimate, None), (known.estimate, 0.04)]
    # The rule of three of two equal runs is wider, too.
    same = PairedDifference(Estimate(0.0, 5, 0.0, -0.45, 0.45), 5, 1.0)
    (wide, p_value), (other, adjusted) = joint([same, known])
    assert (wide.value, p_value) == (0.0, 1.0)
    assert wide.low < -0.45
    assert adjusted == pytest.approx(1 - (1 - 2 * norm.sf(2.0)) ** 2, abs=0.005)
    assert other.low <= 0 <= other.high


def test_no_joint_interval_reaches_beyond_what_can_be():
    draws = ([1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1])
    items = [
        paired_mean([0, 0, 0, 1], draw, list("abcd"), unit="0-1", higher_is_better=True).scaled(
            100, "%"
        )
        for draw in draws
    ]
    wide = [item.estimate.scaled(1, "%") for item in items]
    for (joined, _), single in zip(joint(items), wide, strict=True):
        assert -100 <= joined.low <= single.low
        assert single.high <= joined.high <= 100
    assert any(joined.high == 100 for joined, _ in joint(items))
