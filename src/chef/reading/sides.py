"""Which side, or which of several things with a sign, a clause is about: "left", "plan A"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from chef.reading.contrasts import Span, clauses_of
from chef.reading.lexicon import word_list
from chef.reading.opposites import sides_of
from chef.reading.patterns import Pattern
from chef.reading.questions import content_words

#: "plan C", "figure 2", no "order 2"
_SIGNED = re.compile(
    r"\b(?P<noun>[^\W\d_]{3,})\s+(?P<sign>[A-Z]\b"
    r"|(?<=(?:igure|photo|image|panel|group|table)\s)\d\b)"
)
#: "the previous image"
_OTHER = Pattern(
    r"\b(?:previous|other|earlier|another|different|prior)\s+(?:image|picture|photo|version)\b",
    needs="previous other earlier another different prior",
    inside=True,
)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
#: "the top jug", "the bottom one"
_THING = re.compile(r"\bthe\s+(?P<which>[a-z]+)\s+(?P<noun>[a-z]+)\b", re.IGNORECASE)
_ONE = re.compile(r"\b(?:one|it|other)\b", re.IGNORECASE)


def other_sides(text: str, question: str) -> list[Span]:
    """The clauses that do not name the side that a question names, if any names its contrary.

    >>> other_sides("The right hand is empty; the left holds a cup", "What is in the right hand?")
    [(24, 45)]
    """
    kinds = (_other_signs, _other_pictures, _other_ones)
    others = [span for kind in kinds for span in kind(text, question)]
    sides = content_words(question) & word_list("sides")
    if not sides:
        return others
    contrary = frozenset().union(*(sides_of(side)[1] for side in sides)) - sides
    spans = clauses_of(text)
    for place, ((start, end), (_, after)) in enumerate(pairwise(spans)):
        if text[end : end + 1] == ":":  # "Left: tin"
            spans[place + 1] = (start, after)
    parts = [(span, content_words(text[slice(*span)])) for span in spans]
    if not any(said & contrary and not said & sides for _, said in parts):
        return others
    return [*others, *(span for span, said in parts if not said & sides)]


def _other_signs(text: str, question: str) -> list[Span]:
    """The clauses about "plan A" where a question names "plan C"."""
    topic_signs = _signs(question)
    if not topic_signs:
        return []
    spans = []
    for start, end in clauses_of(text):
        here = _signs(text[start:end])
        if any(
            signs - topic_signs[noun] and not signs & topic_signs[noun]
            for noun, signs in here.items()
            if noun in topic_signs
        ):
            spans.append((start, end))
    return spans


def _other_pictures(text: str, question: str) -> list[Span]:
    """The clauses about another picture, or another year, than the one that a question names."""
    years = set(_YEAR.findall(question))
    if years.isdisjoint(_YEAR.findall(text)) if years else not _OTHER.search(text):
        return []
    if _OTHER.search(question):
        return []
    spans = []
    for start, end in clauses_of(text):
        dates = set(_YEAR.findall(text, start, end)) if years else set()
        if _OTHER.search(text[start:end]) or (dates and dates.isdisjoint(years)):
            spans.append((start, end))
    return spans


def _other_ones(text: str, question: str) -> list[Span]:
    """The clauses about another one: "the top jug is tin and the bottom one is clay"."""
    thing = _THING.search(question) if " one" in text else None
    if thing is None or not content_words(thing["noun"]):
        return []  # "the bus to York"
    noun, which = thing["noun"].lower(), thing["which"].lower()
    here = []
    for span in clauses_of(text):
        kinds = {
            item["which"].lower()
            for item in _THING.finditer(text, *span)
            if item["noun"].lower() in (noun, "one")
        }
        here.append((span, kinds))
    if not any(which in kinds for _, kinds in here):
        return []
    return [span for span, kinds in here if kinds and which not in kinds]


def _signs(text: str) -> dict[str, set[str]]:
    """The signs that stand behind each noun: {"plan": {"A", "C"}}."""
    signs: dict[str, set[str]] = {}
    for match in _SIGNED.finditer(text):
        signs.setdefault(match["noun"].lower(), set()).add(match["sign"])
    return signs


def is_of_cases(text: str, question: str, places: Sequence[tuple[int, int]]) -> bool:
    """Whether all that a text says of options is of both sides, where the question names none:
    "the left bowl is glass and the right one plastic". ``places``: where, and the option's number.
    """
    names, topic = word_list("sides"), content_words(question)
    clauses = []
    for start, end in () if topic & names else clauses_of(text):
        terms, values = content_words(text[start:end]), {v for at, v in places if start <= at < end}
        if values:
            sides = sorted(terms & names)
            clauses.append((sides, values, terms & topic, _ONE.search(text, start, end)))
    if len(clauses) != 2 or not all(
        len(sides) == len(values) == 1 for sides, values, *_ in clauses
    ):
        return False
    (side, value, about, _), (other, second, about_other, one) = clauses
    is_contrary = other[0] in sides_of(side[0])[1]
    return is_contrary and value != second and (about == about_other or one is not None)
