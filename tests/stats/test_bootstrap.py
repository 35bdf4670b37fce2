"""Intervals of figures that are computed of each draw."""

from __future__ import annotations

import numpy as np
import pytest

from chef.stats.estimate import Estimate
from chef.stats.figures import bootstrapped, share, without_intervals
from chef.stats.scales import wilson


def mean_of(values: np.ndarray, clusters: list[int]) -> Estimate:
    bare = Estimate(float(values.mean()), len(values), unit="0-1")
    (found,) = bootstrapped([bare], lambda counts: [counts @ values / counts.sum()], clusters)
    return found


@pytest.mark.parametrize("size", [1, 4])
def test_of_a_mean_it_is_the_engines_interval(size: int) -> None:
    rng = np.random.default_rng(0)
    values = np.repeat(rng.random(60), size) * 0.5 + 0.5 * rng.random(60 * size)
    clusters = (np.arange(60 * size) // size).tolist()
    found, wanted = mean_of(values, clusters), share(values.tolist(), clusters, "0-1")
    assert found.stderr == pytest.approx(wanted.stderr, rel=0.1)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=0.01)
    assert found.clusters == 60
    assert found.method == ("bootstrap" if size == 1 else "bootstrap, clustered")


def test_a_perfect_figure_is_not_certain() -> None:
    found = mean_of(np.ones(20), list(range(20)))
    assert (found.low, found.high) == pytest.approx(wilson(1.0, 20))


def test_of_one_cluster_and_without_intervals_there_is_none() -> None:
    assert mean_of(np.array([0.0, 1.0]), [0, 0]).low is None
    with without_intervals():
        assert mean_of(np.array([0.0, 1.0]), [0, 1]).low is None
