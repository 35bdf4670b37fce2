"""The metrics of MMTrustEval by their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.metric.estimate import Estimate
from chef.metric.mmtrusteval.kinds import MetricKind
from chef.metric.statistics import bootstrap_mean


def pred_no_op(y_true: Sequence[Any], y_pred: Sequence[Any]) -> list[Any]:
    """The predictions themselves."""
    del y_true
    return list(y_pred)


def pred_mean(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float | None:
    """The mean of the predictions that were decided; None if there are none."""
    del y_true
    decided = [item for item in y_pred if item is not None]
    return sum(decided) / len(decided) if decided else None


def _estimated_mean(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[str]
) -> Estimate:
    del y_true, clusters
    return bootstrap_mean([float(item) for item in y_pred if item is not None])


METRICS: Mapping[str, MetricKind] = {
    "pred_no_op": MetricKind(pred_no_op),
    "pred_mean": MetricKind(pred_mean, _estimated_mean),
}
