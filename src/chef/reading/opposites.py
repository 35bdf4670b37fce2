"""What excludes what: contraries, rivals of one kind, the two ends of a scale, and places."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from chef.frozen import Frozen
from chef.reading.lexicon import word_list, word_rows
from chef.reading.questions import content_places, content_words, stem

Ends = tuple[frozenset[str], frozenset[str]]


def stems_of(text: str) -> list[str]:
    """The stems of the words of an entry of the lexicon."""
    return [stem(word) for word in text.split()]


@cache
def _ends(name: str) -> tuple[Ends, ...]:
    """The stems of each end of each scale of an entry, with those of its other end."""
    rows = [row.partition(":") for row in word_rows(name)]
    pairs = [
        (frozenset([*one.split(), *stems_of(one)]), frozenset([*two.split(), *stems_of(two)]))
        for one, _, two in rows
    ]
    return tuple(pair for one, two in pairs for pair in ((one, two), (two, one)))


def extremes() -> tuple[Ends, ...]:
    """The stems of the superlatives of each end of a scale, with those of its other end."""
    return _ends("extremes")


@cache
def _rivals() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(stems_of(row)) for row in word_rows("rivals"))


@cache
def sides_of(word: str) -> Ends:
    """The stems that say the same as a stem, and those that say its contrary.

    >>> "declin" in sides_of("increas")[1], "grew" in sides_of("increas")[0]
    (True, True)
    """
    ends = [pair for pair in (*_ends("opposites"), *_ends("comparatives")) if word in pair[0]]
    same = frozenset().union(*(one for one, _ in ends))
    return same, frozenset().union(*(two for _, two in ends), _prefixed(word)) - same


#: What makes a word of so many letters its contrary; "inside" is none of "side".
_PREFIXES = {"un": 3, "dis": 7, "non-": 3, "in": 5, "im": 5, "il": 5, "ir": 5}


def _prefixed(word: str) -> set[str]:
    """The contraries of a stem by a prefix: "legal" and "illegal"."""
    longer = {stem(prefix + word) for prefix, least in _PREFIXES.items() if len(word) >= least}
    rests = [
        word.removeprefix(prefix)
        for prefix, least in _PREFIXES.items()
        if word.startswith(prefix) and len(word) >= len(prefix) + least
    ]
    return longer.union(rests, (rest + "e" for rest in rests))


def is_comparative(word: str) -> bool:
    """Whether a stem is that of a comparative with a contrary.

    >>> is_comparative("taller"), is_comparative("river")
    (True, False)
    """
    return any(word in one for one, _ in _ends("comparatives"))


@cache
def comparative_of(word: str) -> str:
    """The comparative with a contrary of an adjective, or its stem; "" if there is none.

    >>> comparative_of("tall"), comparative_of("expensive"), comparative_of("wooden")
    ('taller', 'expensiv', '')
    """
    forms = (word, f"{word}er", f"{word}r", f"{word[:-1]}ier", f"{word}{word[-1]}er")
    return next((stem(form) for form in forms if is_comparative(stem(form))), "")


@lru_cache(256)
def rivals_of(words: tuple[str, ...]) -> frozenset[str]:
    """The stems that may exclude one of some stems, with those of the same end of a scale.

    >>> sorted(rivals_of(("open", "door")))[:2]
    ['clo', 'clos']
    """
    groups = [*_rivals(), *(one | two for one, two in extremes())]
    near = [group for word in words for group in sides_of(word)]
    return frozenset().union(*near, *(group for group in groups if not group.isdisjoint(words)))


def rivals(word: str) -> frozenset[str]:
    """The stems of the same kind of which only one holds: other colors, other numbers."""
    return frozenset().union(*(group for group in _rivals() if word in group)) - {word}


def opposite(word: str, found: list[str]) -> tuple[str | None, bool]:
    """A word in ``found`` that excludes ``word``, and whether one of the two must hold.

    >>> opposite("open", ["clos"]), opposite("red", ["blue"])
    (('clos', True), ('blue', False))
    """
    contrary = sides_of(word)[1]
    if hit := next((other for other in found if other in contrary), None):
        return hit, True
    if hit := next((other for other in found if other in rivals(word)), None):
        return hit, False
    for end, other in extremes():
        if word in end and end.isdisjoint(found):
            hit = next((item for item in found if item in other), None)
            if hit:
                return hit, False
    return None, False


#: A longer description of a landmark is a sentence of its own.
_LANDMARK = 3
#: What is at one of these places is at no other one of the kind: on the table, not on the sofa.
ALOFT = "aloft"
EXCLUSIVE = frozenset(["on", "top", "against"])
#: One name with its article behind a preposition.
_ARTICLE = (
    r"(?:an?|the|this|that|his|her|its|their|one|some|der|die|das|dem|den|des|eine?[mnrs]?|le|la|les|une?|el|los"
    r"|las|un[oa]?|il|lo|gli|os?|as|uma?)"
)
_PHRASE = re.compile(
    rf"\s*(?:{_ARTICLE}\s+)?(?P<noun>(?:(?!{_ARTICLE}\b)[\w'-]+\s*)*)", re.IGNORECASE
)


class Location(Frozen):
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


def excludes(one: str, other: str) -> bool:
    """Whether what is at one place of a landmark is not at another: "under" and "on"."""
    return frozenset([one, other]) in _excluded()


def places_named(text: str) -> list[tuple[int, Location]]:
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
    places = places_named(question)
    if not places or not content_words(question[: places[-1][0]]):
        return None
    start, place = places[-1]
    words = content_places(question[start:])
    # Of "in the picture a mammal" only the picture is the place.
    last = words and words[-1][0] in place.landmark
    return place if last or place.relation == ALOFT else None


def turned_side(clause: str, found: list[str], words: tuple[str, ...]) -> str:
    """The side on which the landmark of the question is said to be: "the laptop is right of it",
    "right of it is the laptop".
    """
    for word in words[1:-1]:
        side = opposite(word, found)[0] or word
        if word in word_list("sides") and {side, words[0], words[-1]} <= {*found}:
            mark, at, thing = map(found.index, (words[-1], side, words[0]))
            first = at < thing < mark and re.search(rf"\b{side}\s+of\b", clause, re.IGNORECASE)
            return side if first or mark < at < thing else ""
    return ""
