"""Labelled boxes, the order of their corners, their overlap, and the classes of VOC2012."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Box(NamedTuple):
    """A labelled box.

    Attributes:
        label: the label as written; empty when the text names none.
        bbox: ``(x1, y1, x2, y2)``, x1 <= x2 and y1 <= y2, in the units of the text.
    """

    label: str
    bbox: tuple[float, float, float, float]


def upright(numbers: Sequence[float]) -> tuple[float, float, float, float] | None:
    """The four numbers as a box; None if they are not one.

    Corners in reverse order (x1 > x2 and y1 > y2) are exchanged. Numbers that are reversed on one
    axis only are not a box, as in ChEF.

    >>> upright([0.5, 0.5, 0.1, 0.2])
    (0.1, 0.2, 0.5, 0.5)
    """
    if len(numbers) != 4 or not all(math.isfinite(number) for number in numbers):
        return None
    x1, y1, x2, y2 = (float(number) for number in numbers)
    if x1 > x2 and y1 > y2:
        return x2, y2, x1, y1
    return None if x1 > x2 or y1 > y2 else (x1, y1, x2, y2)


def iou(first: Sequence[float], second: Sequence[float]) -> float:
    """Intersection over union of two boxes ``(x1, y1, x2, y2)``, in 0..1.

    >>> iou((0, 0, 2, 2), (1, 0, 3, 2)) == 1 / 3
    True
    """
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / (_area(first) + _area(second) - shared)


def _area(box: Sequence[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


VOC2012 = (
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow",
    "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train",
    "tvmonitor",
)  # fmt: skip
