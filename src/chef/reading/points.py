"""Points in a text, and boxes in the grammar of Kosmos-2."""

from __future__ import annotations

import re
from typing import TypeAlias

from chef.common.boxes import Box, upright
from chef.reading.excerpt import excerpt
from chef.reading.text import strip_reasoning

Point: TypeAlias = tuple[float, float]

_NUMBER = r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+"
_NEXT = rf"\s*[,;]\s*(?:{_NUMBER})|\s+(?:{_NUMBER})"
_GROUP = re.compile(rf"[\[(]\s*((?:{_NUMBER})(?:{_NEXT})*)\s*[\])]")


def parse_points(text: str) -> list[Point]:
    """The points in a text, in order and in the units of the text: pairs of numbers in brackets.

    If no pair is in brackets, all numbers of the text are paired. A number without a partner is
    ignored.

    >>> parse_points("The cat is at [0.5, 0.25], the dog at (0.1, 0.2).")
    [(0.5, 0.25), (0.1, 0.2)]
    """
    seen = strip_reasoning(excerpt(text))
    groups = [re.findall(_NUMBER, match[1]) for match in _GROUP.finditer(seen)]
    groups = [group for group in groups if len(group) > 1] or [re.findall(_NUMBER, seen)]
    return [
        (float(x), float(y))
        for group in groups
        for x, y in zip(group[::2], group[1::2], strict=False)
    ]


#: Patches along each side of the image.
GRID = 32

_PHRASE = re.compile(
    r"<phrase>(?P<phrase>.*?)</phrase>|<object>(?P<object>.*?)(?:</object>|\Z)", re.DOTALL
)
_PATCH = re.compile(r"<patch_index_([0-9]{1,4})>")


def parse_patches(text: str) -> list[Box]:
    """The boxes between ``<object>`` and ``</object>``, labelled by the phrase before them.

    Two patch indices make a box: they are its top left and bottom right corner. A corner is the top
    left corner of its patch, ``(column / 32, row / 32)``. Indices outside the grid are ignored.

    Source: Peng et al. 2023, "Kosmos-2", for the grammar; ChEF for the corners.

    >>> parse_patches("<phrase>a cat</phrase><object><patch_index_0000><patch_index_0528></object>")
    [Box(label='a cat', bbox=(0.0, 0.0, 0.5, 0.5))]
    """
    boxes = []
    label = ""
    for match in _PHRASE.finditer(excerpt(text)):
        if match["object"] is None:
            label = match["phrase"].strip()
            continue
        indices = [int(number) for number in _PATCH.findall(match["object"])]
        for first, second in zip(indices[::2], indices[1::2], strict=False):
            if max(first, second) < GRID * GRID:
                box = upright([*_corner(first), *_corner(second)])
                boxes += [Box(label, box)] if box else []
    return boxes


def _corner(index: int) -> tuple[float, float]:
    row, column = divmod(index, GRID)
    return column / GRID, row / GRID
