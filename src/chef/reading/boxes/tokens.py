"""The pieces of a text that matter for boxes: numbers, brackets, tags, words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chef.reading.boxes.found import NUMBER, UNIT, number

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


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text.

    Attributes:
        kind: ``number, open, close, gap, line, word, tag`` or ``other``. A tag around a box is a
            bracket.
        start: where it begins, in characters.
        end: where it ends.
        text: as it is written.
        value: of a number; percent are fractions.
    """

    kind: str
    start: int
    end: int
    text: str
    value: float = 0.0


def tokens(text: str) -> list[Token]:
    """The pieces of ``text``, in order and without gaps.

    >>> [token.kind for token in tokens("dog [1")]
    ['word', 'gap', 'open', 'number']
    """
    found = []
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
        found.append(Token(kind, *match.span(), match[0], value))
    return found
