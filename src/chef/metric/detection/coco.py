"""Average precision as the COCO benchmark defines it, by pycocotools."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Any

from chef.errors import DependencyError
from chef.extraction import Box
from chef.metric.detection.matching import same_class
from chef.metric.estimate import Estimate, undefined


def average_precision(
    predicted: Sequence[Sequence[Box]], references: Sequence[Sequence[Box]]
) -> dict[str, Estimate]:
    """``COCO_AP`` (mean over IoU 0.5, 0.55, ..., 0.95) and ``COCO_AP50``, in %, over classes.

    Source: Lin et al. 2014, "Microsoft COCO", as computed by pycocotools; objects of all sizes, at
    most 100 boxes of a class an image. A box has no confidence here: all have the same, and stand
    in the order in which they were said, the images in the order given. Boxes of classes that no
    image has are left out, as they are there.

    Args:
        predicted: the predicted boxes of each image.
        references: the true ones.

    Returns:
        Figures without an interval: None where there is nothing to find.

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
    """The mean of the precisions at 101 recalls, at all ten IoUs and at 0.5, in 0..1."""
    try:
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
    except ImportError:
        raise DependencyError(
            "average precision needs pycocotools", mend="pip install pycocotools"
        ) from None
    with contextlib.redirect_stdout(io.StringIO()):  # it reports its progress there
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
