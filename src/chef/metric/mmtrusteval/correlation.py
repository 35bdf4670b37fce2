"""Pearson's correlation of labels and predictions."""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from chef.errors import RunError
from chef.metric.mmtrusteval.kinds import MetricKind, is_nan, numbers
from chef.stats.estimate import Estimate
from chef.stats.figures import of_sums

if TYPE_CHECKING:
    from chef.stats.influence import Array


def pearson_corr(
    y_true: Sequence[Any], y_pred: Sequence[Any], nan_to_num: float | None = None
) -> float:
    """Pearson's correlation, in -1..1; NaN for fewer than two predictions or for constants.

    Args:
        y_true: numbers, or texts that are numbers ("50").
        y_pred: the same; NaN and None are left out.
        nan_to_num: the number that stands for NaN and None instead.

    Raises:
        RunError: a label or a prediction is no number.
    """
    pairs = [(x, y) for x, y, _ in _pairs(y_true, y_pred, list(y_true), nan_to_num)]
    if len(pairs) < 2:
        return math.nan
    import numpy as np
    from scipy.stats import pearsonr

    xs, ys = np.asarray(pairs, dtype=np.float32).T
    with warnings.catch_warnings():
        # Constants have no correlation, and nearly constant numbers an inexact one.
        warnings.simplefilter("ignore")
        return float(pearsonr(xs, ys)[0])


def _estimate(
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
    import numpy as np

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
    found = []
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
            found.append((truth, known, cluster))
    return found


def _converted(item: Any) -> Any:
    """A text that is a number as that number; anything else as it is."""
    try:
        return float(item) if isinstance(item, str) else item
    except ValueError:
        return item


PEARSON = MetricKind(pearson_corr, _estimate)
