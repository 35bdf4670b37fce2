"""Boxes in prose, without their labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.common.boxes import upright
from chef.reading.boxes.found import AXES, AXIS, Corners, Found, corners_of
from chef.reading.boxes.named import named_boxes
from chef.reading.boxes.runs import Shape, joined_corners, shapes

#: A statement of the order of the numbers: "[x, y, width, height]".
_ORDER = re.compile(
    r"(?<![A-Za-z0-9])" + r"[^\w\n]{1,4}".join([rf"({AXIS})(?![A-Za-z0-9])"] * 4), re.IGNORECASE
)
#: A box that the text rules out, or only gives as an example.
_NOT_MEANT = re.compile(
    r"(?:\bnot\s+(?:at\s+|in\s+)?|\be\.g\.,?\s*|\bfor\s+example\b[,:]?\s*|\bsuch\s+as\s+"
    r"|\binstead\s+of\s+|\brather\s+than\s+)\W{0,3}\Z",
    re.IGNORECASE,
)

#: The size of the image in VOC's XML, whose other numbers have names as those of prose have.
_IMAGE_SIZE = re.compile(r"<size>(?:(?!</size>).){0,200}</size>", re.DOTALL | re.IGNORECASE)


def prose_boxes(text: str) -> list[Found]:
    """The boxes in prose, and in XML as in VOC's own files, in order, without labels.

    >>> prose_boxes("The cat is at (1, 2), (3, 4).")[0].corners
    (1.0, 2.0, 3.0, 4.0)
    """
    text = _IMAGE_SIZE.sub(lambda match: " " * len(match[0]), text)
    plain = shapes(text)
    named = named_boxes(text, plain)
    free = [shape for shape in plain if not any(_overlap(shape, box) for box in named)]
    joined = [shape for shape in joined_corners(text, free) if not shape.is_point]
    orders = [(match.end(), _order(match)) for match in _ORDER.finditer(text)]
    found = list(named)
    for shape in joined:
        before = [order for end, order in orders if end <= shape.start]
        corners = _corners(shape, before or [order for _, order in orders[:1]])
        if corners and not _NOT_MEANT.search(text[max(0, shape.start - 40) : shape.start]):
            found.append(Found(corners, shape.start, shape.end))
    return sorted(found, key=lambda box: box.start)


def _overlap(shape: Shape, box: Found) -> bool:
    return shape.start < box.end and box.start < shape.end


def _order(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(name.lower() for name in match.groups())


def _corners(shape: Shape, orders: Sequence[tuple[str, ...]]) -> Corners | None:
    """The box of four numbers in the order that the text stated last, else ``x1, y1, x2, y2``."""
    if orders and not shape.corners and len({AXES[name] for name in orders[-1]}) == 4:
        return corners_of(dict(zip(orders[-1], shape.numbers, strict=True)))
    return upright(shape.numbers)
