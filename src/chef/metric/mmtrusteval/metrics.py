"""The metrics of MMTrustEval by their ids.

A prediction is None where an evaluator could not decide. Sum, mean and correlation leave it out,
for the others it is not right. What is undefined (a mean of nothing) is NaN.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Hashable, Sequence
from typing import Any

from chef.common.boxes import iou
from chef.errors import RunError
from chef.metric.mmtrusteval.kinds import BINARY, MetricKind, figure, is_nan, numbers, plain
from chef.stats.arrays import Array, np
from chef.stats.estimate import Estimate
from chef.stats.figures import Clusters, mean, of_sums, share


def pearson_corr(
    y_true: Sequence[Any], y_pred: Sequence[Any], nan_to_num: float | None = None
) -> float:
    """Pearson's correlation of numbers, or texts of them ("50"), in -1..1; NaN for fewer than two
    or constants. NaN and None are left out, or are ``nan_to_num``. Raises RunError for other texts.
    """
    pairs = [(x, y) for x, y, _ in _pairs(y_true, y_pred, list(y_true), nan_to_num)]
    if len(pairs) < 2:
        return math.nan
    from scipy.stats import pearsonr

    xs, ys = np.asarray(pairs, dtype=np.float32).T
    with warnings.catch_warnings():
        # Constants have no correlation, and nearly constant numbers an inexact one.
        warnings.simplefilter("ignore")
        return float(pearsonr(xs, ys)[0])


def _estimated_correlation(
    y_true: Sequence[Any],
    y_pred: Sequence[Any],
    clusters: Sequence[Hashable],
    nan_to_num: float | None = None,
) -> Estimate:
    triples = _pairs(y_true, y_pred, list(clusters), nan_to_num)
    n = max(1, len(triples))
    # Around the means, so that the sums of squares keep their digits.
    x0, y0 = sum(x for x, _, _ in triples) / n, sum(y for _, y, _ in triples) / n
    rows = [(1.0, x, y, x * x, y * y, x * y) for x, y in ((x - x0, y - y0) for x, y, _ in triples)]
    of = [cluster for _, _, cluster in triples]
    return of_sums(rows, _correlation, of, least=-1, most=1)


def _correlation(sums: Array) -> Array:
    count, x, y, xx, yy, xy = sums.T
    spread = (xx - x * x / count) * (yy - y * y / count)
    # What remains of a constant is rounding.
    known = spread > 1e-12 * xx * yy
    found = (xy - x * y / count) / np.sqrt(np.where(known, spread, 1.0))
    return np.where(known, np.clip(found, -1.0, 1.0), np.nan)


def _pairs(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Any], nan_to_num: float | None
) -> list[tuple[float, float, Any]]:
    """Label, prediction and cluster of the samples that count."""
    pairs = []
    for truth, pred, cluster in zip(
        numbers("pearson_corr", map(_converted, y_true), "label"),
        numbers("pearson_corr", map(_converted, y_pred)),
        clusters,
        strict=True,
    ):
        if truth is None:
            raise RunError("pearson_corr: a sample has no label", hint="give labels")
        known = nan_to_num if pred is None or is_nan(pred) else pred
        if known is not None and not is_nan(known):
            pairs.append((truth, known, cluster))
    return pairs


def _converted(item: Any) -> Any:
    """A text that is a number as that number; anything else as it is."""
    try:
        return float(item) if isinstance(item, str) else item
    except ValueError:
        return item


_OVERLAP = 0.5


def iou_judge(y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Clusters) -> Estimate:
    """The share of boxes ``[xmin, ymin, xmax, ymax]`` with an IoU of more than 0.5, **in percent**.

    Numbers may be fractions (``1/3``); other texts are a miss. Raises RunError for a label without
    a box.
    """
    return share(_box_hits(y_true, y_pred), clusters)


def _box_hits(y_true: Sequence[Any], y_pred: Sequence[Any]) -> list[int]:
    hits = []
    for place, (label, pred) in enumerate(zip(y_true, y_pred, strict=True)):
        truth, box = _true_box(label, place), read_box(pred)
        hits.append(int(box is not None and iou(box, truth) > _OVERLAP))
    return hits


def read_box(text: Any) -> list[float] | None:
    """The box of a judge's text, None unless it has just four numbers; other parts are left out.

    >>> read_box("'''[0, 1/4, 0.5, 1]'''"), read_box("[0, 0, 1/0, 1]")
    ([0.0, 0.25, 0.5, 1.0], None)
    """
    if not isinstance(text, str):
        return None
    for mark in ('"' * 3, "'" * 3, "\n"):
        text = text.replace(mark, "")
    read = (_number(part) for part in text.strip("[]").split(","))
    numbers = [number for number in read if number is not None]
    return numbers if len(numbers) == 4 and all(map(math.isfinite, numbers)) else None


def _number(part: str) -> float | None:
    top, line, bottom = part.partition("/")
    try:
        return float(top) / float(bottom) if line else float(part)
    except (ValueError, ZeroDivisionError):
        return None


def _true_box(label: Any, place: int) -> list[float]:
    try:
        box = [float(item) for item in (json.loads(label) if isinstance(label, str) else label)]
    except (ValueError, TypeError):
        box = []
    if len(box) != 4:
        raise RunError(
            f"iou_judge: label {place} is {label!r:.60}, not a box",
            hint="give [xmin, ymin, xmax, ymax], as a list or as JSON",
        )
    return box


def pred_no_op(y_true: Sequence[Any], y_pred: Sequence[Any]) -> list[Any]:
    """The predictions themselves."""
    del y_true
    return list(y_pred)


def pred_sum(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
    """The sum of the predictions that were decided; raises RunError for one that is no number."""
    del y_true
    return sum(item for item in numbers("pred_sum", y_pred) if item is not None)


def _estimated_sum(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Hashable]
) -> Estimate:
    del y_true
    rows = [(item or 0.0,) for item in numbers("pred_sum", y_pred)]
    return of_sums(rows, lambda sums: sums[:, 0], clusters, higher_is_better=None)


def pred_mean(y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Clusters) -> Estimate:
    """The mean of the predictions that were decided; raises RunError for one that is no number."""
    del y_true
    given = enumerate(numbers("pred_mean", y_pred))
    decided = {place: item for place, item in given if item is not None}
    items = list(decided.values())
    of = clusters and [clusters[place] for place in decided]
    if items and all(0 <= item <= 1 for item in items):
        return share(items, of, "0-1", higher_is_better=None)
    return mean(items, of, higher_is_better=None)


def failure(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Clusters, fails_num: float = math.nan
) -> Estimate:
    """The share of predictions that failed, None or ``fails_num``, in 0..1."""
    del y_true
    failed = [
        int(item is None or (is_nan(item) and is_nan(fails_num)) or bool(item == fails_num))
        for item in map(plain, y_pred)
    ]
    return share(failed, clusters, "0-1", higher_is_better=False)


#: The metrics by their ids; those of users are added.
METRICS: dict[str, MetricKind] = {
    "pred_no_op": MetricKind(pred_no_op),
    "pred_sum": MetricKind(pred_sum, _estimated_sum),
    "pred_mean": figure(pred_mean),
    **BINARY,
    "pearson_corr": MetricKind(pearson_corr, _estimated_correlation),
    "failure": figure(failure),
    "iou_judge": figure(iou_judge),
}
