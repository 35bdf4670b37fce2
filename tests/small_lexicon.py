"""A small WordNet made by hand, because the real one has to be downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class SmallLexicon:
    """A few words, with the methods of `chef.metric.upstream.wordnet.WordNet`."""

    SENSES: ClassVar[dict[str, list[set[str]]]] = {
        "cat": [{"cat", "true_cat"}, {"guy", "cat"}],
        "dog": [{"dog", "domestic_dog"}, {"frank", "hot_dog"}],
        "horse": [{"horse"}],
        "person": [{"person", "individual"}],
        "automobile": [{"car", "auto", "automobile"}],
        "gray": [{"gray", "grayness", "grey"}],
        "black": [{"black", "blackness"}],
    }
    NOUNS: ClassVar[dict[str, str]] = {"dogs": "dog", "cats": "cat", "men": "man"}

    def senses(self, word: str) -> Sequence[frozenset[str]]:
        return [frozenset(names) for names in self.SENSES.get(word, [])]

    def noun(self, word: str) -> str:
        return self.NOUNS.get(word, word)

    def base(self, word: str) -> str:
        return self.noun(word)
