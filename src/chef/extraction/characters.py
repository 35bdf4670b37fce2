"""Characters that answers contain besides plain letters: invisible ones, and Chinese ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from chef.extraction.text import Extraction

#: Chinese characters, kana and hangul, for a character class. No space stands between them and a
#: letter or a number, so they limit a word: in "我选B" the B is a word of its own.
CJK = r"\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
#: A character that would continue a word in an alphabet.
WORD = rf"[^\W{CJK}]"
#: The limits of a word; unlike ``\b`` they also stand between a letter and a Chinese character.
BEFORE, AFTER = rf"(?<!{WORD})", rf"(?!{WORD})"

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff]")

T = TypeVar("T")


def without_invisible(text: str) -> str:
    """``text`` without zero-width spaces, marks of direction and the like.

    >>> without_invisible("\\u200bno")
    'no'
    """
    return _INVISIBLE.sub("", text)


def read_visible(
    answer: str, read: Callable[[str], Extraction[T]], also: re.Pattern[str] | None = None
) -> Extraction[T]:
    """What ``read`` finds in ``answer`` without its invisible characters.

    Zero-width spaces, marks of direction and the like are removed, and so is what ``also`` matches;
    the span is one in ``answer``.

    >>> from chef.extraction.text import Extraction
    >>> read_visible("\\u200bno", lambda text: Extraction("no", "whole", text, (0, 2))).span
    (1, 3)
    """
    gone = {match.start() for match in _INVISIBLE.finditer(answer)}
    if also is not None:
        gone.update(at for match in also.finditer(answer) for at in range(*match.span()))
    if not gone:
        return read(answer)
    kept = [place for place in range(len(answer)) if place not in gone]
    result = read("".join(answer[place] for place in kept))
    if result.span is None:
        return result
    start, end = result.span
    span = (kept[start], kept[end - 1] + 1) if end > start else (start, start)
    return replace(result, text=answer[slice(*span)], span=span)
