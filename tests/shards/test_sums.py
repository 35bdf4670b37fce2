"""Sums of shards: exact, mergeable in any order, and with intervals that hold what they say."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import reduce

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ConfigError
from chef.shards.settings import MOST, cut
from chef.shards.statistics import NOTHING, REPLICATES, Sums, weights
from chef.stats.estimate import Estimate
from chef.stats.figures import bootstrapped, share
from chef.stats.influence import ClusterSums, of_ratio

#: Scores whose sums in doubles depend on the order.
SCORES = st.lists(
    st.one_of(st.sampled_from([0.0, 1.0, 0.1, 1 / 3, 1e-17]), st.floats(0, 1)), max_size=60
)


def clusters_of(number: int) -> list[str]:
    return [f"image {place // 3}" for place in range(number)]


def added(parts: Sequence[Sums]) -> Sums:
    return reduce(Sums.__add__, parts, NOTHING)


@given(SCORES, st.randoms(use_true_random=False), st.integers(1, 7))
@settings(max_examples=60, deadline=None)
def test_any_partition_in_any_order_gives_the_same_sums(
    scores: list[float], draw: random.Random, shards: int
) -> None:
    clusters, whole = clusters_of(len(scores)), [*range(len(scores))]
    every = Sums.of(scores, clusters)
    places = [draw.randrange(shards) for _ in scores]
    draw.shuffle(whole)
    parts = [
        Sums.of([scores[i] for i in whole if places[i] == shard],
                [clusters[i] for i in whole if places[i] == shard])
        for shard in range(shards)
    ]  # fmt: skip
    assert added(parts) == every
    draw.shuffle(parts)
    cut_at = draw.randrange(shards)
    assert added(parts[:cut_at]) + added(parts[cut_at:]) == every
    assert every + NOTHING == every == msgspec.json.decode(msgspec.json.encode(every), type=Sums)
    if scores:
        assert every.mean("%").value == share(scores, clusters).value


def test_a_mean_of_doubles_is_that_of_the_run_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    scores = rng.random(5000) ** 9
    names = [str(number) for number in range(5000)]
    halves = Sums.of(scores[:1999], names[:1999]) + Sums.of(scores[1999:], names[1999:])
    assert halves.mean("0-1").value == share(list(scores), names, "0-1").value
    assert halves.mean("0-1").value == share(list(scores[::-1]), None, "0-1").value


def test_weights_are_those_of_poisson_and_of_the_cluster_alone() -> None:
    drawn = weights([f"sample {number}" for number in range(4000)], 0)
    assert drawn.shape == (4000, REPLICATES)
    shares = np.bincount(drawn.astype(int).ravel()) / drawn.size
    expected = [0.36788, 0.36788, 0.18394, 0.06131, 0.01533, 0.00307]
    assert np.abs(shares[:6] - expected).max() < 0.002
    # No two replicates go together, and a seed changes all of them.
    together = np.corrcoef(drawn.T) - np.eye(REPLICATES)
    assert np.abs(together).max() < 0.09
    assert (weights(["sample 7"], 0) == drawn[7]).all()
    assert not (weights(["sample 7"], 1) == drawn[7]).all()


def simulated(rng: np.random.Generator, clusters: int) -> tuple[list[float], list[str]]:
    """Right and wrong answers about images, 1 to 6 of each, whose difficulty differs."""
    sizes = rng.integers(1, 7, clusters)
    easy = rng.beta(2.1, 0.9, clusters)  # 0.7 on average
    scores = [float(rng.random() < easy[c]) for c, size in enumerate(sizes) for _ in range(size)]
    return scores, [f"{c}" for c, size in enumerate(sizes) for _ in range(size)]


@pytest.mark.parametrize("clusters", [40, 200])
def test_the_interval_holds_the_truth_in_95_of_100_runs(clusters: int) -> None:
    held, ratios, runs = 0, [], 400
    rng = np.random.default_rng(clusters)
    for run in range(runs):
        scores, names = simulated(rng, clusters)
        middle = len(scores) // 2  # a cluster may stand in both shards
        parts = Sums.of(scores[:middle], names[:middle], run) + Sums.of(
            scores[middle:], names[middle:], run
        )
        item = parts.mean("0-1")
        assert item.low is not None
        assert item.high is not None
        assert item.stderr is not None
        # The truth: sizes do not depend on difficulty, so the mean of all answers is 0.7.
        held += item.low <= 0.7 <= item.high
        spread = of_ratio(ClusterSums.of(np.column_stack([scores, np.ones(len(scores))]), names))
        assert spread is not None
        ratios.append(item.stderr / spread.variance**0.5)
    assert 0.92 <= held / runs <= 0.985
    assert 0.98 < np.mean(ratios) < 1.02  # each run's own lies about 5 % off, by 200 replicates
    assert 0.03 < np.std(ratios) < 0.08


def test_the_standard_error_is_that_of_the_ordinary_cluster_bootstrap() -> None:
    rng = np.random.default_rng(5)
    of_sums, of_draws = [], []
    for run in range(20):
        scores, names = simulated(rng, 120)
        table = np.array(scores)

        def mean(counts: np.ndarray, table: np.ndarray = table) -> list[float]:
            return [float((counts * table).sum() / counts.sum())]

        value = Estimate(float(table.mean()), len(table), unit="0-1")
        ordinary = bootstrapped([value], mean, names)[0].stderr
        poisson = Sums.of(scores, names, run).mean("0-1").stderr
        assert ordinary is not None
        assert poisson is not None
        of_draws.append(ordinary)
        of_sums.append(poisson)
    assert 0.96 < np.mean(of_sums) / np.mean(of_draws) < 1.04


def test_without_spread_the_interval_is_not_a_point() -> None:
    right = Sums.of([1.0] * 60, clusters_of(60)).mean("%")
    assert right.value == right.high == 100
    assert 70 < (right.low or 0) < 90
    half = Sums.of([0.5] * 60, clusters_of(60)).mean("%")
    assert half.value == 50
    assert (half.low or 50) < 50 < (half.high or 50)
    alone = Sums.of([1.0, 0.0], ["one", "one"]).mean("%")
    assert (alone.value, alone.low, alone.high) == (50, None, None)
    assert NOTHING.mean("%").value is None
    same = Sums.of([0.0] * 100, list(map(str, range(100)))).difference()
    assert same.value == 0
    assert -5 < (same.low or 0) < 0 < (same.high or 0) < 5


def test_a_difference_has_the_interval_of_the_pairs() -> None:
    rng = np.random.default_rng(3)
    changes = rng.choice([-1.0, 0.0, 1.0], 2000, p=[0.1, 0.7, 0.2])
    item = Sums.of(changes, list(map(str, range(2000)))).difference()
    stderr = 100 * changes.std() / 2000**0.5
    assert item.value == pytest.approx(100 * changes.mean())
    assert item.stderr == pytest.approx(stderr, rel=0.15)
    assert (item.low or 0) > 0  # ten points, of which one and a half are a standard error


@pytest.mark.parametrize("scores", [[1.5], [-2.0], [float("nan")]])
def test_scores_out_of_range_are_refused(scores: list[float]) -> None:
    with pytest.raises(ValueError, match="from -1 to 1"):
        Sums.of(scores, ["a"])


def test_shards_are_cut_by_the_id_alone() -> None:
    ids = [f"s-{number}" for number in range(5000)]
    shards = cut(ids, 1000)
    assert [shard.name for shard in shards] == [f"0000{n}-of-00005" for n in range(5)]
    assert sorted(name for shard in shards for name in shard.ids) == sorted(ids)
    assert all(850 < len(shard.ids) < 1150 for shard in shards)
    assert cut(reversed(ids), 1000) == shards
    assert shards[0].ids[:3] == ("s-10", "s-1004", "s-1006")  # of any version, on any machine
    pairs = cut(ids, 1000, lambda name: f"group {int(name[2:]) // 2}")
    where = {name: shard.name for shard in pairs for name in shard.ids}
    assert all(where[f"s-{2 * n}"] == where[f"s-{2 * n + 1}"] for n in range(2500))
    assert [shard.name for shard in cut(["a"], 10)] == ["00000-of-00001"]
    assert cut([], 10) == []
    for size in (0, -3, MOST):
        with pytest.raises(ConfigError, match="no number of samples"):
            cut(ids, size)
