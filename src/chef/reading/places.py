"""Read which option an answer names by its place: "the third option"."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_NUMERALS = "一二三四五六"
_PLACE = re.compile(
    rf"\b(?:the\s+)?(?P<word>{'|'.join(_ORDINALS)}|last)\s+(?:option|choice|answer|alternative)\b"
    rf"|第(?P<numeral>[{_NUMERALS}])(?:个|個|项|項)?(?:选项|選項|答案)?",
    re.IGNORECASE,
)


def places(plain: str, count: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """The options that a text names by their place, with the span of the words.

    Args:
        plain: the text.
        count: the number of options.

    >>> list(places("It must be the third option.", 4))
    [(2, (11, 27))]
    """
    for match in _PLACE.finditer(plain):
        if match["numeral"]:
            index = _NUMERALS.index(match["numeral"])
        elif match["word"].casefold() == "last":
            index = count - 1
        else:
            index = _ORDINALS.index(match["word"].casefold())
        if 0 <= index < count:
            yield index, match.span()
