"""Figures that are means: of a part of the samples, with their clusters."""

from __future__ import annotations

import pytest

from chef.report.compare.pairing import mean_of
from chef.stats.estimate import Estimate

PIXELS = Estimate(5.0, 12, unit="px", higher_is_better=False)
SCORES = [5.0] * 4 + [1.0] * 4 + [9.0] * 4


def test_scores_beyond_0_to_1_are_drawn_by_clusters() -> None:
    whole = mean_of(PIXELS, SCORES, ["a"] * 4 + ["b"] * 4 + ["c"] * 4)
    alone = mean_of(PIXELS, SCORES, list("abcdefghijkl"))
    assert (whole.value, whole.n, whole.unit, whole.higher_is_better) == (5.0, 12, "px", False)
    # Three images with 5, 1 and 9: the standard deviation is 4, of twelve images 4 * sqrt(8 / 11).
    assert whole.stderr == pytest.approx(4 / 3**0.5)
    assert alone.stderr == pytest.approx(4 * (8 / 11) ** 0.5 / 12**0.5)
    assert whole.method == "log, clustered"
    assert whole.low is not None
    assert alone.low is not None
    assert whole.low < alone.low


def test_one_cluster_has_no_interval() -> None:
    found = mean_of(PIXELS, SCORES, ["a"] * 12)
    assert (found.value, found.low, found.high, found.method) == (5.0, None, None, "none")
