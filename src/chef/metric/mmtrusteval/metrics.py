"""The metrics of MMTrustEval by their ids.

A prediction is None where an evaluator could not decide. Sum, mean and correlation leave it out,
for the others it is not right. What is undefined (a mean of nothing) is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

from chef.metric.mmtrusteval.binary import BINARY
from chef.metric.mmtrusteval.correlation import PEARSON
from chef.metric.mmtrusteval.iou import IOU
from chef.metric.mmtrusteval.kinds import MetricKind, is_nan, numbers, plain
from chef.stats.estimate import Estimate
from chef.stats.figures import mean, of_sums, share


def pred_no_op(y_true: Sequence[Any], y_pred: Sequence[Any]) -> list[Any]:
    """The predictions themselves."""
    del y_true
    return list(y_pred)


def pred_sum(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
    """The sum of the predictions that were decided.

    Raises:
        RunError: a prediction is no number.
    """
    del y_true
    return sum(item for item in numbers("pred_sum", y_pred) if item is not None)


def pred_mean(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
    """The mean of the predictions that were decided; NaN if there are none.

    Raises:
        RunError: a prediction is no number.
    """
    del y_true
    decided = [item for item in numbers("pred_mean", y_pred) if item is not None]
    return sum(decided) / len(decided) if decided else math.nan


def failure(y_true: Sequence[Any], y_pred: Sequence[Any], fails_num: float = math.nan) -> float:
    """The share of predictions that failed, in 0..1; NaN for no samples.

    Args:
        y_true: not used.
        y_pred: any predictions; None failed.
        fails_num: what stands for a failure.
    """
    del y_true
    failed = _failed(y_pred, fails_num)
    return sum(failed) / len(failed) if failed else math.nan


def _failed(y_pred: Sequence[Any], fails_num: float) -> list[int]:
    return [
        int(item is None or (is_nan(item) and is_nan(fails_num)) or bool(item == fails_num))
        for item in map(plain, y_pred)
    ]


def _estimated_sum(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Hashable]
) -> Estimate:
    del y_true
    rows = [(item or 0.0,) for item in numbers("pred_sum", y_pred)]
    return of_sums(rows, lambda sums: sums[:, 0], clusters, higher_is_better=None)


def _estimated_mean(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Hashable]
) -> Estimate:
    del y_true
    given = zip(numbers("pred_mean", y_pred), clusters, strict=True)
    decided = [(item, cluster) for item, cluster in given if item is not None]
    items, of = [item for item, _ in decided], [cluster for _, cluster in decided]
    if items and all(0 <= item <= 1 for item in items):
        return share(items, of, "0-1", higher_is_better=None)
    return mean(items, of, higher_is_better=None)


def _estimated_failure(
    y_true: Sequence[Any],
    y_pred: Sequence[Any],
    clusters: Sequence[Hashable],
    fails_num: float = math.nan,
) -> Estimate:
    del y_true
    return share(_failed(y_pred, fails_num), clusters, "0-1", higher_is_better=False)


#: The metrics by their ids; those of users are added.
METRICS: dict[str, MetricKind] = {
    "pred_no_op": MetricKind(pred_no_op),
    "pred_sum": MetricKind(pred_sum, _estimated_sum),
    "pred_mean": MetricKind(pred_mean, _estimated_mean),
    **BINARY,
    "pearson_corr": PEARSON,
    "failure": MetricKind(failure, _estimated_failure),
    "iou_judge": IOU,
}
