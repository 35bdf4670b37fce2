"""ChEF's own rule for whether a text names a class: a lookup in WordNet."""

from __future__ import annotations

from functools import cache
from typing import Any

from chef.common.classes import VOC2012
from chef.errors import DependencyError
from chef.metric.classification.synonyms import synonyms


def classification_acc(label: str, text: str) -> bool:
    """Whether a word of ``text`` is a lemma of any synset of ``label``.

    Words are separated by single spaces and keep their case and punctuation. A label without a
    synset (``diningtable``) is never named. Narrower nouns of a class of VOC2012 ("puppy") count as
    the class too; they are taken from chef's own table of synonyms.

    Raises:
        DependencyError: the WordNet corpus of NLTK is not installed.
    """
    words = text.split(" ")
    words += [owner for word in words if (owner := _narrower().get(word))]
    reader = _reader()
    bases = {_base(word) for word in words}
    return not bases.isdisjoint(_lemmas(reader, label))


def _base(word: str) -> str:
    return _reader().morphy(word, "n") or word


def _lemmas(reader: Any, label: str) -> set[str]:
    return {name for synset in reader.synsets(label) for name in synset.lemma_names()}


@cache
def _narrower() -> dict[str, str]:
    return {noun: label for label in VOC2012 for noun in synonyms(label) if " " not in noun}


@cache
def _reader() -> Any:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        raise DependencyError(
            "compat: upstream judges classes by WordNet, and its corpus is not installed",
            hint="python -m nltk.downloader wordnet, or use compat: corrected",
        ) from None
    return wordnet
