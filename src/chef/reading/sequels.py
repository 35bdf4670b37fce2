"""What a text says that comes after, or before, the thing that a question speaks of."""

from __future__ import annotations

import re

from chef.reading.patterns import Pattern
from chef.reading.text import sentence_start

Span = tuple[int, int]

_AFTER_ASKED = re.compile(
    r"\b(?:follows|succeeds|comes?\s+(?:(?:right|directly|immediately)\s+)?(?:after|next)|(?:is|are|happens)"
    r"\s+next)\b(?!\s+from\b)",
    re.IGNORECASE,
)
_BEFORE_ASKED = re.compile(
    r"\b(?:precedes?|comes?\s+(?:(?:right|directly|immediately)\s+)?before)\b", re.IGNORECASE
)
_IS = (
    r"(?:comes?|follows?|is|are|was|will\s+(?:be|come|follow)|would\s+(?:be|come|follow)|happens?)"
)
_REST = r"(?P<rest>(?:(?!\b(?:which|who|that|where|while)\b)[^.,;:!?\n])*)"
_ADVERB = r"(?:(?:then|right|directly|immediately|next|just|always)\s+)*"


def _stating(preposition: str, participle: str, verb: str) -> tuple[Pattern, Pattern]:
    """What precedes the thing that comes next, and what follows it."""
    leading = (
        rf"\b(?:{preposition}\s+(?!(?:that|this|which)\b)[^.,;:!?\n]{{1,60}}?,?\s+{_IS}"
        rf"|{participle}\s+by)\s+{_REST}"
    )
    following = rf"\b(?:{_IS}\s+{_ADVERB}{preposition}|{verb})\s"
    return Pattern(leading), Pattern(following)


_AFTER = _stating("(?:after|following)", "followed", "(?:follows|succeeds)")
_BEFORE = _stating("before", "preceded", "precedes")
_WHAT = re.compile(r"\W*(?:what|which|that)?\W*", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[.,;:!?\n]|\b(?:and|but|so)\s")


def beside_sequel(text: str, question: str) -> list[Span]:
    """All but what a text says to come after, or before, the thing of a question.

    >>> beside_sequel("It is A. After A comes B.", "Which letter follows the one shown?")
    [(0, 23), (24, 25)]
    """
    forms = (
        _AFTER
        if _AFTER_ASKED.search(question)
        else _BEFORE
        if _BEFORE_ASKED.search(question)
        else None
    )
    span = _sequel(text, *forms) if forms else None
    if span and _WHAT.fullmatch(text, *span):
        return []  # "what follows the eggs is the sugar"
    return [(0, span[0]), (span[1], len(text))] if span else []


def _sequel(text: str, leading: Pattern, following: Pattern) -> Span | None:
    """The last thing that comes next, as far as its clause goes."""
    matches = [match.span("rest") for match in leading.finditer(text)]
    if matches:
        return matches[-1]
    ends = [match.start() for match in following.finditer(text)]
    if not ends:
        return None
    first = sentence_start(text, ends[-1])
    limits = [match.end() for match in _CLAUSE_END.finditer(text, first, ends[-1])]
    return (limits[-1] if limits else first), ends[-1]
