"""Boxes written as numbers in brackets, in any nesting, or as four bare numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from chef.common.boxes import upright
from chef.frozen import Frozen
from chef.reading.boxes.found import NUMBER, UNIT, Corners, number, spanned

_BOX_TAG = r"(?:box|bbox|det|quad|points?|(?:begin|end)_of_box)(?:_start|_end)?"
_TOKEN = re.compile(
    rf"(?P<box_tag><[|/]{{0,2}}{_BOX_TAG}\|?>)"
    r"|(?P<tag><[|/]{0,2}[A-Za-z][\w \"=/-]{0,40}\|?>)"
    r"|(?P<word>[A-Za-z\u00C0-\u024F][\w\u00C0-\u024F]*|[^\W\d_]+)"
    rf"|<\s?(?P<angle>{NUMBER})\s?>"
    rf"|(?P<number>{NUMBER}{UNIT})"
    r"|(?P<open>[\[({])|(?P<close>[\])}])|(?P<line>\n)"
    r"|(?P<gap>[^\S\n]+|[,;|$*`~]|\\+[,;:! ]?)"
    r"|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)


class Piece(Frozen):
    """A piece of a text: ``number, open, close, gap, line, word, tag`` (a bracket around a box) or
    ``other``; percent are fractions.
    """

    kind: str
    start: int
    end: int
    text: str
    value: float = 0.0


def tokens(text: str) -> list[Piece]:
    """The pieces of ``text``, in order and without gaps.

    >>> [token.kind for token in tokens("dog [1")]
    ['word', 'gap', 'open', 'number']
    """
    tokens = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        value = 0.0
        if kind == "box_tag":
            closes = "/" in match[0][:3] or "end" in match[0]
            kind = "close" if closes else "open"
        elif kind == "angle":
            kind, value = "number", number(match["angle"])
        elif kind == "number":
            value = number(match[0])
        tokens.append(Piece(kind, *match.span(), match[0], value))
    return tokens


_IN_RUN = frozenset({"number", "open", "close", "gap", "line"})
#: Brackets deeper than this are read as if they were not there, so that babble costs no recursion.
_DEEPEST = 8


class Shape(Frozen):
    """Four numbers of a box or two of a point, in the units of the text; ``corners`` of a box that
    was written as points, whose numbers are in order.
    """

    numbers: tuple[float, ...]
    start: int
    end: int
    corners: bool = False

    @property
    def is_point(self) -> bool:
        """Whether it is a point."""
        return len(self.numbers) == 2


@dataclass(slots=True)
class _Node:
    start: int
    end: int
    items: list[Piece | _Node] = field(default_factory=list)


def shapes(text: str) -> list[Shape]:
    """The boxes and the single points of a text, in order.

    >>> [shape.numbers for shape in shapes("[[1, 2], [3, 4]] and (5, 6)")]
    [(1.0, 2.0, 3.0, 4.0), (5.0, 6.0)]
    """
    pieces = tokens(text)
    wordless = all(piece.kind != "word" for piece in pieces)
    shapes: list[Shape] = []
    start = 0
    while start < len(pieces):
        if pieces[start].kind not in _IN_RUN:
            start += 1
            continue
        end = start
        while end < len(pieces) and pieces[end].kind in _IN_RUN:
            end += 1
        if any(piece.kind == "number" for piece in pieces[start:end]):
            shapes += _top(pieces[start:end], pieces[end : end + 1], wordless)
        start = end
    return shapes


def _top(run: Sequence[Piece], after: Sequence[Piece], wordless: bool) -> list[Shape]:
    """The shapes of one run of numbers and brackets; ``after`` is the token behind it, if any."""
    root = _tree(run)
    found: list[Shape] = []
    bare: list[Piece] = []
    for item in [*root.items, None]:
        if isinstance(item, Piece):
            bare.append(item)
            continue
        open_end = item is None and bool(after) and after[0].kind == "word" and not _ended(bare)
        found += [] if open_end else _bare(bare, wordless)
        bare = []
        if item is not None:
            found += _inside(item)
    return _paired(found)


def _ended(items: Sequence[Piece]) -> bool:
    """Whether a line break or a mark such as a semicolon stands behind the last number."""
    last = max((i for i, item in enumerate(items) if item.kind == "number"), default=0)
    return any(item.kind == "line" or item.text in {";", "|"} for item in items[last + 1 :])


def _tree(run: Sequence[Piece]) -> _Node:
    """The numbers, line breaks and separators of a run, nested by their brackets."""
    stack = [_Node(run[0].start, run[-1].end)]
    skipped = 0
    for token in run:
        if token.kind == "open" and len(stack) > _DEEPEST:
            skipped += 1
        elif token.kind == "open":
            stack.append(_Node(token.start, run[-1].end))
            stack[-2].items.append(stack[-1])
        elif token.kind == "close" and skipped:
            skipped -= 1
        elif token.kind == "close" and len(stack) > 1:
            stack.pop().end = token.end
        elif token.kind in {"number", "gap", "line"}:
            stack[-1].items.append(token)
    return stack[0]


def _inside(node: _Node) -> list[Shape]:
    """The shapes in one pair of brackets."""
    found: list[Shape] = []
    numbers: list[Piece] = []
    for item in [*node.items, None]:
        if isinstance(item, Piece):
            numbers.append(item)
            continue
        found += _listed(numbers, node if item is None and not found else None)
        numbers = []
        if item is not None:
            found += _inside(item)
    return _paired(found)


def _listed(items: Sequence[Piece], node: _Node | None = None) -> list[Shape]:
    """Numbers that stand side by side: two are a point, four a box, eight two boxes.

    A fifth number in 0..1 is the confidence of the box before it.
    """
    numbers = [item for item in items if item.kind == "number"]
    if not numbers:
        return []
    values = _decimal_commas(items) or [item.value for item in numbers]
    start, end = (node.start, node.end) if node else (numbers[0].start, numbers[-1].end)
    if len(values) == 5 and 0 <= values[4] <= 1:
        values = values[:4]
    if len(values) == 2:
        return [Shape(tuple(values), start, end)]
    points = list(zip(values[::2], values[1::2], strict=False))
    if len(values) == 8 and _rectangle(points):
        return _boxed(spanned(points), start, end)
    if len(values) % 4:
        return []
    return [Shape(tuple(values[i : i + 4]), start, end) for i in range(0, len(values), 4)]


def _decimal_commas(items: Sequence[Piece]) -> list[float]:
    """The numbers of "0,12; 0,3", where a comma is the decimal mark; empty if it is not."""
    digits = [i for i, item in enumerate(items) if item.kind == "number"]
    if len(digits) not in (4, 8) or not all(items[i].text.isdigit() for i in digits):
        return []
    between = [
        "".join(item.text for item in items[left + 1 : right]) for left, right in pairwise(digits)
    ]
    inner, outer = between[::2], between[1::2]
    if set(inner) != {","} or "," in outer or not all(outer):
        return []
    wholes = [items[i].text for i in digits[::2]]
    fractions = set(wholes) <= {"0", "1"}
    if not (fractions or (len(digits) == 8 and all(";" in text for text in outer))):
        return []
    parts = [items[i].text for i in digits[1::2]]
    return [float(f"{whole}.{part}") for whole, part in zip(wholes, parts, strict=True)]


def _bare(items: Sequence[Piece], wordless: bool) -> list[Shape]:
    """Numbers without brackets: a box is four of them on one line, with or without a confidence."""
    found: list[Shape] = []
    for line in _lines(items):
        numbers = [item for item in line if item.kind == "number"]
        if len(numbers) == 5 and numbers[0].value <= 1 < min(n.value for n in numbers[1:]):
            found += _listed(line[line.index(numbers[1]) :])
        elif len(numbers) in (4, 5) or (len(numbers) == 8 and _decimal_commas(line)):
            found += _listed(line)
    every = [item for item in items if item.kind == "number"]
    if not found and wordless and every and len(every) % 4 == 0:
        return _listed([item for item in items if item.kind != "line"])
    return found


def _lines(items: Sequence[Piece]) -> Iterator[list[Piece]]:
    line: list[Piece] = []
    for item in items:
        if item.kind == "line":
            yield line
            line = []
        else:
            line.append(item)
    yield line


def _paired(found: list[Shape]) -> list[Shape]:
    """Neighbouring points joined to boxes; a point without a partner stays."""
    result: list[Shape] = []
    points: list[Shape] = []
    for shape in [*found, None]:
        if shape is not None and shape.is_point:
            points.append(shape)
            continue
        result += _joined(points)
        points = []
        result += [] if shape is None else [shape]
    return result


def _joined(points: Sequence[Shape]) -> list[Shape]:
    places = [(point.numbers[0], point.numbers[1]) for point in points]
    if len(points) == 4 and _rectangle(places):
        return _boxed(spanned(places), points[0].start, points[-1].end)
    if len(points) % 2:
        return list(points)
    return [
        shape
        for i in range(0, len(points), 2)
        for shape in _boxed(spanned(places[i : i + 2]), points[i].start, points[i + 1].end)
    ]


def _rectangle(points: Sequence[tuple[float, float]]) -> bool:
    """Whether four points are the corners of an upright rectangle."""
    xs, ys = {x for x, _ in points}, {y for _, y in points}
    return len(xs) == len(ys) == 2 and len(set(points)) == 4


def _boxed(corners: Corners | None, start: int, end: int) -> list[Shape]:
    return [Shape(corners, start, end, corners=True)] if corners else []


#: Words for a corner, in the languages that models answer in.
CORNER = re.compile(
    r"top|bottom|upper|lower|left|right|corner|start|end|min|max|point|sup[eé]rieur|inf[eé]rieur"
    r"|coin|gauche|droit|oben|unten|links|rechts|ecke|superior|inferior|izquierd|derech|esquina"
    r"|[上下左右角点]|우측|좌측|왼쪽|오른쪽|상단|하단",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"[\s,;&*`$|]*(?:to|and|through|bis|und|et|y|à|a|hasta|[-–—~→]+>?|到|至|和)?[\s*`$]*"
)


def joined_corners(text: str, found: Sequence[Shape]) -> list[Shape]:
    """The boxes of ``found``, and those whose corners are points with words between them.

    "top left (1, 2), bottom right (3, 4)" is a box; "the dog at (1, 2), the cat at (3, 4)" is none.
    """
    result: list[Shape] = []
    group: list[Shape] = []
    for shape in [*found, None]:
        if shape is not None and shape.is_point and (not group or _linked(text, group, shape)):
            group.append(shape)
            continue
        result += [] if len(group) % 2 else _joined_group(group)
        group = [shape] if shape is not None and shape.is_point else []
        result += [] if shape is None or shape.is_point else [shape]
    return result


def _linked(text: str, group: Sequence[Shape], point: Shape) -> bool:
    gap = text[group[-1].end : point.start]
    if len(group) == 4 or len(gap) > 80 or "\n\n" in gap:
        return False
    return bool(_BETWEEN.fullmatch(gap) or CORNER.search(gap))


def _joined_group(group: Sequence[Shape]) -> list[Shape]:
    places = [(point.numbers[0], point.numbers[1]) for point in group]
    if not places or upright([*places[0], *places[0]]) is None:
        return []
    if len(places) == 4 and not _rectangle(places):
        return [shape for half in (group[:2], group[2:]) for shape in _joined_group(half)]
    return _boxed(spanned(places), group[0].start, group[-1].end)
