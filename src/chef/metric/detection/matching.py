"""Labelled boxes: match them, and read the true ones of a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.common.boxes import Box, iou, upright
from chef.errors import DataError
from chef.metric.detection.class_names import same_class, same_label
from chef.metric.records import missing_truth

__all__ = ["as_box", "as_json", "match", "same_class", "same_label", "true_boxes"]


def match(
    predicted: Sequence[Box], references: Sequence[Box], threshold: float
) -> list[tuple[int, int]]:
    """Pairs of indices (predicted, true), best overlap first; each box is in at most one pair.

    The predicted label must be the true one or a synonym of it (`same_class`).
    """
    overlaps = [
        (iou(box.bbox, other.bbox), i, j)
        for i, box in enumerate(predicted)
        for j, other in enumerate(references)
        if same_class(box.label, other.label)
    ]
    pairs: list[tuple[int, int]] = []
    for overlap, i, j in sorted(overlaps, key=lambda item: (-item[0], item[1:])):
        free = all(i != first and j != second for first, second in pairs)
        if overlap > threshold and free:
            pairs.append((i, j))
    return pairs


def true_boxes(record: dict[str, Any]) -> list[Box]:
    """The labelled boxes of ``gt_answers``.

    Raises:
        MissingTruthError: there are none.
        DataError: an item is not a box.
    """
    references = record.get("gt_answers")
    if not isinstance(references, list | tuple):
        raise missing_truth(record, "list of boxes in gt_answers")
    return [as_box(item) for item in references]


def as_box(item: Any) -> Box:
    """Convert ``{label, bbox}`` to a box.

    Raises:
        DataError: ``item`` has another form.
    """
    try:
        box = upright([float(number) for number in item["bbox"]])
        label = str(item["label"])
    except (TypeError, KeyError, ValueError):
        box, label = None, ""
    if box is None:
        raise DataError(f"{item!r} is no box", hint="{label: ..., bbox: [x1, y1, x2, y2]}")
    return Box(label, box)


def as_json(box: Box) -> dict[str, Any]:
    """The box as plain data."""
    return {"label": box.label, "bbox": list(box.bbox)}
