"""Average precision as the COCO benchmark defines it, computed by pycocotools."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Any

from chef.common.boxes import Box
from chef.errors import DependencyError
from chef.metric.detection.matching import same_class
from chef.stats.estimate import Estimate, undefined


def average_precision(
    predicted: Sequence[Sequence[Box]], references: Sequence[Sequence[Box]]
) -> dict[str, Estimate]:
    """``COCO_AP`` (mean over IoU 0.5, 0.55, ..., 0.95) and ``COCO_AP50``, in %, over classes.

    Source: Lin et al. 2014, "Microsoft COCO", as computed by pycocotools, for objects of all sizes
    and at most 100 boxes per class and image. All predicted boxes have the same confidence, so they
    are ranked by the order of the images and by their order in the answer. Predicted boxes of
    classes that no image has are left out, as in COCO.

    Args:
        predicted: the predicted boxes of each image.
        references: the true boxes of each image.

    Returns:
        Estimates without an interval; their value is None if there are no true boxes.

    Raises:
        DependencyError: pycocotools is not installed.
    """
    classes = sorted({box.label for boxes in references for box in boxes})
    n = len(references)
    if not classes:
        return {"COCO_AP": undefined("%", n), "COCO_AP50": undefined("%", n)}
    found = [
        _annotation(0, image, number, box)
        for image, boxes in enumerate(predicted)
        for box in boxes
        for number, label in enumerate(classes)
        if same_class(box.label, label)
    ]
    real = [
        _annotation(index, image, classes.index(box.label), box)
        for index, (image, box) in enumerate(
            ((image, box) for image, boxes in enumerate(references) for box in boxes), start=1
        )
    ]
    overall, half = _evaluate(real, found, len(classes), n) if found else (0.0, 0.0)
    return {
        "COCO_AP": Estimate(100 * overall, n, unit="%"),
        "COCO_AP50": Estimate(100 * half, n, unit="%"),
    }


def _annotation(index: int, image: int, category: int, box: Box) -> dict[str, Any]:
    x1, y1, x2, y2 = box.bbox
    width, height = x2 - x1, y2 - y1
    return {
        "id": index,
        "image_id": image,
        "category_id": category,
        "bbox": [x1, y1, width, height],
        "area": width * height,
        "iscrowd": 0,
        "score": 1.0,
    }


def _evaluate(
    real: list[dict[str, Any]], found: list[dict[str, Any]], categories: int, images: int
) -> tuple[float, float]:
    """The mean of the precisions at 101 recalls, over all ten IoUs and at IoU 0.5, in 0..1."""
    try:
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
    except ImportError:
        raise DependencyError(
            "average precision needs pycocotools", hint="pip install pycocotools"
        ) from None
    with contextlib.redirect_stdout(io.StringIO()):  # pycocotools prints its progress
        table = COCO()
        table.dataset = {
            "images": [{"id": number} for number in range(images)],
            "categories": [{"id": number} for number in range(categories)],
            "annotations": real,
            "info": {},
        }
        table.createIndex()
        evaluation = COCOeval(table, table.loadRes(found), "bbox")
        evaluation.params.areaRng, evaluation.params.areaRngLbl = [[0, 1e10]], ["all"]
        evaluation.params.maxDets = [100]
        evaluation.evaluate()
        evaluation.accumulate()
    precision = evaluation.eval["precision"]  # [IoU, recall, class, area, boxes]
    per_iou = [float(row[row > -1].mean()) for row in precision]
    return sum(per_iou) / len(per_iou), per_iou[0]
