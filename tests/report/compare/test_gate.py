"""`--fail-if-worse`: worse by more than was allowed, beyond noise; and what may not pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from chef.errors import ConfigError
from chef.metric.coverage import Coverage
from chef.report.compare.comparison import Comparison, Difference, Pair, RunScore
from chef.report.compare.gate import fail_if_worse
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
