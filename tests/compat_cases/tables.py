"""The tables of this folder: who reads them, and how a value is compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from chef.metric import METRICS, Metric
from chef.types import Prediction, Status

Case = Mapping[str, Any]


@cache
def _cases(name: str) -> tuple[Case, ...]:
    text = Path(__file__).with_name(f"{name}.yaml").read_text("utf-8")
    table = yaml.load(text, Loader=yaml.CSafeLoader)
    shared = {key: table[key] for key in ("mode", "choices") if key in table}
    return tuple({**shared, **case} for case in table["cases"])


def cases(name: str, *rules: str) -> Any:
    """``parametrize`` over the cases of a table that have an expectation; of some rules alone."""
    wanted = [
        case for case in _cases(name) if "expect" in case and (not rules or case["rule"] in rules)
    ]
    return pytest.mark.parametrize("case", wanted, ids=[" ".join(_words(case)) for case in wanted])


def _words(case: Case) -> Iterator[str]:
    """What a case is about, on one line."""
    if "id" in case:
        yield str(case["id"])
        return
    left_out = {"from", "expect", "choices", "mode"}
    yield from (repr(item)[:60] for key, item in case.items() if key not in left_out)
    if case["mode"] != "upstream":
        yield str(case["mode"])


def metric(name: str, compat: str, **settings: Any) -> Metric:
    """A metric with the rules of ``compat``; it may have none of its own."""
    return METRICS.get(name, compat=compat)(**settings)


def evaluated(scorer: Metric, records: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of a metric over records; no answer may be an error."""
    predictions = [
        Prediction(
            str(record["id"]),
            Status.OK,
            answer=record.get("answer"),
            sample={key: item for key, item in record.items() if key != "answer"},
        )
        for record in records
    ]
    report = scorer.evaluate(predictions)
    assert report.coverage.errors == 0, report.samples
    return {name: item.value for name, item in report.metrics.items()}


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal: numbers nearly so, NaN like NaN."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    numbers = [isinstance(item, float | int) for item in (one, other)]
    if all(numbers):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6) or (
            math.isnan(one) and math.isnan(other)
        )
    return bool(one == other)


def check(value: Any, case: Case) -> None:
    """The value that chef gives is the one worked out by hand."""
    assert same(value, case["expect"]), f"{dict(case)}: {value!r}"
