"""Questions of all things of a kind, and answers that speak of only some of them."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from chef.reading.lexicon import alternation, word_rows
from chef.reading.number_forms import numbers_in

#: "Two of the three windows", "one of them", "only two".
_COUNTED = re.compile(
    r"(?P<part>\w+)(?P<of>\s+(?:of|von|der|des|de|di|dos|das|из)\s+(?:(?:the|these|those|den|les|los"
    r"|las|gli|le|os|as)\s+)?(?P<whole>\w+))?"
)
_ANY = re.compile(r"\b(?:any|at\s+least\s+one)\s+of\b", re.IGNORECASE)
_ONLY_ASKED = re.compile(r"\b(?:the|his|her|its|their)\s+only\b|\balone\b", re.IGNORECASE)
_ALONE = re.compile(
    r"\bno\s+(?:other|one\s+else|body\s+else)|\b(?:nothing|nobody|none)\s+else\b|(?<!not\s)\bthe\s+only\b"
    r"|(?<!not\s)\balone\b",
    re.IGNORECASE,
)
_BESIDES = re.compile(
    r"\b(?:not\s+the\s+only|besides|apart\s+from|in\s+addition\s+to|aside\s+from|as\s+well\s+as|next\s+to\s+(?:it|him|her)"
    r"|also|another|too)\b",
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    r"\W*(?:(?:so|thus|but|and|hence|therefore|in fact|actually|aber|donc|mais|pero|ma)\W+)*"
)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    rows = dict(row.split(": ", 1) for row in word_rows("quantities"))
    spaced, unspaced = rows[name].split(" / "), rows[f"{name} unspaced"].split(" / ")
    return re.compile(f"{alternation(spaced)}|{alternation(unspaced, spaced=False)}")


@lru_cache(256)
def asks_of_all(question: str) -> bool:
    """Whether a question asks of all things of a kind.

    >>> asks_of_all("Are both dogs black?"), asks_of_all("Is the dog black?")
    (True, False)
    """
    return _pattern("all").search(question.lower()) is not None


def asks_of_most(question: str) -> bool:
    """Whether a question asks of more than half of some things: "Are most of the doors open?"."""
    return _pattern("most").search(question.lower()) is not None


def of_few(clause: str) -> str | None:
    """What a clause says, which says it of less than half of some things; None if it does not.

    >>> of_few("Only a few of the dogs are black"), of_few("The dogs are black")
    ('the dogs are black', None)
    """
    low = clause.lower()
    opening = _BEGINNING.match(low)
    match = _pattern("few").match(low, opening.end() if opening else 0)
    return clause[match.end() :].strip() if match else None


def asks_of_any(question: str) -> bool:
    """Whether one thing of several is enough for yes: "Is any of the doors open?"."""
    return _ANY.search(question) is not None


@lru_cache(256)
def asks_of_only(question: str) -> bool:
    """Whether a question asks whether a thing is the only one: "Is it the only dog?"."""
    return _ONLY_ASKED.search(question) is not None


def is_alone(clause: str) -> bool | None:
    """Whether a clause says that a thing is the only one; None if it does not tell.

    >>> is_alone("There are no other dogs"), is_alone("There is also a cat"), is_alone("It barks")
    (True, False, None)
    """
    if _ALONE.search(clause):
        return True
    return False if _BESIDES.search(clause) else None


def of_some(clause: str) -> str | None:
    """What a clause says, which says it of only some things; None if it does not.

    >>> of_some("Only two of the dogs are black"), of_some("The dogs are black")
    ('of the dogs are black', None)
    """
    low = clause.lower()
    opening = _BEGINNING.match(low)
    begin = start = opening.end() if opening else 0
    if match := _pattern("some").match(low, start):
        return clause[match.end() :].strip()
    if only := _pattern("only").match(low, start):
        start = only.end() + 1
    count = _COUNTED.match(low, start)
    parts = [number.value for number in numbers_in(count["part"])] if count else []
    if count is None or not parts:
        return clause[start:].strip() if start > begin else None
    if only is None and (not count["of"] or parts == [n.value for n in numbers_in(count["whole"])]):
        return None
    return clause[count.end("part") :].strip()
