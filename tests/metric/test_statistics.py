import math
import random

import numpy as np
import pytest
from chef.metric.statistics import (
    bootstrap,
    bootstrap_mean,
    bootstrap_ratio,
    clustered_proportion,
    proportion,
    wilson,
)
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    # Solutions of |p - q| = z sqrt(q (1 - q) / n) for q, by hand: with z = 1.959964.
    [(0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0), (5, 10, 0.236593, 0.763407)],
)
def test_wilson_by_hand(hits, n, low, high):
    assert wilson(hits / n, n) == pytest.approx((low, high), abs=1e-6)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_proportion_and_solves_its_equation(case):
    hits, n = case
    p = hits / n
    low, high = wilson(p, n)
    assert 0 <= low <= p <= high <= 1
    assert low < high
    z = 1.959963984540054
    for bound in (low, high):
        if 0 < bound < 1:
            distance = z * math.sqrt(bound * (1 - bound) / n)
            assert abs(p - bound) == pytest.approx(distance, abs=1e-9)


def test_proportion_in_percent():
    estimate = proportion(3, 4)
    assert (estimate.value, estimate.n, estimate.unit, estimate.method) == (75, 4, "%", "wilson")
    assert estimate.stderr == pytest.approx(100 * math.sqrt(0.75 * 0.25 / 4))
    assert proportion(3, 4, "0-1").value == 0.75


def test_clusters_by_hand():
    # Three clusters with shares 2/2, 0/2, 1/2 around p = 1/2: sums of residuals 1, -1, 0.
    estimate = clustered_proportion([1, 1, 0, 0, 1, 0], list("aabbcc"), "0-1")
    assert estimate.value == 0.5
    assert estimate.stderr == pytest.approx(math.sqrt(2 / 36 * 3 / 2))
    assert (estimate.low, estimate.high) == pytest.approx(wilson(0.5, 0.25 / (2 / 36 * 3 / 2)))


def test_items_that_stand_alone_are_no_clusters():
    assert clustered_proportion([1, 0, 1], ["a", "b", "c"]) == proportion(2, 3)
    assert clustered_proportion([], []).value is None


def test_clusters_that_are_all_right_count_once_each():
    estimate = clustered_proportion([1] * 6, list("aaabbb"), "0-1")
    assert (estimate.value, estimate.stderr) == (1, 0)
    assert estimate.low == pytest.approx(wilson(1.0, 2)[0])


def test_copies_of_an_item_add_nothing():
    plain = proportion(30, 40)
    twice = clustered_proportion([1] * 60 + [0] * 20, [n // 2 for n in range(80)])
    assert twice.high - twice.low == pytest.approx(plain.high - plain.low, rel=0.05)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_clustered_intervals_hold_the_share(items):
    hits = [float(hit) for hit, _ in items]
    clusters = [cluster for _, cluster in items]
    estimate = clustered_proportion(hits, clusters, "0-1")
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert estimate.value == pytest.approx(sum(hits) / len(hits))
    shuffled = clustered_proportion(hits[::-1], clusters[::-1], "0-1")
    assert shuffled.stderr == pytest.approx(estimate.stderr, abs=1e-12)


def test_nothing_has_no_value():
    for estimate in (proportion(0, 0), bootstrap_mean([]), bootstrap_ratio([], [])):
        assert estimate.value is None
        assert estimate.n == 0
        assert estimate.stderr is estimate.low is estimate.high is None


def test_one_item_has_a_value_and_no_interval():
    estimate = bootstrap_mean([3.0])
    assert (estimate.value, estimate.low, estimate.stderr) == (3.0, None, None)


def test_standard_error_of_a_mean_is_the_known_one():
    rng = np.random.default_rng(3)
    values = rng.normal(size=400)
    estimate = bootstrap_mean(list(values), resamples=4000)
    assert estimate.value == pytest.approx(values.mean())
    assert estimate.stderr == pytest.approx(values.std() / math.sqrt(400), rel=0.05)
    assert estimate.low == pytest.approx(values.mean() - 1.96 * estimate.stderr, abs=0.01)
    assert estimate.high == pytest.approx(values.mean() + 1.96 * estimate.stderr, abs=0.01)


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        estimate = bootstrap_mean(list(rng.exponential(size=60)))
        covered += estimate.low <= 1.0 <= estimate.high
    assert 0.88 <= covered / 200 <= 0.99


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30), st.randoms())
def test_bootstrap_is_deterministic_and_blind_to_order(values, shuffler):
    first = bootstrap_mean(values)
    other = list(values)
    shuffler.shuffle(other)
    assert bootstrap_mean(other) == first
    assert bootstrap_mean(values) == first


def test_the_seed_matters():
    values = [random.Random(1).random() for _ in range(50)]
    values = [value + i % 7 for i, value in enumerate(values)]
    assert bootstrap_mean(values, seed=0).low != bootstrap_mean(values, seed=1).low


def test_large_data_goes_through_in_blocks(monkeypatch):
    values = [float(i % 13) for i in range(100)]
    whole = bootstrap_mean(values)
    monkeypatch.setattr("chef.metric.statistics._BLOCK", 1000)
    assert bootstrap_mean(values) == whole


def test_ratio_pools_before_dividing():
    estimate = bootstrap_ratio([1.0, 0.0], [1.0, 9.0])
    assert estimate.value == pytest.approx(0.1)  # not the mean of 1 and 0
    assert bootstrap_ratio([0.0], [0.0]).value is None


def test_a_ratio_that_is_undefined_in_some_resamples_keeps_its_interval():
    estimate = bootstrap_ratio([1.0, 0.0, 1.0], [1.0, 0.0, 2.0])
    assert estimate.value == pytest.approx(2 / 3)
    assert estimate.low is not None
    assert 0.5 <= estimate.low <= estimate.high <= 1


def test_any_statistic_of_weights_and_rows():
    rows = np.arange(1.0, 6.0)

    def largest(weights, table):
        return np.where(weights > 0, table[:, 0], -np.inf).max(axis=1)

    estimate = bootstrap(rows, largest, unit="count")
    assert (estimate.value, estimate.high, estimate.unit) == (5.0, 5.0, "count")
    assert estimate.low < 5.0
