"""What `metric_func` may not return: nothing that would give an empty table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chef.errors import RunError
from chef.metric import Estimate, Metric
from chef.types import Prediction

Make = Callable[..., Prediction]


class Gives(Metric):
    """Returns what it is told to."""

    given: Any = None

    def metric_func(self, answers: list[dict[str, Any]]) -> Any:
        return self.given


def report(make: Make, given: Any, n: int = 2) -> Any:
    metric = Gives()
    metric.given = given
    return metric.evaluate([make(str(name), "a") for name in range(n)])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "an empty dict"),
        ({"a": {}}, "no number: {'a': {}}"),
        (None, "no number: None"),
        ({"ACC": "high"}, "no number: {'ACC': 'high'}"),
        ("0.5", "no number: '0.5'"),
        ({"ACC": [0.5, 0.7]}, "no number"),
        ({"ACC": None, "F1": None}, "no number"),
        ({"bins": "x" * 500}, "…"),
    ],
)
def test_no_number_is_an_error(make: Make, given: Any, told: str) -> None:
    with pytest.raises(RunError) as caught:
        report(make, given)
    assert told in caught.value.what
    assert len(caught.value.what) < 130
    assert "in metric_func" in str(caught.value.where)  # the line of the user's file
    assert "a dict of numbers by name" in str(caught.value.hint)


def test_numbers_may_have_other_values_beside_them(make: Make) -> None:
    found = report(make, {"ACC": 0.5, "F1": None, "bins": [1, 2]})
    assert {key: item.value for key, item in found.metrics.items()} == {"ACC": 0.5, "F1": None}
    assert found.details["bins"] == [1, 2]


def test_an_undefined_value(make: Make) -> None:
    assert report(make, {"F1": Estimate(None, 2)}).metrics["F1"].value is None
    # Of a single answer, which --dry-run scores, a value may be undefined.
    assert report(make, {"F1": None}, n=1).metrics["F1"].value is None


def test_without_answers_nothing_is_refused(make: Make) -> None:
    assert report(make, {}, n=0).metrics["score"].value is None
