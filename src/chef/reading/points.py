"""Extract points from text."""

from __future__ import annotations

import re
from typing import TypeAlias

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
