"""Where a number may begin: one cheap scan, so that the long pattern runs at few places only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from chef.reading.number_words import EUROPEAN, SCALES, TEENS, TENS, UNITS
from chef.reading.patterns import lower, words

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


#: Words behind which one begins: "I don't see a", "there isn't a", "isn't any".
_AFTER = words("t there i")


@cache
def _roles() -> dict[str, str]:
    """What a word is where a number begins: its first word, one before it, or one after which."""
    named = [*UNITS, *TEENS, *TENS, *SCALES, *EUROPEAN]
    first = _FIRST | {re.split(r"[\s-]", word)[0] for word in named}
    return {
        **dict.fromkeys(_BEFORE_ONE, "before"),
        **dict.fromkeys(_AFTER, "after"),
        **dict.fromkeys(first, "first"),
    }


def number_starts(text: str) -> Iterator[int]:
    """The places of a text where a number may begin, in order.

    >>> list(number_starts("The 3 dogs and a couple, -5 or two"))
    [0, 4, 15, 17, 25, 26, 31]
    """
    roles = _roles()
    for match in _WORD.finditer(lower(text)):
        word = match[0]
        role = roles.get(word)
        if role is None:
            if word[0].isalpha():
                continue
            start = match.start()
            if start and text[start - 1] in _SIGNS:
                if start > 1 and text[start - 2] in _SIGNS:  # "-.5"
                    yield start - 2
                yield start - 1
            yield start
        elif role == "first":
            yield match.start()
        elif role == "after":
            yield match.end()
        elif _NEXT.match(text, match.end()):
            yield match.start()
