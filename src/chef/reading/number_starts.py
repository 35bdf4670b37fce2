"""Where a number may begin: one cheap scan, so that the long pattern runs at few places only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from chef.reading.number_words import EUROPEAN, SCALES, TEENS, TENS, UNITS
from chef.reading.patterns import words

_WORD = re.compile(r"[^\W\d_]+|\d+|[½⅓⅔¼¾⅕⅛]")
#: Words that begin a number whatever follows.
_FIRST = words(
    "minus negative moins meno menos half third thirds quarter quarters fourths fifth fifths tenth"
    " tenths hundred thousand dozen couple pair brace duo trio quartet zero none nobody nothing no"
    " n y hay non first second fourth sixth seventh eighth ninth нет never without not n'y"
)
#: Words that begin one if another word follows: "a couple", "only a single", "the 1980s".
_BEFORE_ONE = words("a an only just his her their the early late mid")
#: What stands a few characters behind those.
_NEXT = re.compile(
    r"(?:\s+an?)?[\s-]+(?:\d|couple|pair|brace|duo|trio|quartet|single|sole|lone|half|third|quarter"
    r"|fourth|fifth|tenth)",
    re.IGNORECASE,
)
#: Signs before digits.
_SIGNS = "+-."


@cache
def _first_words() -> frozenset[str]:
    named = [*UNITS, *TEENS, *TENS, *SCALES, *EUROPEAN]
    return _FIRST | {re.split(r"[\s-]", word)[0] for word in named}


def number_starts(text: str) -> Iterator[int]:
    """The places of a text where a number may begin, in order.

    >>> list(number_starts("The 3 dogs and a couple, -5 or two"))
    [0, 4, 15, 17, 25, 26, 31]
    """
    first = _first_words()
    for match in _WORD.finditer(text):
        start, word = match.start(), match[0].lower()
        if not word[0].isalpha():
            if start and text[start - 1] in _SIGNS:
                # "-.5"
                yield from (start - 2, start - 1) if start > 1 else (start - 1,)
            yield start
        elif word in first or (word in _BEFORE_ONE and _NEXT.match(text, match.end())):
            yield start
        if word in {"t", "there", "i"}:  # "I don't see a", "there isn't a", "isn't any"
            yield match.end()
