"""Tell the option letters A and I from the words "a" and "I"."""

from __future__ import annotations

import re

from chef.reading.patterns import words

_NEXT = re.compile(r"[ \t]+(?P<word>[^\W\d_][\w'’-]*)")
#: Letters that are words, in English or in Portuguese, Italian and Spanish.
_WORDS = frozenset("AIEOY")
#: Words that follow an option letter but hardly an article. Verbs in -s need not be listed.
_AFTER_LABEL = words(
    """
    is was isn't wasn't are be being would could can can't cannot must should may might will
    won't has had does doesn't did do didn't to seems looks not also too alone only it even
    makes correctly best because since as or and for due which who that where when while if than
    then but with without all in on at by from over instead rather here based given considering
    assuming according judging looking after before though although however so nor against among
    between into via per until unless like of the this these there thus hence therefore again
    please thanks a an oder und ou et o y e или и ist est es è é
    """
)
#: Words that follow the option I but not the pronoun; verbs in -s need not be listed.
_AFTER_I = words(
    """
    is or and because since as here over than rather for it
    """
)
#: Nouns and adjectives that end like verbs of the third person.
NO_VERB = words(
    """
    bus glass lens gas class dress grass cross mess boss loss pass mass kiss canvas series
    species focus virus cactus octopus hippopotamus circus campus plus this various famous
    serious previous obvious delicious precious gorgeous enormous continuous curious dangerous
    glorious numerous means tennis chess sports jeans pants scissors basis axis iris cutlass
    compass mattress actress waitress princess seamless colorless wireless business harness
    fortress walrus rhinoceros yes was always focus news physics mathematics sales savings goods
    glasses binoculars headquarters
    """
)
#: Verdicts count only where the clause ends: "A correct", but "A correct reading".
_VERDICT = re.compile(
    r"[ \t]+(?:yes|no|true|false|correct|incorrect|right|wrong|out|ok)\b(?=\W*(?:[,;.:!?\n]|\Z))",
    re.IGNORECASE,
)
_COUNT = re.compile(r"[ \t]+(?!0?\.\d)\d")


def is_word(label: str, plain: str, end: int) -> bool:
    """Whether a capital A or I, which ends at ``end``, is the article or the pronoun.

    It is an article before a noun phrase: before a word in lower case that is neither a verb in
    the third person ("A shows") nor a conjunction, a preposition or the like ("A because").
    "I" is an option where a sentence or a clause ends, and before a verb in the third person.

    >>> is_word("A", "A dog", 1), is_word("A", "A shows a dog", 1), is_word("A", "It is A.", 7)
    (True, False, False)
    >>> is_word("I", "I think", 1), is_word("I", "Answer: I", 9), is_word("B", "B dog", 1)
    (True, False, False)
    """
    if label == "A" and _COUNT.match(plain, end):
        return True
    following = _NEXT.match(plain, end)
    if label not in _WORDS or following is None or _VERDICT.match(plain, end):
        return False
    word = following["word"]
    if len(word) == 1 and word.isupper():  # "A B": two letters
        return False
    if label == "I":
        return not (word.casefold() in _AFTER_I or _is_verb(word))
    if word.endswith("ly") or word.casefold() in {"also", "always", "never"}:
        # "A clearly shows", but "A clearly visible dog".
        return is_word(label, plain, following.end())
    return word.casefold() not in _AFTER_LABEL and (word[0].isupper() or not _is_verb(word))


def _is_verb(word: str) -> bool:
    """Whether a word may be a verb in the third person: "shows", but not "glass"."""
    return word.endswith("s") and not word.endswith("ss") and word not in NO_VERB
