"""How a word, a name, a side or a judgement of a clause stands to what a question asks."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from chef.reading.asked import PROPER, VerdictQuestion, kinds
from chef.reading.lexicon import word_rows
from chef.reading.opposites import opposite, sides_of
from chef.reading.questions import content_words, stem

#: What stands in the place of a word of the question: the same, its contrary, or another of its
#: kind, which excludes it but need not hold where it does not.
Relation: TypeAlias = Literal["same", "contrary", "rival", ""]

#: "falls to the left", whatever the verb
_TO_SIDE = re.compile(
    r"\b(?:to(?:wards?)?\s+the|nach|vers\s+la|hacia\s+la|verso)\s+(left|right|links|rechts|gauche|droite|izquierda|derecha|sinistra|destra)"
    r"(?:-hand)?(?:\s+side)?(?:\s+of\s+the\s+(?:image|picture|photo|frame))?\W*\Z",
    re.IGNORECASE,
)
#: "It is the Tokyo Tower", "The man with the white hair is Albert Einstein"
_NAMED = re.compile(
    r"(?:\A\W*(?:it|this|that|he|she)(?:'s|\s+is|\s+was)|\b(?:is|was|looks\s+like|seems\s+to\s+be|appears\s+to\s+be))\s+"
    rf"(?:not\s+)?(?:(?:the|an?)\s+)?(?:\w+\s+of\s+(?:the\s+)?)?({PROPER})",
    re.IGNORECASE,
)
#: "directed by Jane Doe", "located in Rome, Italy"
_NAMES = re.compile(r"\b(by|in|from|to|of)\s+(?:the\s+)?([A-Z][\w'-]*(?:[.,]?\s[A-Z][\w'-]*){0,4})")
#: "the landmark located in Rome" has two words besides the name.
_FEW = 3
#: "it would not be quite right"
_APPRAISING = re.compile(
    r"\b(?:be|is|are|was|were|isn't|aren't|seems?)\s+(?:not\s+)?(?:(?:\w+ly|very|quite)\s+)?(?:an?\s+)?(\w+)",
    re.IGNORECASE,
)


def relation_of(word: str, stems: list[str]) -> Relation:
    """How stems stand to one of a question.

    >>> relation_of("open", ["clos"]), relation_of("red", ["blue"]), relation_of("vehicl", ["car"])
    ('contrary', 'rival', 'same')
    """
    if word in stems or not (sides_of(word)[0] | kinds().get(word, frozenset())).isdisjoint(stems):
        return "same"
    other, strict = opposite(word, stems)
    return "" if other is None else "contrary" if strict else "rival"


def name_relation(clause: str, query: VerdictQuestion) -> Relation:
    """How the proper name that a clause gives stands to the one that is asked about.

    >>> from chef.reading.asked import asked
    >>> name_relation("It was painted by Claude Monet", asked("Is it painted by Paul Klee?"))
    'rival'
    """
    if query.ending and (relation := _ending(clause, query, *query.ending)):
        return relation
    match = _NAMED.search(clause) if query.name else None
    if match is None:
        return ""
    name, other = content_words(query.name), content_words(match[1])
    return "same" if name <= other or other <= name else "rival"


def _ending(clause: str, query: VerdictQuestion, behind: str, name: frozenset[str]) -> Relation:
    """The same of the author, or the place, with which a question ends."""
    is_maker = behind == "by"
    for match in _NAMES.finditer(clause):
        other = content_words(match[2])
        if is_maker != (match[1] == "by") or not other:
            continue
        if name <= other or other <= name:
            # What else is asked of a place is not told by its name.
            return "same" if is_maker or len({*query.words} - name) < _FEW else ""
        rows = [{*row.split()} for row in word_rows("place_names")]
        if is_maker or any(row & name and row & other for row in rows):
            return "rival"
    return ""


def aimed(clause: str, side: str) -> Relation:
    """How the side to which something goes or looks stands to the one that is asked about.

    >>> aimed("the tower leans to the right side", "left")
    'contrary'
    """
    match = _TO_SIDE.search(clause)
    return relation_of(side, [match[1].lower()]) if match else ""


def appraised(clause: str, quality: str) -> Relation:
    """How what a clause calls something stands to the quality that is asked for.

    >>> appraised("swimming here would be unsafe", "safe")
    'contrary'
    """
    words = [stem(match[1].lower()) for match in _APPRAISING.finditer(clause)]
    # "right" is a side elsewhere.
    quality, *words = ["correct" if word == "right" else word for word in (quality, *words)]
    return next(filter(None, (relation_of(quality, [word]) for word in reversed(words))), "")


def repeats(found: list[str], words: tuple[str, ...]) -> bool:
    """Whether a clause has some words of the question and no other, in one order, three or more.

    >>> repeats(["cup", "red", "hot"], ("big", "cup", "red", "hot"))
    True
    """
    size = len(found)
    return size > 2 and any(tuple(found) == words[at : at + size] for at in range(len(words)))
