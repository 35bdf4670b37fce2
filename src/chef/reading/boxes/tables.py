"""Boxes in tables whose head names the columns, in Markdown or separated by commas or tabs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.boxes.found import AXES, NUMBER, UNIT, BoxMatch, corners_of, number

_NUMBER = re.compile(rf"{NUMBER}{UNIT}", re.IGNORECASE)
_LABELS = frozenset({"label", "class", "object", "name", "category", "item", "thing", "objects"})
_MARKS = " \t*`_\"'"


def table_boxes(text: str) -> list[BoxMatch]:
    r"""The boxes of the rows below a head with the names of four coordinates.

    >>> [(box.label, box.corners) for box in table_boxes("class,x1,y1,x2,y2\ndog,1,2,3,4")]
    [('dog', (1.0, 2.0, 3.0, 4.0))]
    """
    boxes: list[BoxMatch] = []
    head: list[str] = []
    mark, start = "", 0
    for line in text.split("\n"):
        names = _head(line)
        if names:
            head, mark = names, _separator(line)
        elif head:
            row = _row(head, _cells(line, mark), start, start + len(line))
            boxes += [row] if row else []
        start += len(line) + 1
    return boxes


def _head(line: str) -> list[str]:
    """The names of the columns; empty if the line is no head."""
    mark = _separator(line)
    names = [cell.casefold() for cell in _cells(line, mark)] if mark else []
    axes = {name: 1.0 for name in names if name in AXES}
    # Any values will do to see whether the names are those of a box.
    return names if len(axes) >= 4 and corners_of(axes) else []


def _separator(line: str) -> str:
    return next((mark for mark in ("|", "\t", ";", ",") if mark in line), "")


def _cells(line: str, mark: str) -> list[str]:
    inner = line.strip()
    if mark == "|":
        inner = inner.strip("|")
    return [cell.strip(_MARKS) for cell in inner.split(mark)]


def _row(head: Sequence[str], cells: Sequence[str], start: int, end: int) -> BoxMatch | None:
    if len(cells) != len(head):
        return None
    named = dict(zip(head, cells, strict=True))
    values = {
        name: number(cell)
        for name, cell in named.items()
        if name in AXES and _NUMBER.fullmatch(cell)
    }
    corners = corners_of(values)
    label = next((named[name] for name in head if name in _LABELS), None)
    if label is None:
        label = next((cell for cell in cells if re.search(r"[^\W\d_]", cell)), None)
    return BoxMatch(corners, start, end, label) if corners else None
