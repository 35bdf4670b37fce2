"""ChEF's own rules for whether a text names a class: lookups in WordNet; which text that is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from chef.common.boxes import VOC2012
from chef.errors import DependencyError
from chef.metric.classification.synonyms import synonyms
from chef.metric.records import answer_text, scored_choice
from chef.reading.rules.chef_texts import lamm_words


class WordNet:
    """WordNet, as far as ChEF's rules use it, by the reader of NLTK's corpus."""

    def __init__(self, reader: Any) -> None:
        from nltk.stem import WordNetLemmatizer

        self._reader, self._lemmatizer = reader, WordNetLemmatizer()

    def senses(self, word: str) -> Sequence[frozenset[str]]:
        """The names of each synset of a word, the commonest sense first."""
        return [frozenset(synset.lemma_names()) for synset in self._reader.synsets(word)]

    def noun(self, word: str) -> str:
        """The shortest noun that a word is a form of; the word itself if there is none."""
        return str(self._lemmatizer.lemmatize(word, "n"))

    def base(self, word: str) -> str:
        """The base form of a word of any kind; the word itself if it is unnouns."""
        return str(self._reader.morphy(word) or word)


@cache
def lexicon() -> WordNet:
    """WordNet; raises DependencyError without NLTK's corpus."""
    try:
        from nltk.corpus import wordnet

        wordnet.ensure_loaded()
    except (ImportError, LookupError):
        raise DependencyError(
            "compat: upstream judges classes by WordNet, and its corpus is not installed",
            hint="pip install nltk; python -m nltk.downloader wordnet; or use compat: corrected",
        ) from None
    return WordNet(wordnet)


def require_wordnet(*, scored: bool | None = None) -> None:
    """Raise DependencyError unless WordNet is installed, whatever is scored."""
    del scored
    lexicon()


def classification_acc(label: str, text: str) -> bool:
    """Whether a word of ``text`` is a lemma of any synset of ``label``.

    Words are separated by single spaces and keep their case and punctuation. A label without a
    synset (``diningtable``) is never named. Narrower nouns of a class of VOC2012 ("puppy") count as
    the class too; they are taken from chef's own table of synonyms.

    Raises:
        DependencyError: the WordNet corpus of NLTK is not installed.
    """
    nouns = lexicon()
    words = text.split(" ")
    words += [owner for word in words if (owner := _narrower().get(word))]
    names = frozenset[str]().union(*nouns.senses(label))
    return any(nouns.noun(word) in names for word in words)


def names_first_sense(label: str, text: str) -> bool:
    """LAMM's rule: a word of `lamm_words`, in base form, is ``label`` or of its first synset."""
    nouns = lexicon()
    names = {label, *next(iter(nouns.senses(label)), ())}
    return any(nouns.base(word) in names for word in lamm_words(text))


@cache
def _narrower() -> dict[str, str]:
    return {noun: label for label in VOC2012 for noun in synonyms(label) if " " not in noun}


def stored_text(record: dict[str, Any]) -> str:
    """The answer as ChEF stores it: generated text follows its chain of thought."""
    return answer_text(record) if scored_choice(record) is not None else with_thought(record)


def with_thought(record: dict[str, Any]) -> str:
    """The chain of thought and the answer, which may be a scored option."""
    return f"{record.get('CoT_answer') or ''}{answer_text(record)}"
