"""Which clauses of an answer repeat its question as a statement."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise

from chef.reading.answering import KIND_ASKED, NO_ANSWER, parts
from chef.reading.clauses import is_supposed
from chef.reading.lexicon import word_list
from chef.reading.questions import content_places, content_words, stem
from chef.reading.units import units_named

Span = tuple[int, int]

#: What stands between a property and its thing: "the color of the car".
_OF = re.compile(r"\s+(?:of|von|vom|d[eu]s?|della?|del|do|da|на|у)\b|\s+d'", re.IGNORECASE)
#: "(in million euros)", which an answer may write with a sign.
_IN_UNIT = re.compile(r"\(?\b(?:in|en|em|в)\s+(?:\w+\s+){0,2}?(?P<unit>[^\s?()]+)\W*\Z")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_COMMA = re.compile(r",(?!\d)")
#: How much of a longer question a clause has to repeat.
_SHARE = 2 / 3


@cache
def _properties() -> frozenset[str]:
    return frozenset(map(stem, word_list("properties")))


@lru_cache(256)
def _needed(question: str) -> frozenset[str]:
    """What a statement of the answer repeats, not what the answer replaces: no property ("the color
    of the car"), and no kind ("which animal"), unless one word alone would be left.
    """
    places = content_places(question)
    stems = {name for name, _, _ in places} - word_list("asking")
    if (unit := _IN_UNIT.search(question)) and units_named(unit["unit"]):
        stems -= content_words(unit[0])
    kind = KIND_ASKED.search(question)
    replaced = {stem(kind["noun"].lower())} if kind else set()
    if places and _OF.match(question, places[0][2]):
        replaced.add(places[0][0])
    stems -= replaced & _properties()
    if len(stems - replaced) > 1:
        stems -= replaced
    return frozenset(stems | set(_NUMBER.findall(question)))


@lru_cache(64)
def restating(text: str, question: str, *, commas: bool = False) -> tuple[Span, ...]:
    """The clauses of a text, or what ``commas`` part, that repeat most of a question.

    >>> text = "The highlighted continent is Asia. Africa is on its left."
    >>> [text[start:end] for start, end in restating(text, "Which continent is highlighted?")]
    ['The highlighted continent is Asia.']
    """
    needed = _needed(question)
    if not needed:
        return ()
    spans = [
        (start, end, words)
        for first, last, _, _ in parts(text)
        for start, end in (_between_commas(text, first, last) if commas else [(first, last)])
        if (words := _words(text[start:end]) & needed)
        and not NO_ANSWER.search(text, first, last)
        and not is_supposed(text[first:last])
    ]
    most = max((len(words) for _, _, words in spans), default=0)
    if most < len(needed) and (most < 2 or most < _SHARE * len(needed)):
        return ()
    best = frozenset[str]().union(*(words for _, _, words in spans if len(words) == most))
    if any(words - best for _, _, words in spans):
        return ()  # what tells it from other things may stand elsewhere: "the desk on the right"
    nearest = [(start, end) for start, end, words in spans if len(words) == most]
    if len(needed) > 1:
        return tuple(nearest)
    # "The dog looks at the camera. Next to the dog is a ball" for "what does the dog look at?"
    common = [len(_every(question) & _every(text[start:end])) for start, end in nearest]
    return tuple(span for span, words in zip(nearest, common, strict=True) if words == max(common))


def _between_commas(text: str, start: int, end: int) -> list[Span]:
    limits = [match.span() for match in _COMMA.finditer(text, start, end)]
    return list(pairwise([start, *(last for _, last in limits), end]))


def _every(text: str) -> frozenset[str]:
    """The stems of all words of a text, of those too that name nothing: "looking at"."""
    return frozenset(map(stem, re.findall(r"\w+", text.lower())))


def _words(text: str) -> frozenset[str]:
    """The stems and the numbers of a text."""
    return content_words(text) | frozenset(_NUMBER.findall(text))
