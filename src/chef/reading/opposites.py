"""Words that exclude each other: contraries, rivals of one kind, the two ends of a scale."""

from __future__ import annotations

from functools import cache

from chef.reading.lexicon import word_rows
from chef.reading.questions import stem

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
    return same, frozenset().union(*(two for _, two in ends)) - same


def is_comparative(word: str) -> bool:
    """Whether a stem is that of a comparative with a contrary.

    >>> is_comparative("taller"), is_comparative("river")
    (True, False)
    """
    return any(word in one for one, _ in _ends("comparatives"))


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
