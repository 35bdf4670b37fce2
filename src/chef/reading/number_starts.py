"""Where a number may begin: one cheap scan, so that the long pattern runs at few places only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from chef.reading.number_words import EUROPEAN, SCALES, TEENS, TENS, UNITS
from chef.reading.patterns import lower, words, words_in

_DIGITS = re.compile(r"[+.-]{0,2}(?:\d+|[½⅓⅔¼¾⅕⅛])")
#: Words that begin a number whatever follows.
_FIRST = words(
    "minus negative moins meno menos half third thirds quarter quarters fourths fifth fifths tenth"
    " tenths hundred thousand dozen couple pair brace duo trio quartet zero none nobody nothing no"
    " n y hay non first second fourth sixth seventh eighth ninth нет never without not n'y"
)
#: Words before which one begins ("a couple", "the 1980s") or behind which one does ("there isn't
#: a", "I don't see a", "isn't any"), if a text has one of the words that they go with.
_WITH = {
    "a an only just": words(
        "couple pair brace duo trio quartet single sole lone half third quarter fourth fifth tenth"
    ),
    "t": words("single any even"),
    "there": words("isn aren not"),
    "i": words("see"),
}
_BEHIND = words("t there i")
_DECADE = re.compile(r"(?<=\d0)'?s\b", re.IGNORECASE)
_DECADES = words("his her their the early late mid")


@cache
def _first_words() -> frozenset[str]:
    """The words with which numbers begin."""
    named = [*UNITS, *TEENS, *TENS, *SCALES, *EUROPEAN]
    return _FIRST | {re.split(r"[\s-]", word)[0] for word in named}


def number_starts(text: str, start: int = 0) -> Iterator[int]:
    """The places of a text where a number may begin, in order; more than those where one does.

    Args:
        text: the text.
        start: where to begin.

    >>> list(number_starts("The 3 dogs and a couple, -5 or two"))
    [4, 15, 17, 25, 26, 31]
    """
    present = words_in(text)
    places: set[int] = set()
    for match in _DIGITS.finditer(text, start):
        places.update(range(match.start(), match.end()))
    low = lower(text)
    wanted = present & _first_words()
    for names, needs in _WITH.items():
        if not needs.isdisjoint(present):
            wanted |= present & words(names)
    if _DECADE.search(text, start):
        wanted |= present & _DECADES
    for word in wanted:
        place = low.find(word, start)
        while place >= 0:
            end = place + len(word)
            if not (low[place - 1 : place].isalpha() or low[end : end + 1].isalpha()):
                places.add(end if word in _BEHIND else place)
            place = low.find(word, place + 1)
    yield from sorted(places)
