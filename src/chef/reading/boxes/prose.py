"""Boxes in prose, without their labels; also those whose numbers have names: "x = 1, y = 2 ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chef.common.boxes import upright
from chef.frozen import Frozen
from chef.reading.assertion import denied_beside
from chef.reading.boxes.found import AXES, AXIS, NUMBER, UNIT, BoxMatch, Corners, corners_of, number
from chef.reading.boxes.runs import CORNER, Shape, joined_corners, shapes

#: A statement of the order of the numbers: "[x, y, width, height]".
_ORDER = re.compile(
    r"(?<![A-Za-z0-9])" + r"[^\w\n]{1,4}".join([rf"({AXIS})(?![A-Za-z0-9])"] * 4), re.IGNORECASE
)
#: A box that the text only gives as an example.
_EXAMPLE = re.compile(
    r"(?:\be\.g\.,?\s*|\bfor\s+example\b[,:]?\s*|\bsuch\s+as\s+)\W{0,3}\Z", re.IGNORECASE
)

#: The size of the image in VOC's XML, whose other numbers have names as those of prose have.
_IMAGE_SIZE = re.compile(r"<size>(?:(?!</size>).){0,200}</size>", re.DOTALL | re.IGNORECASE)


_NAMED = re.compile(
    rf"(?<![A-Za-z0-9_])(?P<name>{AXIS})(?![A-Za-z0-9])"
    r"(?:[^\S\n]?[\"'*`]{0,3}>?[^\S\n]?(?:edge\s(?:of\s(?:the\s)?[A-Za-z]{1,20})?|edge|side|coordinate|is|are|at|of|about|[:=≈])?){0,4}"
    rf"[^\S\n]?[\"'*`$]{{0,3}}(?P<number>{NUMBER}{UNIT})",
    re.IGNORECASE,
)
#: The largest distance between two numbers of a box, in characters.
_REACH = 80

_ACROSS = r"x|horizontal(?:ly)?|width|columns?"
_DOWN = r"y|vertical(?:ly)?|height|rows?"
_AXIS = rf"(?<![A-Za-z0-9])(?:(?P<across>{_ACROSS})|(?P<down>{_DOWN}))(?![A-Za-z0-9])"
_ANY_AXIS = rf"(?<![A-Za-z0-9])(?:{_ACROSS}|{_DOWN})(?![A-Za-z0-9])"
_RANGE = re.compile(
    rf"{_AXIS}(?:(?!{_ANY_AXIS})[^0-9\n]){{0,30}}?(?P<low>{NUMBER}{UNIT})"
    rf"\s?(?:to|and|until|through|-|–|—|~|→|\.\.|,(?=[^\n\])]{{0,12}}[\])]))\s?"
    rf"(?:[xy]\s?=\s?)?(?P<high>{NUMBER}{UNIT})",
    re.IGNORECASE,
)
_CENTRE = re.compile(r"\bcent(?:er|re)(?:e?d|s)?\b|中心", re.IGNORECASE)
_AT = re.compile(r"\b(?:at|from|position|origin|starts?|starting)\W{0,3}\Z", re.IGNORECASE)
_BY = re.compile(rf"({NUMBER}{UNIT})\s?(?:x|×|by)\s?({NUMBER}{UNIT})", re.IGNORECASE)
_WIDE = re.compile(rf"({NUMBER}{UNIT})\s+(?:wide|in\s+width)\b", re.IGNORECASE)
_TALL = re.compile(rf"({NUMBER}{UNIT})\s+(?:tall|high|in\s+height)\b", re.IGNORECASE)


def prose_boxes(text: str) -> list[BoxMatch]:
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
        example = _EXAMPLE.search(text[max(0, shape.start - 40) : shape.start])
        if corners and not example and not denied_beside(text, (shape.start, shape.end)):
            found.append(BoxMatch(corners, shape.start, shape.end))
    return sorted(found, key=lambda box: box.start)


def _overlap(shape: Shape, box: BoxMatch) -> bool:
    return shape.start < box.end and box.start < shape.end


def _order(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(name.lower() for name in match.groups())


def _corners(shape: Shape, orders: Sequence[tuple[str, ...]]) -> Corners | None:
    """The box of four numbers in the order that the text stated last, else ``x1, y1, x2, y2``."""
    if orders and not shape.corners and len({AXES[name] for name in orders[-1]}) == 4:
        return corners_of(dict(zip(orders[-1], shape.numbers, strict=True)))
    return upright(shape.numbers)


class _Value(Frozen):
    name: str
    value: float
    start: int
    end: int


def named_boxes(text: str, points: Sequence[Shape]) -> list[BoxMatch]:
    """The boxes whose numbers have names; a point may be a centre or corner of one with its size.

    >>> named_boxes("x1: 1, y1: 2, x2: 3, y2: 4", [])[0].corners
    (1.0, 2.0, 3.0, 4.0)
    """
    found = [*_lists(text), *_ranges(text), *_sizes(text, points)]
    return sorted(found, key=lambda box: box.start)


def _lists(text: str) -> Iterator[BoxMatch]:
    """Four named numbers close to each other."""
    group: list[_Value] = []
    for value in _values(text):
        far = bool(group) and value.start - group[-1].end > _REACH
        if far or (_slots(group) >= {"x", "y"} and len(group) == 4):
            group = []
        group = _extended(group, value)
        corners = corners_of({item.name: item.value for item in group})
        if corners:
            yield BoxMatch(corners, group[0].start, group[-1].end)
            group = []


def _values(text: str) -> Iterator[_Value]:
    for match in _NAMED.finditer(text):
        yield _Value(match["name"].lower(), number(match["number"]), *match.span())


def _extended(group: list[_Value], value: _Value) -> list[_Value]:
    """The group with one more value; a name that is there already begins a second corner or box."""
    slots = _slots(group)
    if AXES[value.name] == "x" and slots == {"x", "y"}:
        return [*group, _Value("x2", value.value, value.start, value.end)]
    if AXES[value.name] == "y" and slots == {"x", "y", "x2"}:
        return [*group, _Value("y2", value.value, value.start, value.end)]
    return [value] if any(item.name == value.name for item in group) else [*group, value]


def _slots(group: Sequence[_Value]) -> set[str]:
    return {AXES[item.name] for item in group}


def _ranges(text: str) -> Iterator[BoxMatch]:
    """One range of each axis."""
    last: re.Match[str] | None = None
    for match in _RANGE.finditer(text):
        near = last is not None and match.start() - last.end() <= _REACH
        if last is None or not near or bool(last["across"]) == bool(match["across"]):
            last = match
            continue
        across, down = (last, match) if last["across"] else (match, last)
        edges = [number(item[key]) for key in ("low", "high") for item in (across, down)]
        named = dict(zip(("x1", "y1", "x2", "y2"), edges, strict=True))
        corners = corners_of(named)
        if corners:
            yield BoxMatch(corners, last.start(), match.end())
        last = None


def _sizes(text: str, points: Sequence[Shape]) -> Iterator[BoxMatch]:
    """A point that is called the centre or a corner, and a width and a height behind it."""
    for i, point in enumerate(points):
        limit = points[i + 1].start if i + 1 < len(points) else len(text)
        before = text[max(0, point.start - 40) : point.start]
        behind = text[point.end : min(limit, point.end + 2 * _REACH)]
        centre = bool(_CENTRE.search(before))
        if not point.is_point or not (centre or CORNER.search(before) or _AT.search(before)):
            continue
        size = _size(behind)
        if size:
            names = ("cx", "cy", "w", "h") if centre else ("x", "y", "w", "h")
            numbers = (*point.numbers, *size[:2])
            corners = corners_of(dict(zip(names, numbers, strict=True)))
            if corners:
                yield BoxMatch(corners, point.start, point.end + size[2])


def _size(text: str) -> tuple[float, float, int] | None:
    """The width, the height and where they end."""
    named = {AXES[item.name]: item for item in _values(text)}
    if {"w", "h"} <= set(named):
        return named["w"].value, named["h"].value, max(named["w"].end, named["h"].end)
    wide, tall = _WIDE.search(text), _TALL.search(text)
    if wide and tall:
        return number(wide[1]), number(tall[1]), max(wide.end(), tall.end())
    by = _BY.search(text)
    return (number(by[1]), number(by[2]), by.end()) if by else None
