"""Scores made right by labels of people: by hand, and whether the interval holds."""

import numpy as np
import pytest
from scipy.stats import norm

from chef.stats.rectified import rectified_mean

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
