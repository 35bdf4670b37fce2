"""What a metric of MMTrustEval is, and predictions as the plain numbers that it takes."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from chef.errors import RunError
from chef.stats.estimate import Estimate
from chef.stats.figures import without_intervals


@dataclass(frozen=True, slots=True)
class MetricKind:
    """A metric.

    Attributes:
        compute: the value, ``(y_true, y_pred, **keys)``; its annotated keyword arguments with
            defaults are the keys in ``metrics_cfg``. An item of ``y_pred`` is None where nothing
            was decided.
        estimate: the same with its interval, ``(y_true, y_pred, clusters, **keys)``; None for a
            metric that gives a list with one item a sample. A list has a figure a class.
    """

    compute: Callable[..., Any]
    estimate: Callable[..., Estimate | list[float]] | None = None


def figure(estimate: Callable[..., Estimate | list[float]]) -> MetricKind:
    """The metric that an estimate is of; its value alone is NaN where the estimate has none."""

    @wraps(estimate)
    def compute(y_true: Sequence[Any], y_pred: Sequence[Any], **keys: Any) -> float | list[float]:
        with without_intervals():
            item = estimate(y_true, y_pred, None, **keys)
        if isinstance(item, Estimate):
            return math.nan if item.value is None else item.value
        return item

    whole = inspect.signature(estimate)
    parameters = [item for name, item in whole.parameters.items() if name != "clusters"]
    vars(compute)["__signature__"] = whole.replace(parameters=parameters)
    return MetricKind(compute, estimate)


def plain(item: Any) -> Any:
    """A scalar of numpy or torch as Python's; anything else as it is."""
    if hasattr(item, "item") and getattr(item, "ndim", None) == 0:
        return item.item()
    return item


def is_nan(item: Any) -> bool:
    """Whether a value is the number NaN.

    >>> is_nan(float("nan")), is_nan("nan"), is_nan(None)
    (True, False, False)
    """
    return isinstance(item, float) and math.isnan(item)


def numbers(metric: str, items: Iterable[Any], what: str = "prediction") -> list[float | None]:
    """The numbers that items, ``what`` of ``metric``, are; None stays. Raises RunError for others.

    >>> numbers("pred_mean", [True, None, 0.5])
    [1, None, 0.5]
    """
    numbers: list[float | None] = []
    for place, item in enumerate(map(plain, items)):
        if item is not None and not isinstance(item, int | float):
            raise RunError(
                f"{metric}: {what} {place} is {item!r:.60}, not a number",
                hint="end the chain with an evaluator that gives numbers, such as "
                "rule_yes_or_no_eval"
                if what == "prediction"
                else "give labels that are numbers",
            )
        numbers.append(int(item) if isinstance(item, bool) else item)
    return numbers
