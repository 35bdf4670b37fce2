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
#: Case is not ignored in them because compiling so large a class takes milliseconds otherwise.
BEFORE, AFTER = rf"(?-i:(?<!{WORD}))", rf"(?-i:(?!{WORD}))"

_IS_CJK = re.compile(f"[{CJK}]")
#: Invisible characters; and more of a run of blanks, line breaks or equal marks than mean anything.
_DROPPED = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff]"
    r"|(?<=[ \t]{2})[ \t]+|(?<=\n\n)\n+|(?<=([^\w\s]))(?<=\1\1\1\1)\1+"
)
#: A longer answer is read at its start and at its end only: a model that repeats itself endlessly
#: must not cost minutes, and no one states an answer in the middle of it.
_LONGEST, _HEAD = 12_000, 3_000

T = TypeVar("T")


def is_cjk(char: str) -> bool:
    """Whether a character is Chinese, kana or hangul."""
    return char > "\u2e7f" and _IS_CJK.match(char) is not None


def continues_word(char: str) -> bool:
    """Whether a character would continue a word in an alphabet; False for "".

    >>> continues_word("a"), continues_word("是"), continues_word("")
    (True, False, False)
    """
    return (char.isalnum() or char == "_") and not is_cjk(char)


def without_invisible(text: str) -> str:
    r"""``text`` without zero-width spaces, and without more of a run of blanks than means anything.

    >>> without_invisible("\u200bno")
    'no'
    """
    return _DROPPED.sub("", text)


def read_visible(
    answer: str, read: Callable[[str], Extraction[T]], also: re.Pattern[str] | None = None
) -> Extraction[T]:
    r"""What ``read`` finds in ``answer`` without characters that mean nothing.

    Zero-width spaces, marks of direction and the rest of long runs of blanks or equal marks are
    removed, and so is what ``also`` matches, and the middle of a very long answer. The span is one
    in ``answer``.

    >>> from chef.extraction.text import Extraction
    >>> read_visible("\u200bno", lambda text: Extraction("no", "whole", text, (0, 2))).span
    (1, 3)
    """
    patterns = (_DROPPED,) if also is None else (_DROPPED, also)
    dropped = [match.span() for pattern in patterns for match in pattern.finditer(answer)]
    if not dropped and len(answer) <= _LONGEST:
        return read(answer)
    gone = {place for span in dropped for place in range(*span)}
    kept = [place for place in range(len(answer)) if place not in gone]
    if len(kept) > _LONGEST:
        kept = kept[:_HEAD] + kept[_HEAD - _LONGEST :]
    result = read("".join(answer[place] for place in kept))
    if result.span is None:
        return result
    start, end = result.span
    span = (kept[start], kept[end - 1] + 1) if end > start else (0, 0)
    return replace(result, text=answer[slice(*span)], span=span)
