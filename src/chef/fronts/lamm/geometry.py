"""Overlaps of boxes and points in them, as files of ChEF call them."""

from __future__ import annotations

from collections.abc import Sequence

from chef.common.boxes import iou

#: The corners of a box are rounded to so many decimals.
_DECIMALS = 3


def cal_iou(bbox1: Sequence[float], bbox2: Sequence[float]) -> float:
    """Intersection over union of two boxes ``(x1, y1, x2, y2)``, in 0..1."""
    return iou(bbox1, bbox2)


def cal_iou_3d(bbox1: Sequence[float], bbox2: Sequence[float]) -> float:
    """Intersection over union of two upright boxes: centre ``(x, y, z)``, then sizes; 0..1.

    >>> cal_iou_3d((0, 0, 0, 2, 2, 2), (1, 0, 0, 2, 2, 2))
    0.3333333333333333
    """
    shared = 1.0
    for first, second in zip(_edges(bbox1), _edges(bbox2), strict=True):
        shared *= max(0.0, min(first[1], second[1]) - max(first[0], second[0]))
    union = _volume(bbox1) + _volume(bbox2) - shared
    return shared / union if union > 0 else 0.0


def check_inside_bbox(keypoints_list: Sequence[Sequence[float]], bbox: Sequence[float]) -> bool:
    """Whether any of the points ``(x, y)`` is inside the box ``(x1, y1, x2, y2)``, not on its edge.

    >>> check_inside_bbox([(0.5, 0.5)], (0, 0, 1, 1)), check_inside_bbox([(0, 0.5)], (0, 0, 1, 1))
    (True, False)
    """
    x1, y1, x2, y2 = bbox
    return any(x1 < x < x2 and y1 < y < y2 for x, y in keypoints_list)


def _edges(bbox: Sequence[float]) -> list[tuple[float, float]]:
    """The lower and the upper edge on each axis."""
    return [
        (round(centre - size / 2, _DECIMALS), round(centre + size / 2, _DECIMALS))
        for centre, size in zip(bbox[:3], bbox[3:6], strict=True)
    ]


def _volume(bbox: Sequence[float]) -> float:
    volume = 1.0
    for low, high in _edges(bbox):
        volume *= high - low
    return volume
