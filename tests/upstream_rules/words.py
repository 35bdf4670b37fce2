"""A small WordNet, of the shape of the real one, which has to be downloaded."""

from __future__ import annotations

from collections.abc import Sequence

#: The synsets of a few words, the commonest sense first.
SENSES: dict[str, list[list[str]]] = {
    "dog": [["dog", "domestic_dog"], ["frump", "dog"], ["frank", "hot_dog"]],
    "cat": [["cat", "true_cat"], ["guy", "cat", "hombre"]],
    "boat": [["boat"], ["gravy_boat", "boat"]],
    "ship": [["ship"]],
    "person": [["person", "individual"], ["person"]],
    "car": [["car", "auto", "automobile"], ["car", "railcar"]],
    "automobile": [["car", "auto", "automobile"]],
    "gray": [["gray", "grayness", "grey"]],
    "black": [["black", "blackness"], ["total_darkness", "black"]],
    "left": [["left"], ["leave", "exit"]],
}
NOUNS = {"dogs": "dog", "cars": "car", "ships": "ship", "persons": "person", "men": "man"}
BASES = {**NOUNS, "smiling": "smile", "left": "leave"}


def lemmas(word: str) -> list[str]:
    """The names of all synsets of a word."""
    return [name for synset in SENSES.get(word, []) for name in synset]


def first_lemmas(word: str) -> list[str]:
    """The names of the first synset of a word."""
    return next(iter(SENSES.get(word, [])), [])


def noun(word: str) -> str:
    """The noun that a word is a form of."""
    return NOUNS.get(word, word)


def base(word: str) -> str:
    """The word that a word of any kind is a form of."""
    return BASES.get(word, word)


class Words:
    """The same, as `chef.metric.upstream.wordnet.WordNet` gives it."""

    def senses(self, word: str) -> Sequence[frozenset[str]]:
        return [frozenset(names) for names in SENSES.get(word, [])]

    def noun(self, word: str) -> str:
        return noun(word)

    def base(self, word: str) -> str:
        return base(word)
