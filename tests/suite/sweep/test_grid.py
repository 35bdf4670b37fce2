"""Which combinations are asked: all, without the excluded ones, or a balanced draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.errors import ConfigError
from chef.suite.sweep.design import combinations


def grid(*sizes: int) -> dict[str, list[str]]:
    return {f"f{at}": [str(label) for label in range(size)] for at, size in enumerate(sizes)}


def uses(rows: Sequence[Mapping[str, str]], name: str, labels: Sequence[str]) -> list[int]:
    """How often each value occurs, counted from the rows alone."""
    counted = Counter(row[name] for row in rows)
    return [counted[label] for label in labels]


def test_the_full_grid_in_order() -> None:
    rows = combinations(grid(2, 3))
    assert [tuple(row.values()) for row in rows] == [
        ("0", "0"), ("0", "1"), ("0", "2"), ("1", "0"), ("1", "1"), ("1", "2"),
    ]  # fmt: skip


def test_exclusions_are_conjunctions() -> None:
    rows = combinations(grid(2, 3), [{"f0": ["0"], "f1": ["1", "2"]}, {"f1": ["0"]}])
    assert [tuple(row.values()) for row in rows] == [("1", "1"), ("1", "2")]
    with pytest.raises(ConfigError, match="every combination is excluded"):
        combinations(grid(2), [{"f0": ["0", "1"]}])


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 60), st.integers(0, 2**32)
)
def test_a_draw_is_balanced_and_without_repeats(sizes: list[int], sample: int, seed: int) -> None:
    factors = grid(*sizes)
    rows = combinations(factors, sample=sample, seed=seed)
    full = combinations(factors)
    assert len(rows) == min(sample, len(full))
    assert len({tuple(row.values()) for row in rows}) == len(rows)
    assert all(row in full for row in rows)
    for name, labels in factors.items():
        counts = uses(rows, name, labels)
        assert max(counts) - min(counts) <= 2
    if sample <= max(sizes) and len(sizes) > 1:
        for name, labels in factors.items():  # a Latin hypercube
            counts = uses(rows, name, labels)
            assert max(counts) - min(counts) <= 1


def test_a_draw_of_a_usual_size_is_exactly_balanced() -> None:
    factors = grid(8, 2, 3, 4)
    for seed in range(5):
        rows = combinations(factors, sample=24, seed=seed)
        assert [uses(rows, name, labels) for name, labels in factors.items()] == [
            [3] * 8, [12] * 2, [8] * 3, [6] * 4,
        ]  # fmt: skip


def test_a_seed_decides_the_draw() -> None:
    factors = grid(4, 4, 4)
    draws = [combinations(factors, sample=8, seed=seed) for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]


def test_a_draw_leaves_out_what_is_excluded() -> None:
    rows = combinations(grid(3, 3), [{"f0": ["0"], "f1": ["0"]}], sample=4)
    assert len(rows) == 4
    assert {"f0": "0", "f1": "0"} not in rows


def test_a_huge_grid_is_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="combinations") as error:
        combinations(grid(1000, 1000))
    assert error.value.where == "vary"
