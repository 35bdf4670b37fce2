"""Boxes in objects: JSON with the keys that models use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chef.common.boxes import upright
from chef.reading.boxes.found import AXES, NUMBER, BoxMatch, Corners, corners_of, number, spanned
from chef.reading.boxes.structures import Node, Value, structures

_BOX_KEYS = (
    "bbox_2d", "box_2d", "bbox", "box", "bounding_box", "boundingbox", "bounding box", "bndbox",
    "bbox2d", "box2d", "rect", "rectangle", "coordinates", "coords", "coordinate", "position",
    "location", "points", "polygon", "bboxes", "boxes", "bounding_boxes", "xyxy", "region", "roi",
)  # fmt: skip
#: Keys whose four numbers have an order of their own.
_ORDERS = {
    "box_2d": ("y1", "x1", "y2", "x2"),
    "xywh": ("x", "y", "w", "h"),
    "bbox_xywh": ("x", "y", "w", "h"),
    "cxcywh": ("cx", "cy", "w", "h"),
    "yxyx": ("y1", "x1", "y2", "x2"),
}
_LABEL_KEYS = (
    "label", "name", "category", "class", "object", "class_name", "object_name", "category_name",
    "label_name", "class_label", "object_class", "text", "text_content", "description", "phrase",
    "entity", "item", "tag", "title", "caption", "type", "labels",
)  # fmt: skip
#: Keys that say what a list is, not which class its boxes have.
_PLAIN = frozenset(
    {
        *_BOX_KEYS, *_LABEL_KEYS, *_ORDERS, "objects", "detections", "detected_objects", "results",
        "result", "items", "annotations", "predictions", "instances", "regions", "data", "output",
        "answer", "final_answer", "response", "entities", "arguments", "parameters", "found",
        "bounding", "things", "animals", "people", "targets", "target",
    }
)  # fmt: skip
#: Keys of numbers that are no box.
_NOT_BOXES = re.compile(r"image|img|size|resolution|score|conf|prob|color|colour|\bid\b|keypoint")
_CORNERS = (
    ("point1", "point2"), ("point_1", "point_2"), ("p1", "p2"), ("start", "end"), ("min", "max"),
    ("top_left", "bottom_right"), ("topleft", "bottomright"), ("top-left", "bottom-right"),
    ("upper_left", "lower_right"), ("left_top", "right_bottom"), ("lefttop", "rightbottom"),
    ("tl", "br"), ("start_point", "end_point"), ("top left", "bottom right"),
)  # fmt: skip
_FLAT = re.compile(rf"\A[\s\[(]*{NUMBER}(?:[\s,;\])(\[]+{NUMBER}){{3,7}}[\s\])]*\Z")


def json_boxes(text: str) -> list[BoxMatch]:
    """The boxes in objects of a text, in order. A list without any object is not read here.

    >>> [(box.label, box.corners) for box in json_boxes("{'dog': [1, 2, 3, 4]}")]
    [('dog', (1.0, 2.0, 3.0, 4.0))]
    """
    boxes: list[BoxMatch] = []
    for node in structures(text):
        if _has_object(node):
            # The words around a box that has no label are those around the whole structure.
            boxes += [replace(box, start=node.start, end=node.end) for box in _walk(node, None)]
    return boxes


def _has_object(value: Value) -> bool:
    if not isinstance(value, Node):
        return False
    return (value.is_object and bool(value.items)) or any(_has_object(v) for _, v in value.items)


def _walk(node: Node, label: str | None) -> Iterator[BoxMatch]:
    """The boxes in ``node``; ``label`` is what the objects around it say."""
    own = _label(node) or label
    labels = node.get("labels", "names", "classes", "categories")
    several = _strings(labels) if isinstance(labels, Node) else []
    corners = _named(node)
    if corners:
        yield BoxMatch(corners, node.start, node.end, own)
    for i, (key, value) in enumerate(node.items):
        if _NOT_BOXES.search(key):
            continue
        at = own if not key or key in _PLAIN or key in AXES else key
        if isinstance(value, str):
            at = _before(node, i) or at
            yield from _of_text(value, key, at, node)
        elif isinstance(value, Node):
            at = _before(node, i) or at
            boxes = _numbers(value, key)
            if not boxes:
                yield from _walk(value, at)
            elif corners is None:
                yield from _labelled(boxes, value, at, several)


def _labelled(
    boxes: Sequence[Corners], node: Node, label: str | None, several: Sequence[str]
) -> Iterator[BoxMatch]:
    """The boxes of one list, all of one class or each of its own."""
    each = several if len(several) == len(boxes) else [label] * len(boxes)
    for corners, name in zip(boxes, each, strict=True):
        yield BoxMatch(corners, node.start, node.end, name)


def _of_text(value: str, key: str, label: str | None, node: Node) -> Iterator[BoxMatch]:
    """The box in a string, as in ``"bbox": "1, 2, 3, 4"``."""
    if not _FLAT.match(value):
        return
    numbers = [float(item) for item in re.findall(NUMBER, value)]
    for corners in _quads(numbers, key):
        yield BoxMatch(corners, node.start, node.end, label)


def _before(node: Node, position: int) -> str | None:
    """The string before a value of a list, as in ``["dog", [1, 2, 3, 4]]``."""
    if node.is_object or not position:
        return None
    value = node.items[position - 1][1]
    return value if isinstance(value, str) and not _FLAT.match(value) else None


def _label(node: Node) -> str | None:
    if not node.is_object or isinstance(node.get("arguments", "parameters"), Node):
        return None  # the name of a tool that is called is no label
    value = node.get(*_LABEL_KEYS)
    return value.strip() if isinstance(value, str) and value.strip() else None


def _strings(node: Node) -> list[str]:
    return [value for _, value in node.items if isinstance(value, str)]


def _named(node: Node) -> Corners | None:
    """The box of an object whose numbers have names, or whose corners have."""
    numbers = {name: value for name, value in _plain_numbers(node) if name in AXES}
    corners = corners_of(numbers)
    if corners:
        return corners
    for first, second in _CORNERS:
        points = [_point(node.get(name)) for name in (first, second)]
        if points[0] and points[1]:
            return spanned([points[0], points[1]])
    centre = _point(node.get("center", "centre", "center_point"))
    size = _point(node.get("size", "dimensions"))
    if not centre or not (size or {"width", "height"} <= set(numbers)):
        return None
    width, height = size or (numbers["width"], numbers["height"])
    return corners_of({"cx": centre[0], "cy": centre[1], "w": width, "h": height})


def _plain_numbers(node: Node) -> Iterator[tuple[str, float]]:
    for name, value in node.items:
        if isinstance(value, float):
            yield name, value
        elif isinstance(value, str) and re.fullmatch(rf"{NUMBER}(?:\s?%|\s?px)?", value.strip()):
            yield name, number(value.strip())


def _point(value: Value | None) -> tuple[float, float] | None:
    if not isinstance(value, Node):
        return None
    numbers = [number for _, number in _plain_numbers(value)]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _numbers(node: Node, key: str) -> list[Corners]:
    """The boxes of a list of numbers, of pairs of numbers or of lists of four."""
    if node.is_object:
        return []
    plain = [value for _, value in node.items if isinstance(value, float)]
    strings = [value for _, value in node.items if isinstance(value, str)]
    lists = [value for _, value in node.items if isinstance(value, Node)]
    if plain and not lists and len(strings) <= 1:  # a string among numbers is a label
        return _quads(plain, key)
    if not lists or plain or strings or any(item.is_object for item in lists):
        return []
    points = [_point(item) for item in lists]
    corners = [point for point in points if point]
    if len(corners) == len(lists):
        box = spanned(corners) if len(corners) in (2, 4) else None
        return [box] if box else []
    return [box for item in lists for box in _numbers(item, key)]


def _quads(numbers: Sequence[float], key: str) -> list[Corners]:
    """Four numbers are a box, eight are two; a fifth one in 0..1 is a confidence."""
    if len(numbers) == 5 and 0 <= numbers[4] <= 1:
        numbers = numbers[:4]
    if len(numbers) % 4:
        return []
    quads = [numbers[i : i + 4] for i in range(0, len(numbers), 4)]
    order = _ORDERS.get(key)
    boxes = [
        corners_of(dict(zip(order, quad, strict=True))) if order else upright(quad)
        for quad in quads
    ]
    return [box for box in boxes if box]
