"""`--fail-if-worse`: worse by more than was allowed, beyond noise; and what may not pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from runs_by_hand import outcomes, write_run

import chef
from chef.errors import ConfigError
from chef.metric.coverage import Coverage
from chef.report.compare.comparison import (
    Comparison,
    Difference,
    Pair,
    RunScore,
    fail_if_worse,
    not_worse_than,
)
from chef.stats.estimate import Estimate


def compared(
    low: float | None, value: float, high: float | None, *, unit: str = "%",
    better: bool | None = True, scored: int = 100,
) -> Comparison:  # fmt: skip
    item = Estimate(50.0, 100, unit=unit, higher_is_better=better)
    gain = Estimate(value, 100, None, low, high, unit, higher_is_better=better)
    pair = Pair("a", "b", scored, {"ACC": Difference("ACC", item, item, gain)})
    scores = [
        RunScore("a", Path("a"), {"ACC": item}, Coverage(100, 100)),
        RunScore("b", Path("b"), {"ACC": item}, Coverage(100, scored)),
    ]
    return Comparison(["a", "b"], "ACC", [pair], scores=scores)


@pytest.mark.parametrize(
    ("low", "value", "high", "points", "fails"),
    [
        (-5.0, -3.0, -1.5, 1.0, True),  # the whole interval is below -1
        (-5.0, -3.0, -0.5, 1.0, False),  # worse, but perhaps by half a point only
        (-5.0, -3.0, -0.5, 0.0, True),
        (-5.0, -3.0, 0.1, 0.0, False),  # noise
        (1.0, 3.0, 5.0, 0.0, False),  # better
        (-0.0, 0.0, 0.0, 0.0, False),
        (None, -3.0, None, 1.0, True),  # no interval: the difference decides
        (None, -0.5, None, 1.0, False),
    ],
)
def test_the_rule(
    low: float | None, value: float, high: float | None, points: float, fails: bool
) -> None:
    assert bool(fail_if_worse(compared(low, value, high), points).worse) is fails
    if low is None or high is None:
        return
    errors = compared(-high, -value, -low, better=False)  # an error rate: lower is better
    assert bool(fail_if_worse(errors, points).worse) is fails
    shares = compared(low / 100, value / 100, high / 100, unit="0-1")
    assert bool(fail_if_worse(shares, points).worse) is fails


@pytest.mark.parametrize(
    ("low", "high", "points", "passes"),
    [
        (-0.5, 2.0, 1.0, True),  # at most half a point worse
        (-1.5, 2.0, 1.0, False),  # perhaps worse by more: nothing is shown
        (-1.0, 2.0, 1.0, False),
        (0.5, 2.0, 1.0, True),
        (-3.0, -2.0, 5.0, True),  # worse, but by less than was allowed
        (None, None, 1.0, False),
    ],
)
def test_what_is_not_shown_to_be_good_enough_fails(
    low: float | None, high: float | None, points: float, passes: bool
) -> None:
    assert bool(not_worse_than(compared(low, 0.0, high), points).worse) is not passes
    if low is not None and high is not None:
        errors = compared(-high, 0.0, -low, better=False)
        assert bool(not_worse_than(errors, points).worse) is not passes


def test_nothing_is_shown_by_a_margin_of_0() -> None:
    with pytest.raises(ConfigError, match="not above 0"):
        not_worse_than(compared(1.0, 3.0, 5.0), 0.0)


def test_four_lost_and_none_gained_of_a_hundred_are_no_shown_drop(tmp_path: Path) -> None:
    before = write_run(tmp_path, outcomes("R" * 100), model="before")
    after = write_run(tmp_path, outcomes("W" * 4 + "R" * 96), model="after")
    found = chef.compare(before, after)
    item = found.main.differences["ACC"]
    assert item.p_value == pytest.approx(0.125)
    assert item.difference.low < 0 <= item.difference.high
    assert "No difference" in found.to_json()["pairs"][0]["verdict"]
    assert not fail_if_worse(found, 0.0).worse
    assert not_worse_than(found, 1.0).worse
    assert not not_worse_than(found, 10.0).worse


def test_what_has_no_score_does_not_pass() -> None:
    gate = fail_if_worse(compared(1.0, 3.0, 5.0, scored=98), 1.0)
    assert not gate.worse
    assert gate.open == ["2 of 100 samples that a has scored have no score in b"]


def test_what_cannot_be_decided_is_refused() -> None:
    with pytest.raises(ConfigError, match="neither direction of ACC is better"):
        fail_if_worse(compared(1.0, 3.0, 5.0, better=None), 1.0)
    for points in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ConfigError, match="is not 0 or more"):
            fail_if_worse(compared(1.0, 3.0, 5.0), points)
