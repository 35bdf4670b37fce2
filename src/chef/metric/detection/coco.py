"""Average precision as the COCO benchmark defines it, computed by pycocotools."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Hashable, Sequence
from typing import Any

from chef.common.boxes import Box
from chef.errors import DependencyError
from chef.frozen import Frozen
from chef.metric.detection.matching import same_class
from chef.stats.arrays import NDArray, Places, np
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import bootstrapped

_IOUS, _RECALLS = 10, 101


def average_precision(
    predicted: Sequence[Sequence[Box]],
    references: Sequence[Sequence[Box]],
    clusters: Sequence[Hashable],
) -> dict[str, Estimate]:
    """``COCO_AP`` (mean over IoU 0.5 to 0.95) and ``COCO_AP50``, in %, as pycocotools (Lin et al.
    2014).

    Objects of all sizes and at most 100 boxes per class and image count; boxes of classes that no
    image has do not. All boxes have one confidence: they rank by their order. Raises
    DependencyError.
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
    matched = _evaluate(real, found, len(classes), n) if found else []
    values = _precisions(matched, np.ones(n, dtype=np.intp))
    bare = [Estimate(value, n, unit="0-1") for value in values]
    items = bootstrapped(bare, lambda counts: _precisions(matched, counts), clusters)
    names = ("COCO_AP", "COCO_AP50")
    return {name: item.scaled(100, "%") for name, item in zip(names, items, strict=True)}


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


class _Class(Frozen):
    """Predicted boxes of one class by rank: ``(boxes, 10)`` hits at each IoU, ``(boxes,)`` the
    image of each, and ``(images,)`` how many true boxes each image has.
    """

    hits: NDArray[np.bool_]
    images: Places
    objects: Places


def _precisions(classes: Sequence[_Class], counts: Places) -> tuple[float, float]:
    """Mean precision, in 0..1, at 101 recalls, over all ten IoUs and at IoU 0.5; ``counts``,
    ``(images,)``, is how often each image counts.
    """
    recalls = np.linspace(0.0, 1.0, _RECALLS)
    rows = []
    for item in classes:
        if not (total := int(counts @ item.objects)):
            continue
        hits = np.repeat(item.hits, counts[item.images], axis=0).cumsum(axis=0)
        precision = hits / np.arange(1, len(hits) + 1)[:, None]
        # At each recall the best precision at it or beyond, and 0 where it is not reached.
        best = np.maximum.accumulate(precision[::-1], axis=0)[::-1]
        best = np.vstack([best, np.zeros((1, best.shape[1]))])
        reached = (hits / total).T
        places = [np.searchsorted(column, recalls) for column in reached]
        rows.append([best[place, at].mean() for at, place in enumerate(places)])
    if not rows:
        return 0.0, 0.0
    per_iou = np.mean(rows, axis=0)
    return float(per_iou.mean()), float(per_iou[0])


def _evaluate(
    real: list[dict[str, Any]], found: list[dict[str, Any]], categories: int, images: int
) -> list[_Class]:
    """Which predicted boxes are right, by pycocotools."""
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
    matched = []
    for start in range(0, categories * images, images):
        # Of a class; None where an image has neither a true nor a predicted box.
        row = evaluation.evalImgs[start : start + images]
        hits = [np.empty((0, _IOUS)) if item is None else item["dtMatches"].T > 0 for item in row]
        places = np.repeat(np.arange(images), [len(item) for item in hits])
        objects = np.array([0 if item is None else len(item["gtIds"]) for item in row])
        matched.append(_Class(np.concatenate(hits).astype(bool), places, objects))
    return matched
