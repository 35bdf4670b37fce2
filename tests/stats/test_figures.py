"""Single figures and their intervals, against formulas by hand, statsmodels and simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, t
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import proportion_confint

from chef.stats.figures import f1, mean, of_sums, ratio, share
from chef.stats.influence import ClusterSums, of_function, of_ratio
from chef.stats.scales import wilson


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
    assert (low, high) == pytest.approx(proportion_confint(hits, n, method="wilson"), abs=1e-12)
    z = 1.959963984540054
    for bound in (low, high):
        if 0 < bound < 1:
            distance = z * math.sqrt(bound * (1 - bound) / n)
            assert abs(p - bound) == pytest.approx(distance, abs=1e-9)


def test_share_in_percent():
    estimate = share([1, 1, 1, 0], None)
    assert (estimate.value, estimate.n, estimate.unit, estimate.method) == (75, 4, "%", "wilson")
    assert estimate.stderr == pytest.approx(100 * math.sqrt(0.75 * 0.25 / 4))
    assert (estimate.clusters, estimate.effective_n) == (4, 4)
    assert share([1, 1, 1, 0], None, "0-1").value == 0.75
    assert (0.01 * estimate.low, 0.01 * estimate.high) == pytest.approx(wilson(0.75, 4))


def test_clusters_by_hand():
    # Three clusters with shares 2/2, 0/2, 1/2 around p = 1/2: sums of residuals 1, -1, 0.
    estimate = share([1, 1, 0, 0, 1, 0], list("aabbcc"), "0-1")
    variance = 2 / 36 * 3 / 2
    assert (estimate.value, estimate.clusters) == (0.5, 3)
    assert estimate.stderr == pytest.approx(math.sqrt(variance))
    assert estimate.effective_n == pytest.approx(0.25 / variance)
    reach = t.ppf(0.975, 2)
    assert (estimate.low, estimate.high) == pytest.approx(wilson(0.5, 0.25 / variance, reach))


def test_items_that_stand_alone_are_no_clusters():
    assert share([1, 0, 1], ["a", "b", "c"]) == share([1, 0, 1], None)
    assert share([], []).value is None


def test_all_questions_about_one_image_have_no_interval():
    estimate = share([1.0] * 10 + [0.0] * 10, ["image"] * 20)
    assert (estimate.value, estimate.clusters) == (50, 1)
    assert estimate.low is estimate.high is estimate.stderr is None


def test_clusters_that_are_all_right_count_once_each():
    estimate = share([1] * 6, list("aaabbb"), "0-1")
    assert (estimate.value, estimate.stderr) == (1, 0)
    assert estimate.low == pytest.approx(wilson(1.0, 2)[0])


def test_copies_of_an_item_add_nothing():
    plain = share([1.0] * 30 + [0.0] * 10, None)
    twice = share([1] * 60 + [0] * 20, [n // 2 for n in range(80)])
    assert twice.high - twice.low == pytest.approx(plain.high - plain.low, rel=0.05)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_clustered_intervals_hold_the_share(items):
    hits = [float(hit) for hit, _ in items]
    clusters = [cluster for _, cluster in items]
    estimate = share(hits, clusters, "0-1")
    assert estimate.value == pytest.approx(sum(hits) / len(hits))
    if len(set(clusters)) == 1 < len(hits):
        assert estimate.low is None
        return
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert share(hits[::-1], clusters[::-1], "0-1") == estimate


def test_fractional_scores_have_their_own_variance():
    """It is that of the scores, not that of coins with this mean."""
    scores = [1.0, 0.9, 0.8, 0.7] * 25
    estimate = share(scores, None, "0-1")
    assert estimate.stderr == pytest.approx(np.std(scores, ddof=1) / 10)
    assert estimate.high - estimate.low < 0.25 * np.diff(wilson(0.85, 100))[0] * 2
    assert estimate.effective_n > 100


def test_nothing_has_no_value():
    for estimate in (share([], []), mean([], []), ratio([], [], []), of_sums([], sum, [])):
        assert estimate.value is None
        assert estimate.n == 0
        assert estimate.stderr is estimate.low is estimate.high is None


def test_one_item_has_a_value_and_no_interval():
    estimate = mean([3.0], None)
    assert (estimate.value, estimate.low, estimate.stderr) == (3.0, None, None)


def test_mean_on_any_scale_is_that_of_statsmodels():
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(20), 4)
    values = rng.normal(size=80) + rng.normal(size=20)[clusters]
    fit = OLS(values, np.ones(80)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    estimate = mean(values.tolist(), clusters.tolist())
    assert estimate.stderr == pytest.approx(fit.bse[0])
    low, high = fit.conf_int()[0]
    # The effective number of clusters is theirs; Satterthwaite may leave fewer degrees of freedom.
    assert estimate.low <= low + 1e-9 < high - 1e-9 <= estimate.high
    assert estimate.high - estimate.low == pytest.approx(high - low, rel=0.1)


@pytest.mark.parametrize("function", [mean, share])
def test_intervals_cover_the_truth_about_as_often_as_they_say(function):
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(300):
        values = rng.exponential(size=60) if function is mean else rng.beta(3, 1, size=60)
        keys = {"least": 0.0} if function is mean else {"unit": "0-1"}
        estimate = function(values.tolist(), None, **keys)
        covered += estimate.low <= (1.0 if function is mean else 0.75) <= estimate.high
    assert 0.92 <= covered / 300 <= 0.98


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30), st.randoms())
def test_figures_are_blind_to_order(values, shuffler):
    clusters = [round(value) % 4 for value in values]
    places = list(range(len(values)))
    shuffler.shuffle(places)
    other = mean([values[place] for place in places], [clusters[place] for place in places])
    assert other == mean(values, clusters)


def test_ratio_pools_before_dividing():
    estimate = ratio([1.0, 0.0], [1.0, 9.0], None, "0-1")
    assert estimate.value == pytest.approx(0.1)  # not the mean of 1 and 0
    assert ratio([0.0], [0.0], None).value is None


def test_samples_without_a_part_in_a_ratio_are_no_clusters():
    estimate = ratio([1.0, 0.0, 1.0], [1.0, 0.0, 2.0], None, "0-1")
    assert estimate.value == pytest.approx(2 / 3)
    assert (estimate.n, estimate.clusters) == (3, 2)
    assert 0 <= estimate.low <= estimate.high <= 1


def test_a_function_of_sums_agrees_with_the_ratio_that_it_is():
    rng = np.random.default_rng(6)
    rows = np.column_stack([rng.integers(0, 3, 40), np.full(40, 3.0)])
    clusters = [place // 4 for place in range(40)]
    table = ClusterSums.of(rows, clusters)
    exact, left_out = of_ratio(table), of_function(table, lambda sums: sums[:, 0] / sums[:, 1])
    assert left_out.variance == pytest.approx(exact.variance)
    assert left_out.freedom == pytest.approx(exact.freedom - 1)  # one for the function's curve


@pytest.mark.parametrize(("right", "wrong"), [(5, 0), (20, 0), (17, 2), (0, 4)])
def test_f1_is_on_the_scale_of_its_ratio(right, wrong):
    """By hand: q = TP / (TP + FP + FN) and F1 = 2 q / (1 + q)."""
    hits = [1.0] * right + [0.0] * wrong
    misses = [1 - hit for hit in hits]
    estimate = f1(hits, misses, [0.0] * len(hits), None)
    low, high = wilson(right / len(hits), len(hits))
    assert estimate.value == pytest.approx(2 * right / (2 * right + wrong))
    assert estimate.low == pytest.approx(2 * low / (1 + low))
    assert estimate.high == pytest.approx(2 * high / (1 + high))


def test_perfect_figures_are_not_certain():
    rows = [[1.0, 1.0]] * 20
    for estimate in (
        ratio([2.0] * 20, [2.0] * 20, None, "0-1"),
        mean([1.0] * 20, None, least=0, most=1),
        of_sums(rows, lambda sums: sums[:, 0] / sums[:, 1], None, least=0, most=1),
    ):
        assert (estimate.value, estimate.high) == (1, 1)
        # The exact bound of 20 of 20, for the order of size.
        assert estimate.low == pytest.approx(binomtest(20, 20).proportion_ci().low, abs=0.08)
    assert f1([1.0] * 20, [0.0] * 20, [0.0] * 20, None).low < 0.92
    grades = mean([7.0] * 20, None, least=1, most=10)
    assert grades.low < 7 < grades.high
    # How far an unbounded figure may move is not known.
    assert mean([7.0] * 20, None).low is None
