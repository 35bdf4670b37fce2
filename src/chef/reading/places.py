"""Where a clause says that a thing is, compared with the place that a question asks about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from chef.reading.clauses import is_denied
from chef.reading.lexicon import word_rows
from chef.reading.questions import content_places, content_words

#: A longer description of a landmark is a sentence of its own.
_LANDMARK = 3
#: What is at one of these places is at no other one of the kind: on the table, not on the sofa.
_ALOFT = "aloft"
_EXCLUSIVE = frozenset(["on", "top", "against"])
#: Right before a preposition that says where the subject is: "is", "lies", "is leaning".
_IS_AT = re.compile(
    r"\b(?:is|are|was|were|(?:hang|li|rest|sit|stand|lean)(?:e?s)?|ist|sind|liegt|steht|sitzt|est|sont"
    r"|está|están|é|è|sta)\s+(?:\w+\s+){0,2}\Z",
    re.IGNORECASE,
)


#: One name with its article behind a preposition.
_ARTICLE = (
    r"(?:an?|the|this|that|his|her|its|their|one|some|der|die|das|dem|den|des|eine?[mnrs]?|le|la|les|une?|el|los"
    r"|las|un[oa]?|il|lo|gli|os?|as|uma?)"
)
_PHRASE = re.compile(
    rf"\s*(?:{_ARTICLE}\s+)?(?P<noun>(?:(?!{_ARTICLE}\b)[\w'-]+\s*)*)", re.IGNORECASE
)


@dataclass(frozen=True)
class Location:
    """The place that a question asks about: how a thing lies, and to what (stems)."""

    relation: str
    landmark: frozenset[str]


@cache
def _relations() -> tuple[re.Pattern[str], dict[str, str]]:
    """The pattern of all prepositions of place, and what each of them says."""
    rows = [row.partition(":") for row in word_rows("places")]
    names = {phrase.strip(): name for name, _, phrases in rows for phrase in phrases.split("/")}
    longest = sorted(names, key=len, reverse=True)
    phrases = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in longest)
    return re.compile(rf"\b(?:{phrases})\b", re.IGNORECASE), names


@cache
def _excluded() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(row.split()) for row in word_rows("excluded_places"))


def _named(text: str) -> list[tuple[int, Location]]:
    """The places that a text names, with where their prepositions begin."""
    pattern, names = _relations()
    matches = list(pattern.finditer(text))
    limits = [*(match.start() for match in matches), len(text)][1:]
    found = []
    for match, limit in zip(matches, limits, strict=True):
        phrase = _PHRASE.match(text, match.end(), limit)
        behind = phrase["noun"] if phrase else ""
        stems = [stem for stem, _, _ in content_places(behind)][:_LANDMARK]
        if behind and not content_words(behind.split()[0]):
            stems = []  # "in the picture quiet"
        name = names[" ".join(match[0].lower().split())]
        found.append((match.start(), Location(name, frozenset(stems))))
    return found


@lru_cache(256)
def asked_place(question: str) -> Location | None:
    """The place with which a question ends; None if it asks for none.

    >>> asked_place("Is the cup on the table?")
    Location(relation='on', landmark=frozenset({'tabl'}))
    """
    places = _named(question)
    if not places or not content_words(question[: places[-1][0]]):
        return None
    start, place = places[-1]
    words = content_places(question[start:])
    # Of "in the picture a mammal" only the picture is the place.
    last = words and words[-1][0] in place.landmark
    return place if last or place.relation == _ALOFT else None


def is_elsewhere(clause: str, subject: str, place: Location, *, refers: bool) -> bool | None:
    """Whether a clause puts the subject at a place at which it cannot be at the one asked about.

    Args:
        clause: a clause of an answer.
        subject: the stem of the subject of the question.
        place: where the question asks whether it is.
        refers: whether the clause begins with a pronoun for the subject.

    Returns:
        None where the clause says of the same landmark another place that need not exclude it.

    >>> place = asked_place("Is the cup on the table?")
    >>> is_elsewhere("the cup is under the table", "cup", place, refers=False)
    True
    """
    away: bool | None = None if place.landmark <= content_words(clause) else False
    if not place.landmark or not (refers or subject in content_words(clause)):
        away = False
    for start, other in _named(clause):
        before = clause[:start]
        if not (refers or subject in content_words(before)):
            away = None if away else False
            continue
        aloft = _ALOFT in (other.relation, place.relation) and _IS_AT.search(before)
        if other.landmark & place.landmark or aloft:
            if other.relation == place.relation or {other.relation, place.relation} <= _EXCLUSIVE:
                return False
            excluded = frozenset([other.relation, place.relation]) in _excluded()
            away = away or (True if excluded and not is_denied(clause) else None)
        elif (
            other.landmark
            and other.relation == place.relation in _EXCLUSIVE
            and _IS_AT.search(before)
            and not is_denied(clause)
        ):
            away = True
    return away
