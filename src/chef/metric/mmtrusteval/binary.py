"""Accuracy, precision, recall and F1 as scikit-learn defines them by default; 1 is positive."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

from chef.errors import RunError
from chef.metric.mmtrusteval.kinds import MetricKind
from chef.metric.mmtrusteval.values import plain
from chef.stats.estimate import Estimate
from chef.stats.figures import f1, ratio, share


def accuracy_score(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
    """The share of predictions that equal their labels, in 0..1; NaN for no samples.

    Raises:
        RunError: labels and predictions are not of one kind.
    """
    hits = _hits(y_true, y_pred)
    return sum(hits) / len(hits) if hits else math.nan


def precision_score(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
    """The share of 1 among the labels of what was predicted to be 1; 0 if nothing was.

    Raises:
        RunError: there are other classes than 1 and one more.
    """
    return _ratio(_PRECISION, _counts("precision_score", y_true, y_pred))


def recall_score(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
    """The share of samples with the label 1 that were predicted to be 1; 0 if there are none.

    Raises:
        RunError: there are other classes than 1 and one more.
    """
    return _ratio(_RECALL, _counts("recall_score", y_true, y_pred))


def f1_score(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
    """The harmonic mean of precision and recall, ``2 tp / (2 tp + fp + fn)``; 0 if undefined.

    Raises:
        RunError: there are other classes than 1 and one more.
    """
    return _ratio(_F1, _counts("f1_score", y_true, y_pred))


def _estimated_accuracy(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Hashable]
) -> Estimate:
    return share(_hits(y_true, y_pred), clusters, "0-1")


#: How much true positives, false positives and false negatives weigh above and below the line.
_PRECISION = ((1.0, 0.0, 0.0), (1.0, 1.0, 0.0))
_RECALL = ((1.0, 0.0, 0.0), (1.0, 0.0, 1.0))
_F1 = ((2.0, 0.0, 0.0), (2.0, 1.0, 1.0))
_Weights = tuple[tuple[float, float, float], tuple[float, float, float]]


def _ratio(weights: _Weights, counts: Sequence[Sequence[int]]) -> float:
    if not counts:
        return math.nan
    sums = [sum(column) for column in zip(*counts, strict=True)]
    top, bottom = (
        sum(weight * count for weight, count in zip(line, sums, strict=True)) for line in weights
    )
    return top / bottom if bottom else 0.0


def _estimated(metric: str, weights: _Weights) -> Callable[..., Estimate]:
    def estimate(
        y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Hashable]
    ) -> Estimate:
        counts = _counts(metric, y_true, y_pred)
        hits, false, missed = ([float(row[place]) for row in counts] for place in range(3))
        if weights == _F1:
            estimate = f1(hits, false, missed, clusters)
        else:
            others = false if weights == _PRECISION else missed
            bottoms = [hit + other for hit, other in zip(hits, others, strict=True)]
            estimate = ratio(hits, bottoms, clusters, "0-1")
        is_zero = bool(counts) and estimate.value is None
        return replace(estimate, value=0.0) if is_zero else estimate

    return estimate


def _hits(y_true: Sequence[Any], y_pred: Sequence[Any]) -> list[int]:
    truths, found = _comparable("accuracy_score", y_true, y_pred)
    return [
        int(pred is not None and truth == pred) for truth, pred in zip(truths, found, strict=True)
    ]


def _counts(
    metric: str, y_true: Sequence[Any], y_pred: Sequence[Any]
) -> list[tuple[int, int, int]]:
    """True positives, false positives and false negatives, sample by sample.

    What was not decided is not predicted to be 1: a false negative where the label is 1.
    """
    truths, found = _comparable(metric, y_true, y_pred)
    classes = {item for item in (*truths, *found) if item is not None}
    if len(classes) > 2 or (1 not in classes and (len(classes) == 2 or _texts(classes))):
        shown = ", ".join(sorted(map(repr, classes))[:5])
        raise RunError(
            f"{metric}: the classes are {shown}",
            hint="this metric needs two classes, of which 1 is the positive one; for others use "
            "accuracy_score",
        )
    return [
        (
            int(truth == 1 and pred == 1),
            int(truth != 1 and pred == 1),
            int(truth == 1 and pred != 1),
        )
        for truth, pred in zip(truths, found, strict=True)
    ]


def _texts(classes: set[Any]) -> bool:
    return any(isinstance(item, str) for item in classes)


def _comparable(
    metric: str, y_true: Sequence[Any], y_pred: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    """Both lists as plain values, which are all texts or all whole numbers."""
    truths, found = [plain(item) for item in y_true], [plain(item) for item in y_pred]
    kinds = {_kind(item) for item in truths} | {_kind(item) for item in found if item is not None}
    if len(kinds) > 1 or None in kinds:
        label = next((item for item in truths if _kind(item) is None), truths[0])
        pred = next(
            (item for item in found if item is not None and _kind(item) != _kind(label)), None
        )
        raise RunError(
            f"{metric}: the label {label!r:.60} cannot be compared with the prediction "
            f"{pred!r:.60}",
            hint="labels and predictions must all be classes of one kind: texts, or whole numbers",
        )
    return truths, found


def _kind(item: Any) -> type | None:
    if isinstance(item, str):
        return str
    whole = isinstance(item, int | float) and math.isfinite(item) and item == int(item)
    return int if whole else None


BINARY = {
    "accuracy_score": MetricKind(accuracy_score, _estimated_accuracy),
    "precision_score": MetricKind(precision_score, _estimated("precision_score", _PRECISION)),
    "recall_score": MetricKind(recall_score, _estimated("recall_score", _RECALL)),
    "f1_score": MetricKind(f1_score, _estimated("f1_score", _F1)),
}
