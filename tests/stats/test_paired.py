"""Differences of means on shared samples, against statsmodels, brute force and simulation."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, multinomial
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_elsewhere
from statsmodels.stats.power import TTestPower

from chef.stats.figures import share
from chef.stats.influence import ClusterSums, of_ratio
from chef.stats.paired import paired_mean
from chef.stats.power import detectable, mcnemar, sign_flips


def paired(first, second, clusters=None):
    names = list(range(len(first))) if clusters is None else list(clusters)
    return paired_mean(first, second, names, unit="0-1", higher_is_better=True)


def table_of(values, clusters=None):
    return ClusterSums.of(np.column_stack([values, np.ones(len(values))]), clusters)


def brute_force(sums):
    """The share of all choices of signs whose sum is as far from 0 as the observed one."""
    totals = [
        abs(sum(s * x for s, x in zip(signs, sums, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    return sum(total >= abs(sum(sums)) - 1e-9 for total in totals) / len(totals)


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.lists(st.integers(-4, 4), min_size=1, max_size=9),
        st.lists(st.floats(-3, 3).map(lambda x: round(x, 3)), min_size=1, max_size=9),
    )
)
def test_signs_are_counted(sums):
    p_value, how = sign_flips(np.array(sums, float))
    assert how == "exact"
    assert p_value == pytest.approx(brute_force(sums), abs=1e-12)


def test_signs_that_are_too_many_are_drawn_and_then_normal():
    rng = np.random.default_rng(0)
    few = rng.normal(0.6, 1, size=16)
    exact, how = sign_flips(few)
    assert how == "exact"
    # A cluster that hardly matters makes them too many to be counted.
    drawn, how = sign_flips(np.append(few, 1e-3))
    assert how == "drawn"
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact / 9999))
    many = rng.normal(0.05, 1, size=990)
    drawn, _ = sign_flips(many)
    normal, how = sign_flips(np.append(many, np.full(20, 1e-4)))
    assert how == "normal"
    assert normal == pytest.approx(drawn, abs=0.02)
    assert sign_flips(np.full(17, 0.3) + rng.normal(size=17) * 1e-3)[0] == 1 / 10_000


@pytest.mark.parametrize("unit", [1.0, 0.1, 1 / 3])
def test_whole_multiples_are_counted_however_many_they_are(unit):
    rng = np.random.default_rng(8)
    # Sums of 2, 3 and 5 units, none of 1: in pairs, 2 and 3 of either sign, and 5.
    sums = rng.choice([-5, -3, -2, 2, 3, 5, 5], size=40)
    p_value, how = sign_flips(unit * sums)
    assert how == "exact"
    signs = rng.choice([-1.0, 1.0], size=(40_000, 40))
    drawn = (np.abs(signs @ sums) >= abs(sums.sum())).mean()
    assert p_value == pytest.approx(drawn, abs=0.01)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80))
def test_mcnemar_is_that_of_statsmodels_and_of_signs(pairs):
    first, second = zip(*pairs, strict=True)
    found = mcnemar(first, second)
    assert sum(found[:4]) == len(pairs)
    counts = [[found.both, found.first_only], [found.second_only, found.neither]]
    assert found.p_value == pytest.approx(mcnemar_elsewhere(counts, exact=True).pvalue)
    assert found.second_only == sum(b and not a for a, b in pairs)
    whole = paired(np.array(first, float), np.array(second, float))
    assert whole.p_value == pytest.approx(found.p_value)
    assert whole.test == "exact"


def test_signs_of_whole_clusters_are_changed():
    # Three images of two questions: one run has both right where the other has none.
    first, second = [0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 1, 1]
    assert mcnemar(first, second) == (2, 0, 4, 0, 0.125)
    assert paired(first, second, list("aabbcc")).p_value == 0.5
    assert paired(first, second, list("abcdef")).p_value == 0.125
    assert mcnemar([], []).p_value == 1
    with pytest.raises(ValueError, match="longer"):
        mcnemar([True], [True, False])


def test_standard_error_of_equal_clusters_is_that_of_statsmodels():
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(12), 3)
    values = rng.normal(size=36) + rng.normal(size=12)[clusters]
    fit = OLS(values, np.ones(36)).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    found = paired(np.zeros(36), values, clusters)
    assert found.estimate.value == pytest.approx(fit.params[0])
    assert found.estimate.stderr == pytest.approx(fit.bse[0])
    assert found.clusters == 12
    assert found.estimate.method == "student, clustered"


def test_standard_error_of_unequal_clusters_by_hand():
    # Sums 2 and 0 of 3 and 1 samples: mean 1/2, residuals 1/2 and -1/2, shares 3/4 and 1/4.
    spread = of_ratio(table_of([1, 1, 0, 0], ["a", "a", "a", "b"]))
    assert spread.variance == pytest.approx((0.25 / 0.25 + 0.25 / 0.75) / 16)
    assert spread.effective == pytest.approx(16 / 10)
    assert of_ratio(table_of([1, 0], ["a", "a"])) is None


def test_interval_of_many_samples_is_the_normal_one():
    rng = np.random.default_rng(2)
    first, noise = rng.normal(size=(2, 2000))
    found = paired(first, first + 0.1 + noise)
    estimate = found.estimate
    assert estimate.low == pytest.approx(estimate.value - 1.96 * estimate.stderr, abs=0.004)
    assert estimate.high == pytest.approx(estimate.value + 1.96 * estimate.stderr, abs=0.004)
    assert estimate.stderr == pytest.approx(noise.std(ddof=1) / math.sqrt(2000))


def test_order_and_names_have_no_effect():
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 90))
    clusters = rng.integers(0, 20, size=90)
    order = rng.permutation(90)
    plain = paired(first, second, clusters)
    assert paired(first[order], second[order], [f"image {c}" for c in clusters[order]]) == plain
    assert paired(first, second, clusters) == plain
    other = paired(second, first, clusters)
    assert other.estimate.value == pytest.approx(-plain.estimate.value)
    assert other.p_value == plain.p_value


def test_equal_runs_have_no_difference_and_no_certainty():
    scores = [1.0, 0, 1, 1, 0] * 2
    found = paired(scores, scores)
    bound = 1 - 0.05 ** (1 / 10)
    assert (found.estimate.value, found.p_value, found.detectable) == (0, 1, None)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((-bound, bound))
    # Five clusters say less than ten samples.
    clustered = paired(scores, scores, [n // 2 for n in range(10)])
    assert clustered.estimate.high == pytest.approx(1 - 0.05 ** (1 / 5))
    # Points instead of shares: the largest difference that was possible.
    points = paired([100 * s for s in scores], [100 * s for s in scores])
    assert points.estimate.high == pytest.approx(100 * bound)
    assert points.scaled(0.01, "0-1").estimate.high == pytest.approx(bound)
    # The range of scores that are all 7 is unknown.
    assert paired([7, 7], [7, 7]).estimate.low is None


def test_a_run_that_is_better_everywhere_may_still_lose_elsewhere():
    found = paired(np.full(6, 0.25), np.ones(6)).estimate
    bound = 1 - 0.05 ** (1 / 6)
    assert found.low == pytest.approx(0.75 - 1.75 * bound)
    assert found.high == pytest.approx(min(1.0, 0.75 + 0.25 * bound))


def test_a_run_without_a_point_leaves_the_interval_of_the_other_one():
    found, alone = paired(np.zeros(6), np.ones(6)).estimate, share([1.0] * 6, None, "0-1")
    assert (found.value, found.low, found.high) == (1, alone.low, 1)
    assert paired(np.ones(6), np.zeros(6)).estimate.high == -alone.low


def test_little_data():
    none = paired([], [])
    assert (none.estimate.value, none.estimate.n, none.p_value) == (None, 0, None)
    one = paired([0, 0], [1, 0], ["a", "a"])
    assert (one.estimate.value, one.estimate.low, one.p_value, one.clusters) == (0.5, None, 1, 1)
    assert one.estimate.method == "none"


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [([1], [1, 0], "2 samples"), ([1, math.nan], [1, 0], "finite"), ([[1], [1]], [1, 0], "shape")],
)
def test_scores_that_do_not_fit(first, second, message):
    with pytest.raises(ValueError, match=message.replace("shape", r"\(2, 1\)")):
        paired_mean(first, second, ["a", "b"], unit="%", higher_is_better=None)


def test_detectable_effect_is_that_of_statsmodels():
    rng = np.random.default_rng(4)
    for n in (12, 40, 300):
        values = rng.normal(size=n)
        effect = TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8) * values.std(ddof=1)
        # statsmodels takes the standard error as known, though it is too small on average; and
        # Bloom's formula takes the noncentral distribution as a shifted one.
        effect /= 1 - 1 / (4 * (n - 1))
        assert detectable(table_of(values)) == pytest.approx(effect, rel=0.03 if n < 20 else 0.01)


def test_detectable_effect_of_few_right_and_wrong_is_exact():
    """The power at the effect, by McNemar's exact test on all tables that may be seen."""
    values = np.repeat([1.0, -1.0, 0.0], [9, 3, 48])
    effect = detectable(table_of(values))
    assert effect == detectable(table_of(-values))
    # Chances of a gain and of a loss that are tilted from those seen to have this difference.
    tilts = np.linspace(-2, 3, 50_001)
    gain, loss, same = 9 * np.exp(tilts), 3 * np.exp(-tilts), 48.0
    true = (gain - loss) / (gain + loss + same)
    place = int(np.argmin(np.abs(true - effect)))
    total = gain[place] + loss[place] + same
    shares = [gain[place] / total, loss[place] / total, same / total]
    power = sum(
        float(multinomial.pmf([gains, losses, 60 - gains - losses], 60, shares))
        for gains in range(61)
        for losses in range(61 - gains)
        if gains + losses and binomtest(gains, gains + losses).pvalue <= 0.05
    )
    assert 0.77 <= power <= 0.84


def test_no_effect_is_detectable_by_five_clusters():
    assert detectable(table_of(np.array([1.0, 0.5, 0.7, -0.2, 0.1]))) is None
    assert detectable(table_of(np.array([1.0, 0.0, 1.0, 0.0, 1.0]))) is None


def test_scaled():
    found = paired([0, 0, 1, 1, 0] * 3, [1, 1, 1, 0, 1] * 3)
    percent = found.scaled(100, "%")
    assert percent.estimate.value == pytest.approx(40)
    assert percent.estimate.unit == "%"
    assert percent.detectable == pytest.approx(100 * found.detectable)
    assert percent.p_value == found.p_value


def simulated(kind, runs, seed):
    """Differences of two runs: ``(runs, n)``, their clusters and the true difference."""
    rng = np.random.default_rng(seed)
    if kind == "right or wrong":  # 10% gained, 20% lost
        return rng.choice([-1.0, 0.0, 1.0], p=[0.2, 0.7, 0.1], size=(runs, 60)), None, -0.1
    clusters = np.repeat(np.arange(10), rng.integers(1, 6, size=10))
    values = rng.normal(size=(runs, 10))[:, clusters] + rng.normal(size=(runs, len(clusters)))
    return 2 + values, clusters.tolist(), 2.0


@pytest.mark.parametrize("kind", ["right or wrong", "ten clusters"])
def test_intervals_cover(kind):
    runs = 300
    values, clusters, true = simulated(kind, runs, 5)
    found = [paired(np.zeros(values.shape[1]), row, clusters).estimate for row in values]
    covered = sum(item.low - 1e-9 <= true <= item.high + 1e-9 for item in found)
    # Plain percentiles of ten clusters hold the truth in 88% of the cases.
    assert 0.915 <= covered / runs <= 0.985


@pytest.mark.parametrize("kind", ["right or wrong", "ten clusters"])
def test_equal_runs_are_seldom_called_different_and_detectable_effects_are_detected(kind):
    runs = 300
    values, clusters, true = simulated(kind, runs, 6)
    names = clusters or list(range(values.shape[1]))
    if kind == "right or wrong":  # losses are as likely as gains
        values = np.random.default_rng(7).choice([-1, 0, 1], p=[0.15, 0.7, 0.15], size=values.shape)
        true = 0.0
    tables = [table_of(row - true, names).sums for row in values]
    assert sum(sign_flips(table[:, 0])[0] <= 0.05 for table in tables) / runs <= 0.07
    effect = np.mean([detectable(table_of(row - true, names)) for row in values])
    if kind == "right or wrong":  # gains become likelier and losses less likely, by one factor
        factors = np.linspace(1, 10, 10_000)
        shares = np.stack([0.15 / factors, 0.7 + 0 * factors, 0.15 * factors])
        shares /= shares.sum(axis=0)
        chances = shares[:, np.argmin(np.abs(shares[2] - shares[0] - effect))]
        better = np.random.default_rng(8).choice([-1, 0, 1], p=chances, size=values.shape)
        hits = sum(sign_flips(row.astype(float))[0] <= 0.05 for row in better)
    else:
        hits = sum(sign_flips(table[:, 0] + effect * table[:, 1])[0] <= 0.05 for table in tables)
    assert 0.72 <= hits / runs <= 0.88
