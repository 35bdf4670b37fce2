"""Scores made right by labels of people: by hand, and whether the interval holds."""

import sys
from importlib import import_module

import numpy as np
import pytest
from conftest import ROOT
from scipy.stats import norm

from chef.stats.rectified import rectified_difference, rectified_mean

# Not for longer than the import: `benchmarks/workers.py` would hide `tests/workers`.
sys.path.insert(0, str(ROOT / "benchmarks"))
labels_benchmark = import_module("labels")
sys.path.pop(0)

SCALE = {"unit": "0-1", "least": 0, "most": 1}


def test_by_hand():
    # Ten samples have a label: six of the judge's ones (five of them right), four zeros (one is
    # right). Of the other ten the judge takes eight for right.
    judged = [1.0] * 6 + [0.0] * 4 + [1.0] * 8 + [0.0] * 2
    people = [1.0] * 5 + [0.0] + [1.0] + [0.0] * 3
    found = rectified_mean(judged, dict(enumerate(people)), range(20), **SCALE)
    # Sums of squares 6 - 36/10, and of products 5 - 36/10.
    assert found.slope == pytest.approx(1.4 / 2.4)
    assert found.labels.value == pytest.approx(0.6)
    assert found.estimate.value == pytest.approx(0.6 + 1.4 / 2.4 * (0.7 - 0.6))
    assert found.estimate.low < found.estimate.value < found.estimate.high


def test_a_judge_that_says_nothing_changes_nothing():
    people = [1.0, 0.0] * 10
    found = rectified_mean([1.0] * 50, dict(enumerate(people)), range(50), **SCALE)
    assert (found.slope, found.estimate.value) == (0.0, 0.5)
    assert found.worth == pytest.approx(1.0, abs=0.1)


def test_a_biased_judge_that_orders_well_is_made_right():
    """Its scores are 0.3 too high, and move with the labels."""
    rng = np.random.default_rng(0)
    truth = rng.random(2000) * 0.7
    found = rectified_mean(
        (truth + 0.3).tolist(), {n: truth[n] for n in range(100)}, range(2000), **SCALE
    )
    assert found.slope == pytest.approx(1.0)
    assert found.estimate.value == pytest.approx(truth.mean())


def test_where_nothing_was_seen_to_be_wrong_the_rest_may_be():
    same = [1.0, 0.0] * 100
    found = rectified_mean(same, dict(enumerate(same[:20])), range(200), **SCALE)
    assert found.estimate.low <= 0.5 - (1 - 0.05 ** (1 / 20))
    assert (
        rectified_mean([1.0] * 90, dict.fromkeys(range(30), 1.0), range(90), **SCALE).estimate.low
        < 0.91
    )


def test_too_few_labels_are_refused():
    with pytest.raises(ValueError, match="9 labels"):
        rectified_mean([1.0] * 20, dict.fromkeys(range(9), 1.0), range(20), **SCALE)


@pytest.mark.parametrize("agreement", [0.0, 0.8])
def test_the_interval_holds_whatever_the_judge(agreement):
    rng = np.random.default_rng(4)
    wrong, narrower = 0, []
    for _ in range(200):
        hard, noise = rng.normal(size=(2, 300))
        people = (hard < norm.ppf(0.7)).astype(float)
        mixed = agreement * hard + np.sqrt(1 - agreement**2) * noise
        judged = (mixed < norm.ppf(0.85)).astype(float)  # 15 points too many
        drawn = {int(n): people[n] for n in rng.choice(300, size=60, replace=False)}
        found = rectified_mean(judged.tolist(), drawn, range(300), **SCALE)
        wrong += not found.estimate.low <= 0.7 <= found.estimate.high
        narrower.append(found.worth)
    assert wrong <= 20  # 10 are expected
    assert (np.median(narrower) > 1.15) == (agreement > 0)


def test_strata_by_hand():
    # Six samples have a right verdict, of which three are labelled; four a wrong one, two of them.
    judged = [1.0] * 6 + [0.0] * 4 + [1.0] * 12 + [0.0] * 8
    strata = ["a" if score else "b" for score in judged]
    people = {0: 1.0, 1: 1.0, 2: 0.0, 3: 1.0, 4: 1.0, 5: 0.0, 6: 0.0, 7: 1.0, 8: 0.0, 9: 0.0}
    found = rectified_mean(judged, people, range(30), strata=strata, **SCALE)
    # 18 of 30 samples are of a, of whose labels 4 of 6 are right; 12 of b, 1 of 4.
    assert found.estimate.value == pytest.approx(18 / 30 * 4 / 6 + 12 / 30 * 1 / 4)
    assert found.labels.value == pytest.approx(found.estimate.value)  # verdicts say no more
    assert (found.slope, found.labels.n, found.labels.clusters) == (0.0, 10, 10)


def test_a_stratum_without_labels_is_refused():
    strata = ["a"] * 15 + ["b"] * 5
    with pytest.raises(ValueError, match="0 of the 5 samples of the stratum 'b'"):
        rectified_mean([1.0] * 20, dict.fromkeys(range(12), 1.0), range(20), strata=strata, **SCALE)


def drawn_by_strata(rng, sizes, counts):
    """Samples of strata that differ, some of each labelled: scores, labels of all, places."""
    strata = np.repeat(np.arange(len(sizes)), sizes)
    people = rng.normal(strata * 0.5, 0.3 + 0.2 * strata)
    judged = 0.4 + 0.8 * people + rng.normal(0, 0.3, size=len(strata))
    places = np.concatenate([
        rng.choice(np.flatnonzero(strata == stratum), size=count, replace=False)
        for stratum, count in enumerate(counts)
    ])  # fmt: skip
    return strata, judged, people, places


def test_strata_agree_with_the_formula_of_two_phase_sampling():
    """Written from Särndal, Swensson and Wretman 1992, 9.3, with the slope that is best."""
    rng = np.random.default_rng(8)
    strata, judged, people, places = drawn_by_strata(rng, (6000, 3000, 1000), (150, 150, 100))
    found = rectified_mean(
        judged.tolist(), {int(n): people[n] for n in places}, range(10_000), unit="", least=-9,
        most=9, strata=strata.tolist(),
    )  # fmt: skip
    shares = np.array([0.6, 0.3, 0.1])
    held = [places[strata[places] == stratum] for stratum in range(3)]
    top = sum(
        w**2 / len(h) * np.cov(people[h], judged[h])[0, 1]
        for w, h in zip(shares, held, strict=True)
    )
    bottom = sum(
        w**2 / len(h) * np.var(judged[h], ddof=1) for w, h in zip(shares, held, strict=True)
    )
    assert found.slope == pytest.approx(top / bottom, rel=2e-2)
    left = [people[h] - found.slope * judged[h] for h in held]
    value = found.slope * judged.mean() + sum(
        w * one.mean() for w, one in zip(shares, left, strict=True)
    )
    assert found.estimate.value == pytest.approx(value)
    second = sum(
        w**2 * one.var(ddof=1) / len(one) * (1 - len(one) / (w * 10_000))
        for w, one in zip(shares, left, strict=True)
    )
    # The first phase: as if all samples had a label.
    first = np.var(people, ddof=1) / 10_000
    assert found.estimate.stderr == pytest.approx(np.sqrt(first + second), rel=0.02)


def test_one_stratum_agrees_with_ppi():
    """Angelopoulos, Duchi and Zrnic 2023: var(label - slope score) / n + slope^2 var(score) / N."""
    rng = np.random.default_rng(9)
    _, judged, people, places = drawn_by_strata(rng, (20_000,), (400,))
    found = rectified_mean(
        judged.tolist(), {int(n): people[n] for n in places}, range(20_000), unit="", least=-9,
        most=9,
    )  # fmt: skip
    slope = np.cov(people[places], judged[places])[0, 1] / np.var(judged[places], ddof=1)
    assert found.slope == pytest.approx(slope)
    left = people[places] - slope * judged[places]
    variance = np.var(left, ddof=1) / 400 + slope**2 * np.var(judged, ddof=1) / 20_000
    assert found.estimate.stderr == pytest.approx(np.sqrt(variance), rel=0.02)


def test_a_label_counts_for_as_much_as_the_correlation_says():
    rng = np.random.default_rng(10)
    people = rng.normal(size=50_000)
    judged = 0.8 * people + 0.6 * rng.normal(size=50_000)
    labels = {n: float(people[n]) for n in range(2000)}
    found = rectified_mean(judged.tolist(), labels, range(50_000), unit="", least=-9, most=9)
    # 2.8 of infinitely many scores; the scores of 50,000 leave 4 % of the rest.
    assert found.worth == pytest.approx(1 / (1 - 0.64 * (1 - 2000 / 50_000)), rel=0.08)


def test_labels_of_all_samples_leave_nothing_of_the_judge():
    rng = np.random.default_rng(11)
    judged, (before, after) = rng.random(60), rng.integers(0, 2, size=(2, 60)).astype(float)
    both = [
        rectified_mean(judged.tolist(), dict(enumerate(people.tolist())), range(60), **SCALE)
        for people in (before, after)
    ]
    assert both[0].estimate.value == pytest.approx(before.mean())
    difference, p_value = rectified_difference(*both, higher_is_better=True)
    gains = after - before
    assert difference.value == pytest.approx(gains.mean())
    assert difference.stderr == pytest.approx(gains.std(ddof=1) / np.sqrt(60), rel=0.05)
    assert (p_value < 0.05) == (difference.low > 0 or difference.high < 0)


def test_questions_labelled_in_both_runs_are_paired():
    rng = np.random.default_rng(12)
    hard = rng.random(400)
    both = []
    for chance in (0.5, 0.6):
        people = (hard < chance).astype(float)
        judged = (hard + rng.normal(0, 0.2, 400) < chance).astype(float)
        both.append(
            rectified_mean(judged.tolist(), {n: people[n] for n in range(150)}, range(400), **SCALE)
        )
    difference, _ = rectified_difference(*both, higher_is_better=True)
    apart = np.hypot(both[0].estimate.stderr, both[1].estimate.stderr)
    assert difference.stderr < 0.75 * apart
    same, p_value = rectified_difference(both[0], both[0], higher_is_better=True)
    assert (same.value, p_value) == (0.0, None)


def misses(study, differences, runs=120):
    coverage = labels_benchmark.differences if differences else labels_benchmark.scores
    numbers = coverage(study, runs, 5)
    return 100 - (numbers[0] if differences else numbers[1])


@pytest.mark.parametrize("correlation", [0.0, 0.8])
@pytest.mark.parametrize("kind", [0.7, "rating"])
def test_intervals_hold_by_strata(kind, correlation):
    """A slice of the table in docs/background/statistics.md; 5 % of 120 are 6, and 13 a rarity."""
    study = labels_benchmark.Study(kind, correlation, 50, 1, True)
    assert misses(study, differences=False) <= 100 * 13 / 120


@pytest.mark.parametrize("is_stratified", [False, True])
def test_intervals_of_differences_hold(is_stratified):
    study = labels_benchmark.Study(0.7, 0.3, 100, 1, is_stratified)
    assert misses(study, differences=True) <= 100 * 13 / 120
