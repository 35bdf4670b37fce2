"""The share of boxes that a judge standardised and that overlap with the true ones."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Sequence
from typing import Any

from chef.common.boxes import iou
from chef.errors import RunError
from chef.metric.mmtrusteval.kinds import MetricKind
from chef.stats.estimate import Estimate
from chef.stats.figures import share

_OVERLAP = 0.5


def iou_judge(y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
    """The share of boxes with an intersection over union of more than 0.5, **in percent**.

    Args:
        y_true: boxes ``[xmin, ymin, xmax, ymax]``, as lists or as JSON.
        y_pred: texts of such a box, in brackets and triple quotes or without; its numbers may be
            fractions such as ``1/3``. Any other text, and None, is a miss.

    Raises:
        RunError: a label is no box.
    """
    hits = _hits(y_true, y_pred)
    return 100.0 * sum(hits) / len(hits) if hits else math.nan


def _estimate(
    y_true: Sequence[Any], y_pred: Sequence[Any], clusters: Sequence[Hashable]
) -> Estimate:
    return share(_hits(y_true, y_pred), clusters)


def _hits(y_true: Sequence[Any], y_pred: Sequence[Any]) -> list[int]:
    found = []
    for place, (label, pred) in enumerate(zip(y_true, y_pred, strict=True)):
        truth, box = _true_box(label, place), read_box(pred)
        found.append(int(box is not None and iou(box, truth) > _OVERLAP))
    return found


def read_box(text: Any) -> list[float] | None:
    """The box of a judge's text; None unless it has just four numbers.

    Parts between commas that are no numbers are left out.

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


IOU = MetricKind(iou_judge, _estimate)
