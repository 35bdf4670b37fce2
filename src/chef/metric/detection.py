"""Are the objects found, and where they are?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from chef.errors import ConfigError, DataError
from chef.metric.base import BaseMetric
from chef.metric.extraction import POLICY, Box, parse_boxes
from chef.metric.extraction.boxes import upright
from chef.metric.extraction.mentions import same_text
from chef.metric.records import answer_text, missing_truth
from chef.metric.statistics import bootstrap_ratio


class Detection(BaseMetric):
    """Pooled precision, recall and F1 at one IoU threshold.

    Boxes of equal label are matched one to one, greedily by falling IoU, so a box repeated ten
    times is right once and wrong nine times. Labels are equal but for case, articles, spaces and
    punctuation ("dining table" is "diningtable"). Counts are summed over images before dividing;
    intervals come from drawing images.

    Figures, in %, for ``threshold`` 0.5:
        ``precision@0.5``: matched boxes over predicted ones; ``recall@0.5``: over true ones;
        ``f1@0.5``: twice the matched over predicted plus true. No value where that divides by 0.

    Args:
        dataset_name: the name of the scenario.
        threshold: a match needs an IoU above it (strictly, as in ChEF), in [0, 1).
        scale: what stands for the full width and height in the answers: 1 for fractions, 1000 for
            models that speak in thousandths.

    Raises:
        ConfigError: threshold or scale out of range.
    """

    def __init__(self, dataset_name: str = "", threshold: float = 0.5, scale: float = 1.0) -> None:
        super().__init__(dataset_name)
        if not 0 <= threshold < 1:
            raise ConfigError(f"threshold is {threshold}", mend="an IoU in [0, 1), such as 0.5")
        if not (scale > 0 and math.isfinite(scale)):
            raise ConfigError(f"scale is {scale}", mend="a positive number, such as 1 or 1000")
        self.threshold = threshold
        self.scale = scale
        self.primary = f"f1@{threshold:g}"

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the F1 of the image (1 when there is nothing and nothing is said).

        ``parsed`` are the predicted boxes in fractions, None when the answer holds none while
        there are objects to find; ``matches`` pairs of (predicted, true) indices.
        """
        truth = true_boxes(record)
        said = [Box(box.label, self.fractions(box)) for box in _said_boxes(record)]
        pairs = match(said, truth, self.threshold)
        total = len(said) + len(truth)
        return {
            "metric_result": 2 * len(pairs) / total if total else 1.0,
            "parsed": [as_json(box) for box in said] if said or not truth else None,
            "evidence": {"rule": "boxes", "text": "", "span": None},
            "matches": pairs,
            "boxes_predicted": len(said),
            "boxes_true": len(truth),
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        hits = [100.0 * len(answer["matches"]) for answer in answers]
        said = [float(answer["boxes_predicted"]) for answer in answers]
        true = [float(answer["boxes_true"]) for answer in answers]
        at = f"@{self.threshold:g}"
        return {
            f"precision{at}": bootstrap_ratio(hits, said, unit="%"),
            f"recall{at}": bootstrap_ratio(hits, true, unit="%"),
            f"f1{at}": bootstrap_ratio(
                [2 * hit for hit in hits],
                [first + second for first, second in zip(said, true, strict=True)],
                unit="%",
            ),
            "policy": POLICY,
        }

    def fractions(self, box: Box) -> tuple[float, float, float, float]:
        """A box of an answer in fractions of the picture."""
        x1, y1, x2, y2 = (number / self.scale for number in box.bbox)
        return x1, y1, x2, y2


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


def match(said: Sequence[Box], truth: Sequence[Box], threshold: float) -> list[tuple[int, int]]:
    """Pairs of indices (said, true), best overlap first, each box in at most one pair."""
    overlaps = [
        (iou(box.bbox, other.bbox), i, j)
        for i, box in enumerate(said)
        for j, other in enumerate(truth)
        if same_label(box.label, other.label)
    ]
    pairs: list[tuple[int, int]] = []
    for overlap, i, j in sorted(overlaps, key=lambda item: (-item[0], item[1:])):
        free = all(i != first and j != second for first, second in pairs)
        if overlap > threshold and free:
            pairs.append((i, j))
    return pairs


def same_label(first: str, second: str) -> bool:
    """Equal but for case, a leading article, spaces and punctuation.

    >>> same_label("The dining-table", "diningtable")
    True
    """
    return bool(same_text(first, [second])) or bool(same_text(_joined(first), [_joined(second)]))


def _joined(label: str) -> str:
    words = label.casefold().replace("-", " ").replace("_", " ").split()
    return "".join(words[1:] if words[:1] and words[0] in {"a", "an", "the"} else words)


def _area(box: Sequence[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def true_boxes(record: dict[str, Any]) -> list[Box]:
    """The labelled boxes of ``gt_answers``.

    Raises:
        MissingTruthError: there are none to compare with.
        DataError: they are no boxes.
    """
    truth = record.get("gt_answers")
    if not isinstance(truth, list | tuple):
        raise missing_truth(record, "list of boxes in gt_answers")
    return [_box(item) for item in truth]


def _said_boxes(record: dict[str, Any]) -> list[Box]:
    answer = record.get("answer")
    if isinstance(answer, list | tuple):
        return [_box(item) for item in answer]
    return parse_boxes(answer_text(record))


def _box(item: Any) -> Box:
    try:
        box = upright([float(number) for number in item["bbox"]])
        label = str(item["label"])
    except (TypeError, KeyError, ValueError):
        box, label = None, ""
    if box is None:
        raise DataError(f"{item!r} is no box", mend="{label: ..., bbox: [x1, y1, x2, y2]}")
    return Box(label, box)


def as_json(box: Box) -> dict[str, Any]:
    return {"label": box.label, "bbox": list(box.bbox)}
