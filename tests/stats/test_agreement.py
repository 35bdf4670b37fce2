"""Agreement of raters, against published examples and values worked by hand."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from chef.stats.agreement import Agreement, _codes, agreements, alpha, kappa

#: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability": four observers, twelve
#: units, values missing. He gives nominal alpha = 0.743 and interval alpha = 0.849.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
APART = list(range(12))


@pytest.mark.parametrize(("numbers", "published"), [(False, 0.743), (True, 0.849)])
def test_alpha_of_krippendorffs_own_example(numbers: bool, published: float) -> None:
    found = alpha(OBSERVERS, APART, numbers=numbers)
    assert found.estimate.value == pytest.approx(published, abs=0.0005)
    assert found.estimate.n == 11  # the last unit has one value, and is not pairable
    assert found.measure == f"Krippendorff's alpha ({'interval' if numbers else 'nominal'})"
    low, high = found.estimate.low, found.estimate.high
    assert low is not None
    assert high is not None
    assert low < published < high <= 1


def test_kappa_of_a_textbook_example() -> None:
    # 50 proposals: both yes 20, A alone 5, B alone 10, both no 15. By hand: observed 35/50 = 0.7,
    # expected 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa = 0.2 / 0.5.
    first = [True] * 20 + [True] * 5 + [False] * 10 + [False] * 15
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    found = kappa([first, second], range(50))
    assert found.estimate.value == pytest.approx(0.4)
    assert (found.percent, found.estimate.n, found.measure) == (70.0, 50, "Cohen's kappa")
    # The large-sample standard error is sqrt(0.7 * 0.3 / 50) / (1 - 0.5) = 0.13 (Cohen 1960).
    assert found.estimate.stderr == pytest.approx(0.13, abs=0.02)


def by_loop(
    readings: Sequence[Sequence[Any]], clusters: Sequence[int], measure: Any
) -> tuple[float, float]:
    """The interval by calling the library on each resample; clusters in order of their rows."""
    units = list(zip(*readings, strict=True))
    groups = [[i for i, c in enumerate(clusters) if c == name] for name in dict.fromkeys(clusters)]
    rng = np.random.default_rng(7)
    values = []
    for _ in range(1000):
        picks = rng.integers(0, len(groups), len(groups))
        drawn = [units[i] for pick in picks for i in groups[pick]]
        if len({item for unit in drawn for item in unit}) > 1:
            values.append(measure(drawn))
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


@pytest.mark.parametrize("kind", ["kappa", "nominal", "interval"])
def test_intervals_are_those_of_resampling_clusters_and_asking_the_library(kind: str) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, 40).repeat(3)  # clusters of three alike answers
    readings = [np.where(rng.random(120) < 0.7, truth, rng.integers(0, 4, 120)) for _ in range(2)]
    clusters = list(np.arange(40).repeat(3))
    lists = [[int(item) for item in one] for one in readings]
    if kind == "kappa":
        found = kappa(lists, clusters)
        measure = lambda drawn: cohen_kappa_score(*zip(*drawn, strict=True))  # noqa: E731
    else:
        found = alpha(lists, clusters, numbers=kind == "interval")
        measure = lambda drawn: krippendorff.alpha(  # noqa: E731
            np.array(drawn).T, level_of_measurement=kind
        )
    item = found.estimate
    assert item.value == pytest.approx(measure(list(zip(*lists, strict=True))))
    assert (item.low, item.high) == pytest.approx(by_loop(lists, clusters, measure), abs=0.03)
    assert item.method == "wilson, clustered"
    apart = kappa(lists, range(120)) if kind == "kappa" else None
    if apart is not None:  # the same answers as if they were independent: another interval
        assert apart.estimate.value == item.value
        assert apart.estimate.low != item.low


def test_the_same_readings_in_another_order_have_the_same_interval() -> None:
    order = [5, 3, 11, 0, 7, 1, 2, 4, 6, 8, 9, 10]
    moved = [[one[place] for place in order] for one in OBSERVERS]
    first, second = (alpha(given, APART).estimate for given in (OBSERVERS, moved))
    assert (first.low, first.high, first.stderr) == pytest.approx(
        (second.low, second.high, second.stderr)
    )


@pytest.mark.parametrize("measure", [kappa, alpha])
@pytest.mark.parametrize(
    ("readings", "why"),
    [
        ([[1, 1, 1], [1, 1, 1]], "all readings are equal"),
        ([[1, None, None], [2, 1, 1]], "1 answer(s) have two readings"),
        ([[], []], "0 answer(s)"),
    ],
)
def test_what_is_undefined_has_no_value_and_says_why(
    measure: Any, readings: list[list[Any]], why: str
) -> None:
    found = measure(readings, range(len(readings[0])))
    assert found.estimate.value is None
    assert why in found.reason
    assert found.to_json()["value"] is None


def test_a_rater_that_always_says_the_same_agrees_as_chance_would() -> None:
    found = kappa([[1, 1, 1, 1], [1, 2, 1, 2]], range(4))
    assert (found.estimate.value, found.percent) == (0.0, 50.0)


def test_every_pair_and_then_all_judges_without_the_rule() -> None:
    readings = {"a": [0, 1, 1, 0], "b": [0, 1, 0, 0], "rule": [0, None, 1, 0]}
    found = agreements(readings, range(4), numbers=False, rule="rule")
    pairs = list(itertools.combinations(readings, 2))
    assert [item.raters for item in found] == [*pairs, ("a", "b")]
    assert [item.estimate.n for item in found] == [4, 3, 3, 4]
    assert found[-1].measure == "Krippendorff's alpha (nominal)"
    assert found[2].percent == pytest.approx(200 / 3)


def test_numbers_are_compared_by_their_distance() -> None:
    near = agreements({"a": [1, 5, 9], "b": [2, 5, 9]}, range(3), numbers=True)
    far = agreements({"a": [1, 5, 9], "b": [9, 5, 9]}, range(3), numbers=True)
    # Of two judges that is the agreement of all, too.
    assert [item.measure for item in near] == ["Krippendorff's alpha (interval)"]
    close, distant = near[0].estimate.value, far[0].estimate.value
    assert close is not None
    assert distant is not None
    assert close > 0.9
    assert distant < 0.1
    # The same share of them is equal.
    assert near[0].percent == far[0].percent == pytest.approx(200 / 3)


def test_grades_that_are_no_whole_numbers_have_the_alpha_of_the_library() -> None:
    grades = [[0.1, 0.5, 0.9, 1.0], [0.2, 0.5, 0.7, 1.0]]
    expected = krippendorff.alpha(np.array(grades), level_of_measurement="interval")
    assert alpha(grades, range(4), numbers=True).estimate.value == pytest.approx(expected)


def test_json_and_back() -> None:
    (found, _) = agreements({"a": [0, 1, 1], "b": [0, 1, 0]}, range(3), numbers=False)
    data = json.loads(json.dumps(found.to_json()))
    assert Agreement.from_json(data) == found
    assert math.isclose(data["percent_agreement"], 200 / 3)


def test_minus_one_is_a_reading_like_others() -> None:
    assert _codes([(-1, 3), (3, None)]).tolist() == [[0, 1], [1, None]]
