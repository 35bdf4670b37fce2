"""Boxes in tables whose head names the columns, and in tokens of PaliGemma and Florence-2."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.common.boxes import upright
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


_PALIGEMMA = re.compile(r"((?:<loc[0-9]{4}>\s*){4})([^<;\n]{0,80})")
_FLORENCE = re.compile(r"([^<>;\n]{0,80})((?:<loc_[0-9]{1,4}>){4,})")


def token_boxes(text: str) -> list[BoxMatch]:
    """The boxes in tokens of locations, as fractions of the image, with their labels.

    PaliGemma writes ``<loc y1><loc x1><loc y2><loc x2> label``, each in 1024ths of the image
    (Beyer et al. 2024). Florence-2 writes ``label<loc_x1><loc_y1><loc_x2><loc_y2>``, each one of a
    thousand bins (Xiao et al. 2023).

    >>> [box.corners for box in token_boxes("<loc0256><loc0000><loc0512><loc1023> cat")]
    [(0.0, 0.25, 0.9990234375, 0.5)]
    """
    boxes = []
    for match in _PALIGEMMA.finditer(text):
        y1, x1, y2, x2 = (int(number) / 1024 for number in re.findall("[0-9]{4}", match[1]))
        box = upright([x1, y1, x2, y2])
        if box:
            boxes.append(BoxMatch(box, *match.span(1), match[2].strip()))
    for match in _FLORENCE.finditer(text):
        numbers = [int(number) / 1000 for number in re.findall("[0-9]+", match[2])]
        for i in range(0, len(numbers) - 3, 4):
            box = upright(numbers[i : i + 4])
            if box:
                boxes.append(BoxMatch(box, *match.span(2), match[1].strip()))
    return boxes
