"""What a metric of MMTrustEval is; accuracy, precision, recall and F1 as scikit-learn defines them.

They take its keyword arguments; with these a figure has no interval.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, Literal, TypeAlias

from chef.errors import RunError
from chef.frozen import Frozen
from chef.stats.estimate import Estimate
from chef.stats.figures import Clusters, f1, ratio, share, without_intervals


class MetricKind(Frozen):
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


Class: TypeAlias = int | str
Average: TypeAlias = Literal["binary", "micro", "macro", "weighted"] | None
_Keys: TypeAlias = Mapping[str, Any]
_Weights: TypeAlias = tuple[float, float, float]


def accuracy_score(
    y_true: Sequence[Any],
    y_pred: Sequence[Any],
    clusters: Clusters,
    *,
    normalize: bool = True,
    sample_weight: list[float] | None = None,
) -> Estimate:
    """The share, in 0..1, of predictions that equal their labels, or without ``normalize`` their
    number; raises RunError where both are not of one kind.
    """
    truths, found = _comparable("accuracy_score", y_true, y_pred)
    pairs = zip(truths, found, strict=True)
    hits = [int(pred is not None and truth == pred) for truth, pred in pairs]
    if normalize and sample_weight is None:
        return share(hits, clusters, "0-1")
    weights = sample_weight or [1.0] * len(hits)
    total = sum(hit * weight for hit, weight in zip(hits, weights, strict=True))
    if not normalize:
        return Estimate(total, len(hits), unit="count")
    return Estimate(total / sum(weights) if hits else math.nan, len(hits), unit="0-1")


def _kind_of(name: str, top: _Weights, bottom: _Weights) -> MetricKind:
    """A figure of two classes, with the keys of scikit-learn's function of that name: by how much
    true positives, false positives and false negatives weigh above and below the line.
    """

    def score(
        y_true: Sequence[Any],
        y_pred: Sequence[Any],
        clusters: Clusters,
        *,
        labels: list[Class] | None = None,
        pos_label: Class = 1,
        average: Average = "binary",
        sample_weight: list[float] | None = None,
        zero_division: float | Literal["warn"] = "warn",
    ) -> Estimate | list[float]:
        """The figure, 0 to 1, by scikit-learn where its keys are given; else 0 if undefined.

        ``average: null`` lists the figures of all classes. Raises RunError for three classes.
        """
        given = labels, pos_label, average, sample_weight, zero_division
        keys = dict(zip(_KEYS, given, strict=True))
        if keys != _KEYS:
            value = _by_sklearn(name, y_true, y_pred, keys)
            return value if isinstance(value, list) else Estimate(value, len(y_true), unit="0-1")
        counts = _counts(name, y_true, y_pred)
        if name == "f1_score":
            hits, false, missed = (_weighted(one, counts) for one in _EACH)
            item = f1(hits, false, missed, clusters)
        else:
            item = ratio(_weighted(top, counts), _weighted(bottom, counts), clusters, "0-1")
        return replace(item, value=0.0) if counts and item.value is None else item

    score.__name__ = name
    return figure(score)


#: The keys of scikit-learn and their defaults.
_KEYS: _Keys = {
    "labels": None,
    "pos_label": 1,
    "average": "binary",
    "sample_weight": None,
    "zero_division": "warn",
}
_EACH = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def _weighted(weights: Sequence[float], counts: Sequence[Sequence[int]]) -> list[float]:
    """The weighted sum of the counts of each sample."""
    return [
        sum(weight * count for weight, count in zip(weights, row, strict=True)) for row in counts
    ]


def _by_sklearn(
    name: str, y_true: Sequence[Any], y_pred: Sequence[Any], keys: _Keys
) -> float | list[float]:
    """A figure by scikit-learn; NaN for no samples."""
    from sklearn import metrics

    given = dict(keys)
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


def _counts(
    metric: str, y_true: Sequence[Any], y_pred: Sequence[Any]
) -> list[tuple[int, int, int]]:
    """True positives, false positives and false negatives, sample by sample; what was not decided
    is not predicted to be 1.
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
    "accuracy_score": figure(accuracy_score),
    # Of what was predicted to be 1, of what is 1, and their harmonic mean.
    "precision_score": _kind_of("precision_score", (1.0, 0.0, 0.0), (1.0, 1.0, 0.0)),
    "recall_score": _kind_of("recall_score", (1.0, 0.0, 0.0), (1.0, 0.0, 1.0)),
    "f1_score": _kind_of("f1_score", (2.0, 0.0, 0.0), (2.0, 1.0, 1.0)),
}
