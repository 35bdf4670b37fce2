"""ChEF's rules for boxes and points: numbers in groups, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias, TypeVar

Corners: TypeAlias = tuple[float, float, float, float]
Point: TypeAlias = tuple[float, float]
T = TypeVar("T")

#: With what closes them: without it in sight, each opening bracket would be searched to the end.
_BRACKETS = ((re.compile(r"\[([^\]]*)\]"), "]"), (re.compile(r"\(([^)]*)\)"), ")"))
_SEPARATOR = re.compile(r"[,\s]+")
#: In texts without brackets a number starts with a digit: "-1" and ".5" are 1 and 5.
_NUMBER = re.compile(r"[0-9]+\.?[0-9]*")
_OBJECT = (re.compile(r"<object>(.*?)</object>"), "</object>")
_PATCH = re.compile(r"<patch_index_([0-9]+)>")
#: Patches along each side of an image of Kosmos-2.
_GRID = 32


def listed_numbers(text: str) -> list[float]:
    """The numbers in square brackets, then those in round ones; all numbers if there are none.

    What stands in brackets is split at commas and blanks, and a piece is a number if Python's
    ``float()`` takes it: "1e-1", "1_0" and "inf" are. Other pieces do not count.

    >>> listed_numbers("a dog (0.5, -1) and [2, .25] of 7"), listed_numbers("from -1 to .5")
    ([2.0, 0.25, 0.5, -1.0], [1.0, 5.0])
    """
    parts = [part for brackets in _BRACKETS for part in _inside(text, *brackets)]
    pieces = (_float(piece) for part in parts for piece in _SEPARATOR.split(part))
    inside = [number for number in pieces if number is not None]
    return inside or [float(number) for number in _NUMBER.findall(text)]


def boxes_in(text: str) -> list[Corners]:
    """Every four numbers of a text as a box; the rest is ignored.

    Corners in reverse order are exchanged; a box that is reversed on one axis only is dropped.

    >>> boxes_in("[0.5, 0.5, 0.1, 0.2] [0.5, 0.1, 0.2, 0.3]")
    [(0.1, 0.2, 0.5, 0.5)]
    """
    numbers = listed_numbers(text)
    boxes: list[Corners] = []
    for start in range(0, len(numbers) - 3, 4):
        x1, y1, x2, y2 = numbers[start : start + 4]
        if x1 > x2 and y1 > y2:
            boxes.append((x2, y2, x1, y1))
        elif not (x1 > x2 or y1 > y2):
            boxes.append((x1, y1, x2, y2))
    return boxes


def points_in(text: str) -> list[Point]:
    """Every two numbers of a text as a point.

    >>> points_in("from (1, 2) to [3, 4]")
    [(3.0, 4.0), (1.0, 2.0)]
    """
    return _pairs(listed_numbers(text))


def patch_boxes(text: str) -> list[Corners]:
    """Every two patch indices between ``<object>`` and ``</object>`` as a box.

    A corner is the top left corner of its patch; a tag with a line break inside is none. Nothing is
    checked: the patch 1056 is in row 33 of 32, and the right edge of a box may be on its left.

    >>> patch_boxes("<object><patch_index_0000><patch_index_0528></object>")
    [(0.0, 0.0, 0.5, 0.5)]
    """
    boxes = []
    for inside in _inside(text, *_OBJECT):
        corners = [_corner(int(index)) for index in _PATCH.findall(inside)]
        boxes += [(*first, *second) for first, second in _pairs(corners)]
    return boxes


def _inside(text: str, pattern: re.Pattern[str], closing: str) -> list[str]:
    """What ``pattern`` finds in the part of a text that ends with the last ``closing``."""
    return pattern.findall(text[: text.rfind(closing) + len(closing)]) if closing in text else []


def _float(piece: str) -> float | None:
    try:
        return float(piece)
    except ValueError:
        return None


def _corner(index: int) -> Point:
    return index % _GRID / _GRID, index // _GRID / _GRID


def _pairs(items: Sequence[T]) -> list[tuple[T, T]]:
    return list(zip(items[::2], items[1::2], strict=False))
