"""The words that deny what follows them, and whether a text has any."""

from __future__ import annotations

from functools import cache, lru_cache

from chef.reading.lexicon import SPACED, far_from, heads, needed_words, phrases_of, word_pattern
from chef.reading.patterns import words as words_of
from chef.reading.word_index import Needs, words_near

DENYING = ("negations", "negations_without_article", "negations_of_things")
#: "none other than A" is A.
EXCLUDING = ("exclusions", "eliminations")
_OTHER_NOT = (
    r"t(?<!\w.)(?<!other .)(?<!else .)han\b",
    r"o(?<!\w.)(?<!none .)(?<!nothing .)(?<!anything .)ther\s+than\b",
    r"n(?<!\w.)o\s+(?:\w+\s+)?(?:signs?|evidence|indications?|hints?|traces?)\s+(?:that|of)"
    r"(?:\s+\w+){0,4}?\b",
    r"n(?<!\w.)o\b(?!\.)",
    r"n(?<!\w.)either\s+(?:does|do|did|is|are|was|were)\b",
    r"n't\b",
)
_WRONG = ("wrong", "incorrect", "inaccurate", "misleading", "a mistake")
_WRONG_TO = r"\s+to(?=\s+(?:say|claim|think|assume|conclude)\b)"
_OWN_WORDS = (
    "than other wrong incorrect inaccurate misleading mistake false invalid untrue t ca wo nem out"
    " off excluded"
)


def not_before() -> str:
    """What denies, right before what is denied, in a text in lower case."""
    groups = ("negations", "negations_of_things", *EXCLUDING)
    phrases = [item for item in phrases_of(*groups, languages=SPACED) if item != "no"]
    wrong = phrases_of("faults", languages=("en",))
    items = [
        *heads([*phrases, "excluded", "nem"]),
        *far_from(),
        *heads(_WRONG, after=_WRONG_TO),
        *heads(wrong, after=r"\s+(?:options|answers|choices|ones)\s*(?:are|include|:)?\b"),
        *_OTHER_NOT,
    ]
    return f"(?:{'|'.join(items)})"


@cache
def faults(languages: tuple[str, ...] = ("en",)) -> str:
    """A pattern of the words for what is wrong."""
    return word_pattern("faults", languages=languages)


@cache
def denials() -> Needs:
    """Words of which a Latin or Cyrillic text has one if it denies anything."""
    groups = (*DENYING, *EXCLUDING, "comparisons", "likenesses")
    return Needs([*needed_words(*groups), *words_of(_OWN_WORDS)])


@lru_cache(64)
def denies(text: str) -> bool:
    """Whether any word of a text can deny something; if not, no rule about denials runs. Cached.

    >>> denies("I see a dog."), denies("It isn't a dog.")
    (False, True)
    """
    return not text.isascii() or denials().may_be_in(words_near(text))
