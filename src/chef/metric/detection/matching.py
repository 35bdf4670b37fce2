"""Boxes: as fractions of the image, of which class, which are matched; COCO's average precision."""

from __future__ import annotations

import contextlib
import io
import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias

from chef.common.boxes import Box, iou, upright
from chef.common.yaml_text import shipped
from chef.errors import ChefError, ConfigError, DataError, DependencyError
from chef.frozen import Frozen
from chef.metric.classification.synonyms import DECOYS, synonyms
from chef.metric.records import missing_truth
from chef.reading.boxes.phrases import head_words
from chef.reading.mentions import same_text
from chef.stats.arrays import NDArray, Places, np
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import bootstrapped

#: The coordinate of the right and bottom edge of the image, or ``pixel`` for its width and height.
BoxScale: TypeAlias = float | Literal["pixel"]


def checked_scale(scale: BoxScale) -> BoxScale:
    """``scale``, if it is ``pixel`` or a positive number; raises ConfigError."""
    if scale == "pixel":
        return "pixel"
    # A caller from Python may give any string.
    if not isinstance(scale, int | float) or not (scale > 0 and math.isfinite(scale)):
        raise ConfigError(
            f"box_scale is {scale}", hint="give a positive number, such as 1 or 1000, or 'pixel'"
        )
    return float(scale)


def edges_of(scale: BoxScale, record: dict[str, Any]) -> tuple[float, float]:
    """The coordinates of the right and of the bottom edge of a sample's image.

    ``pixel`` needs ``image_size``, ``[width, height]``, or the image at ``image_path``; else raises
    DataError.
    """
    if scale != "pixel":
        return scale, scale
    size = record.get("image_size")
    if size is None:
        size = _size_of_file(record.get("image_path"))
    if (
        not isinstance(size, list | tuple)
        or len(size) != 2
        or not all(isinstance(n, int | float) and n > 0 for n in size)
    ):
        raise DataError(
            "box_scale is 'pixel', and the size of the image is not known",
            where=f"sample '{record.get('id', '?')}'",
            hint="give image_size, [width, height] in pixels, in the sample's fields, or an "
            "image_path that can be opened from here",
        )
    return float(size[0]), float(size[1])


def in_fractions(boxes: Sequence[Box], edges: tuple[float, float]) -> list[Box]:
    """All boxes of one answer as fractions of the image with these right and bottom edges.

    If no coordinate is above 1, they are fractions already, whatever the scale: the model did not
    keep to it, as nothing is smaller than a thousandth or a pixel.

    >>> in_fractions([Box("dog", (0, 0, 500, 250))], (1000, 1000))
    [Box(label='dog', bbox=(0.0, 0.0, 0.5, 0.25))]
    """
    if all(0 <= number <= 1 for number in _numbers(boxes)):
        edges = (1.0, 1.0)
    width, height = edges
    return [
        Box(label, (x1 / width, y1 / height, x2 / width, y2 / height))
        for label, (x1, y1, x2, y2) in boxes
    ]


def _numbers(boxes: Sequence[Box]) -> Iterator[float]:
    return (number for box in boxes for number in box.bbox)


def _size_of_file(path: Any) -> tuple[int, int] | None:
    """Width and height of the image at ``path``, as it is shown; None if it cannot be opened."""
    from chef.image import Image

    if not isinstance(path, str) or not path:
        return None
    try:
        return Image(path).size
    except ChefError:
        return None


#: Nouns that end with a class but are none of its things.
_OTHER_THINGS = (
    *DECOYS, "teddy bear", "stuffed bear", "gummy bear", "guinea pig", "sea lion", "sea cow",
    "rubber duck", "fried chicken", "roast chicken", "pit bull", "toilet seat", "car seat",
    "bicycle seat", "bike seat", "record player", "cd player", "dvd player", "media player",
    "power plant", "pool table", "operating table", "periodic table", "cable car", "blood vessel",
    "gingerbread man", "flower bed", "river bed", "truck bed", "hair tie", "cable tie",
)  # fmt: skip
_IRREGULAR = {
    "mice": "mouse", "geese": "goose", "oxen": "ox", "people": "person", "men": "man",
    "women": "woman", "children": "child", "feet": "foot", "teeth": "tooth",
}  # fmt: skip
#: The longest class name, in words.
_WORDS = 4


@lru_cache(1 << 16)  # labels are few, boxes are many
def same_class(predicted: str, label: str) -> bool:
    """Whether the label of a predicted box names the class ``label``.

    It does if it is the class or a synonym of it, in singular or plural, or a noun phrase whose
    head is one: "a small dog next to the cat" is a dog, "dog bowl" and "hot dog" are none. Common
    nouns of other languages are understood, too.

    >>> same_class("a young woman", "person"), same_class("woman's hat", "person")
    (True, False)
    >>> same_class("图中的猫", "cat"), same_class("Le chien noir", "dog")
    (True, True)
    """
    forms = (label, *synonyms(label))
    if any(same_label(predicted, form) for form in forms):
        return True
    words = head_words(predicted)
    if words and _is_kind_of(words, forms):
        return True
    meaning = _translated(predicted)
    return meaning is not None and any(
        same_label(noun, form) for noun in (meaning, *synonyms(meaning)) for form in forms
    )


def same_label(first: str, second: str) -> bool:
    """Whether two labels are equal up to case, a leading article, spaces and punctuation.

    >>> same_label("The dining-table", "diningtable")
    True
    """
    return bool(same_text(first, [second])) or bool(same_text(_joined(first), [_joined(second)]))


def _joined(label: str) -> str:
    words = label.casefold().replace("-", " ").replace("_", " ").split()
    return "".join(words[1:] if words[:1] and words[0] in {"a", "an", "the"} else words)


def _is_kind_of(words: list[str], forms: Iterable[str]) -> bool:
    """Whether a noun phrase ends with one of the nouns, or with the plural of one."""
    wanted = {_singular(_joined(form)) for form in forms}
    endings = [_singular("".join(words[-count:])) for count in range(1, _WORDS + 1)]
    others = {_singular(_joined(noun)) for noun in _OTHER_THINGS} - wanted
    return not others & set(endings) and bool(wanted & set(endings))


def _singular(noun: str) -> str:
    """A form that singular and plural share; it need not be a word."""
    for plural, singular in _IRREGULAR.items():
        if noun.endswith(plural) and (noun == plural or plural in {"men", "women"}):
            noun = noun.removesuffix(plural) + singular
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith("ves"):
        return noun[:-3] + "f"
    if re.search(r"(?:ss|us|x|z|ch|sh)es\Z", noun):
        return noun[:-2]
    if noun.endswith("s") and not noun.endswith(("ss", "us")):
        noun = noun[:-1]
    return noun[:-1] if noun.endswith("fe") else noun


def _translated(label: str) -> str | None:
    """The English noun for the first noun of ``label`` that the table has."""
    table = _nouns()
    words = re.findall(r"[^\W\d_]+", label.casefold())
    for i, word in enumerate(words):
        for noun in (" ".join(words[i : i + 2]), word, word.removesuffix("s")):
            if noun in table:
                return table[noun]
        if not word.isascii() and (inside := _inside(word, table)):
            return inside
    return None


def _inside(word: str, table: Mapping[str, str]) -> str | None:
    """The first noun in a text without spaces; the longest of those that begin there."""
    for start in range(min(len(word), 40)):
        for end in range(min(len(word), start + 8), start, -1):
            noun = word[start:end]
            # Latin and Cyrillic letters are written with spaces, so there a part is no word.
            if noun in table and noun[0] >= "\u3000":
                return table[noun]
    return None


@cache
def _nouns() -> Mapping[str, str]:
    """Nouns of other languages, each with its English one."""
    table: Mapping[str, str] = shipped("chef.metric.detection", "translations.yaml")
    return {noun.strip(): english for english, nouns in table.items() for noun in nouns.split(",")}


__all__ = ["as_box", "as_json", "match", "same_class", "same_label", "true_boxes"]


def match(
    predicted: Sequence[Box], references: Sequence[Box], threshold: float
) -> list[tuple[int, int]]:
    """Pairs of indices (predicted, true) of the same class, best overlap first, one pair a box."""
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
    """The labelled boxes of ``gt_answers``; raises MissingTruthError, DataError for other items."""
    references = record.get("gt_answers")
    if not isinstance(references, list | tuple):
        raise missing_truth(record, "list of boxes in gt_answers")
    return [as_box(item) for item in references]


def as_box(item: Any) -> Box:
    """Convert ``{label, bbox}`` to a box; raises DataError."""
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
