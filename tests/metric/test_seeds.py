"""Means across seeds, against the classical analysis of variance and simulation."""

import math

import numpy as np
import pytest
from chef.metric.seeds import across_seeds
from scipy.stats import t

from chef.stats.paired import paired_mean


def drawn(rng, seeds, samples, of_seeds, size=1):
    """Scores with standard deviations of 0.3 between samples (or clusters) and of answers."""
    clusters = np.arange(samples) // size
    scores = of_seeds * rng.normal(size=(seeds, 1)) + 0.3 * rng.normal(size=samples)[clusters]
    return scores + 0.3 * rng.normal(size=(seeds, samples)), clusters.tolist()


def test_balanced_scores_by_the_analysis_of_variance():
    scores, clusters = drawn(np.random.default_rng(0), 4, 60, 0.2)
    found = across_seeds(scores, clusters)
    rows, columns = scores.mean(axis=1), scores.mean(axis=0)
    mean = scores.mean()
    # Mean squares of two crossed random factors with one observation in each cell.
    of_seeds = 60 * rows.var(ddof=1)
    of_samples = 4 * columns.var(ddof=1)
    rest = ((scores - rows[:, None] - columns + mean) ** 2).sum() / (3 * 59)
    assert min(of_seeds, of_samples) > rest
    variance = (of_seeds + of_samples - rest) / 240
    freedom = variance**2 / ((of_seeds / 240) ** 2 / 3 + (of_samples / 240) ** 2 / 59)
    assert found.estimate.value == pytest.approx(mean)
    assert found.estimate.stderr == pytest.approx(math.sqrt(variance))
    reach = t.ppf(0.975, freedom) * math.sqrt(variance)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((mean - reach, mean + reach))
    assert found.means == pytest.approx(rows)
    assert found.between == pytest.approx(rows.std(ddof=1))
    assert found.of_seeds == pytest.approx(math.sqrt((of_seeds - rest) / 60))
    assert found.estimate.n == 60


@pytest.mark.parametrize("size", [1, 3])
def test_one_seed_has_the_interval_of_its_samples(size):
    scores, clusters = drawn(np.random.default_rng(1), 1, 60, 0.0, size)
    found = across_seeds(scores, clusters)
    alone = paired_mean(np.zeros(60), scores[0], clusters, unit="0-1", higher_is_better=True)
    assert found.estimate.stderr == pytest.approx(alone.estimate.stderr)
    reach = t.ppf(0.975, 60 // size - 1) * alone.estimate.stderr
    assert found.estimate.high == pytest.approx(scores.mean() + reach)
    assert found.between is found.of_seeds is None


def test_seeds_with_other_samples_are_told_apart_by_their_means():
    scores, clusters = drawn(np.random.default_rng(2), 3, 90, 0.5)
    own = np.where(np.arange(90) % 3 == np.arange(3)[:, None], scores, np.nan)
    found = across_seeds(own, clusters)
    means = np.nanmean(own, axis=1)
    assert found.estimate.value == pytest.approx(means.mean())
    assert found.estimate.stderr == pytest.approx(means.std(ddof=1) / math.sqrt(3))
    assert found.estimate.n == 90


def test_each_seed_counts_the_same_and_samples_of_no_seed_do_not():
    scores = [[1, 1, 1, 1, math.nan], [0, math.nan, math.nan, 1, math.nan]]
    found = across_seeds(scores, list("abcde"), unit="x")
    assert found.estimate.value == 0.75
    assert (found.estimate.n, found.estimate.unit) == (4, "x")


def test_order_has_no_effect():
    rng = np.random.default_rng(3)
    scores, clusters = drawn(rng, 3, 30, 0.1, size=2)
    order = rng.permutation(30)
    plain = across_seeds(scores, clusters)
    other = across_seeds(scores[::-1, order], [clusters[place] for place in order])
    assert other.estimate.low == pytest.approx(plain.estimate.low)
    assert other.between == pytest.approx(plain.between)


def test_scores_that_never_vary_are_no_certainty():
    found = across_seeds(np.ones((3, 20)), list(range(20))).estimate
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx(0.05 ** (1 / 20))
    assert across_seeds(np.full((3, 20), 7.0), list(range(20))).estimate.low is None
    high = across_seeds([[1, 1, 1, 1, 1, 0]] * 2, list(range(6))).estimate
    assert (high.low > 0, high.high) == (True, 1)  # a share does not exceed 1


def test_little_data_and_wrong_shapes():
    none = across_seeds(np.zeros((0, 0)), [])
    assert (none.estimate.value, none.means, none.between) == (None, (), None)
    one = across_seeds([[0, 1], [1, 1]], ["a", "a"])
    assert (one.estimate.value, one.estimate.low) == (0.75, None)
    for scores, clusters, message in (
        ([1, 0], ["a", "b"], "shape"),
        ([[1, 0]], ["a"], "shape"),
        ([[1, math.inf]], ["a", "b"], "finite"),
        ([[1, 0], [math.nan, math.nan]], ["a", "b"], "no score"),
    ):
        with pytest.raises(ValueError, match=message):
            across_seeds(scores, clusters)


@pytest.mark.parametrize(
    ("seeds", "of_seeds", "asked", "size"),
    [(4, 0.05, 1.0, 1), (3, 0.0, 1.0, 3), (5, 0.05, 0.5, 1)],
)
def test_intervals_cover(seeds, of_seeds, asked, size):
    rng = np.random.default_rng(6)
    runs = 400
    covered, squares = 0, 0.0
    for _ in range(runs):
        scores, clusters = drawn(rng, seeds, 150, of_seeds, size)
        scores[rng.random(scores.shape) >= asked] = np.nan
        found = across_seeds(scores, clusters)
        covered += found.estimate.low <= 0 <= found.estimate.high
        squares += found.of_seeds**2
    assert 0.925 <= covered / runs <= 0.985
    # What seeds alone do is found, apart from what is cut off below 0.
    assert math.sqrt(squares / runs) == pytest.approx(of_seeds, abs=0.025 if size > 1 else 0.01)
