"""Accuracy, precision, recall and F1 as scikit-learn defines them, with its keyword arguments.

With keys of scikit-learn a figure has no interval.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from chef.errors import RunError
from chef.metric.mmtrusteval.kinds import MetricKind
from chef.metric.mmtrusteval.values import plain
from chef.stats.estimate import Estimate
from chef.stats.figures import f1, ratio, share

Class: TypeAlias = int | str
Average: TypeAlias = Literal["binary", "micro", "macro", "weighted"] | None


def accuracy_score(
    y_true: Sequence[Any],
    y_pred: Sequence[Any],
    *,
    normalize: bool = True,
    sample_weight: list[float] | None = None,
) -> float:
    """The share of predictions that equal their labels, in 0..1; NaN for no samples.

    Args:
        y_true: the labels.
        y_pred: the predictions.
        normalize: false: their number.
        sample_weight: the weight of each sample.

    Raises:
        RunError: labels and predictions are not of one kind.
    """
    hits = _hits(y_true, y_pred)
    weights = sample_weight or [1.0] * len(hits)
    total = sum(hit * weight for hit, weight in zip(hits, weights, strict=True))
    if not normalize:
        return total
    return total / sum(weights) if hits else math.nan


def precision_score(
    y_true: Sequence[Any],
    y_pred: Sequence[Any],
    *,
    labels: list[Class] | None = None,
    pos_label: Class = 1,
    average: Average = "binary",
    sample_weight: list[float] | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> float | list[float]:
    """The share of 1 among the labels of what was predicted to be 1; 0 if nothing was.

    Args:
        y_true: the labels.
        y_pred: the predictions.
        labels: the classes that an average is taken over; default: those there are.
        pos_label: the positive class of ``average: binary``.
        average: ``binary``, ``micro``, ``macro``, ``weighted``, or null for a list with a figure
            a class, as scikit-learn defines them.
        sample_weight: the weight of each sample.
        zero_division: the value where nothing is divided.

    Raises:
        RunError: there are other classes than the positive one and one more.
    """
    return _score(
        "precision_score", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
    )


def recall_score(
    y_true: Sequence[Any],
    y_pred: Sequence[Any],
    *,
    labels: list[Class] | None = None,
    pos_label: Class = 1,
    average: Average = "binary",
    sample_weight: list[float] | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> float | list[float]:
    """The share of samples with the label 1 that were predicted to be 1; 0 if there are none.

    The arguments and errors are those of `precision_score`.
    """
    return _score(
        "recall_score", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
    )


def f1_score(
    y_true: Sequence[Any],
    y_pred: Sequence[Any],
    *,
    labels: list[Class] | None = None,
    pos_label: Class = 1,
    average: Average = "binary",
    sample_weight: list[float] | None = None,
    zero_division: float | Literal["warn"] = "warn",
) -> float | list[float]:
    """The harmonic mean of precision and recall, ``2 tp / (2 tp + fp + fn)``; 0 if undefined.

    The arguments and errors are those of `precision_score`.
    """
    return _score(
        "f1_score", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
    )


def _score(
    name: str, y_true: Sequence[Any], y_pred: Sequence[Any], *keys: Any
) -> float | list[float]:
    """One of the three, by scikit-learn where keys are given that need it."""
    given = dict(zip(_KEYS, keys, strict=True))
    if given == _KEYS:
        return _ratio(_WEIGHTS[name], _counts(name, y_true, y_pred))
    from sklearn import metrics

    truths, found = _comparable(name, y_true, y_pred)
    if not truths:
        return math.nan
    classes = sorted({item for item in (*truths, *found) if item is not None})
    given["labels"] = given["labels"] or (None if given["average"] == "binary" else classes)
    # What was not decided is of no class, or of the negative one.
    other = next((item for item in classes if item != given["pos_label"]), classes[0])
    nothing = other if given["average"] == "binary" else _no_class(classes)
    found = [nothing if item is None else item for item in found]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = getattr(metrics, name)(truths, found, **given)
        except ValueError as error:
            raise RunError(f"{name}: {error}", hint="see scikit-learn's page of it") from None
    figures: float | list[float] = value.tolist() if hasattr(value, "tolist") else value
    return figures


def _no_class(classes: Sequence[Any]) -> Any:
    return "".join(classes) + "?" if isinstance(classes[0], str) else min(classes) - 1


def _estimated_accuracy(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Hashable], **keys: Any
) -> Estimate:
    hits = _hits(y_true, y_pred)
    if keys:
        number = keys.get("normalize") is False
        value = accuracy_score(y_true, y_pred, **keys)
        return Estimate(value, len(hits), unit="count" if number else "0-1")
    return share(hits, clusters, "0-1")


#: How much true positives, false positives and false negatives weigh above and below the line.
_PRECISION = ((1.0, 0.0, 0.0), (1.0, 1.0, 0.0))
_RECALL = ((1.0, 0.0, 0.0), (1.0, 0.0, 1.0))
_F1 = ((2.0, 0.0, 0.0), (2.0, 1.0, 1.0))
_Weights = tuple[tuple[float, float, float], tuple[float, float, float]]
_WEIGHTS = {"precision_score": _PRECISION, "recall_score": _RECALL, "f1_score": _F1}
#: The keys of scikit-learn and their defaults.
_KEYS: dict[str, Any] = {
    "labels": None,
    "pos_label": 1,
    "average": "binary",
    "sample_weight": None,
    "zero_division": "warn",
}


def _ratio(weights: _Weights, counts: Sequence[Sequence[int]]) -> float:
    if not counts:
        return math.nan
    sums = [sum(column) for column in zip(*counts, strict=True)]
    top, bottom = (
        sum(weight * count for weight, count in zip(line, sums, strict=True)) for line in weights
    )
    return top / bottom if bottom else 0.0


def _estimated(
    metric: str, compute: Callable[..., float | list[float]]
) -> Callable[..., Estimate | list[float]]:
    weights = _WEIGHTS[metric]

    def estimate(
        y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Hashable], **keys: Any
    ) -> Estimate | list[float]:
        if {**_KEYS, **keys} != _KEYS:
            value = compute(y_true, y_pred, **keys)
            return value if isinstance(value, list) else Estimate(value, len(y_true), unit="0-1")
        counts = _counts(metric, y_true, y_pred)
        hits, false, missed = ([float(row[place]) for row in counts] for place in range(3))
        if weights == _F1:
            item = f1(hits, false, missed, clusters)
        else:
            others = false if weights == _PRECISION else missed
            bottoms = [hit + other for hit, other in zip(hits, others, strict=True)]
            item = ratio(hits, bottoms, clusters, "0-1")
        is_zero = bool(counts) and item.value is None
        return replace(item, value=0.0) if is_zero else item

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
    "precision_score": MetricKind(precision_score, _estimated("precision_score", precision_score)),
    "recall_score": MetricKind(recall_score, _estimated("recall_score", recall_score)),
    "f1_score": MetricKind(f1_score, _estimated("f1_score", f1_score)),
}
