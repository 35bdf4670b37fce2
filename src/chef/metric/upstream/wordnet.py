"""Does a text name a class, by ChEF's own rule, which asks WordNet?"""

from __future__ import annotations

from functools import cache
from typing import Any

from chef.common import classes
from chef.errors import DependencyError
from chef.metric.classification.synonyms import synonyms

#: The classes whose narrower nouns ChEF counts, and under which it counts them.
VOC = classes.VOC2012


def classification_acc(label: str, text: str) -> bool:
    """Whether a word of ``text`` is a lemma of any noun that ``label`` means.

    Words are what stands between single spaces, with case and punctuation; a label without a
    synset (``diningtable``) is never named. Words that narrow a class of VOC2012 ("puppy") count as
    the class too; which ones follows chef's own table of synonyms.

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
    return {noun: label for label in VOC for noun in synonyms(label) if " " not in noun}


@cache
def _reader() -> Any:
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        raise DependencyError(
            "compat: upstream judges classes by WordNet, and its corpus is not installed",
            mend="python -m nltk.downloader wordnet, or use compat: corrected",
        ) from None
    return wordnet
