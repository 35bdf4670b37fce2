"""LAMM's words: how it takes an answer apart before it looks for a class."""

from __future__ import annotations

import re
import string
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.tokenize import NLTKWordTokenizer

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def lamm_words(text: str) -> list[str]:
    """Lower-case words by the rules of the Penn Treebank, without punctuation.

    LAMM leaves out stop words too. None of them is a name of a class, so they make no difference
    and are kept; yes and no are found among them.

    >>> lamm_words("It isn't a dog; I cannot see it.")
    ['it', 'is', "n't", 'a', 'dog', 'i', 'can', 'not', 'see', 'it']
    """
    sentences = _SENTENCE_END.split(text.lower())
    words = [word for sentence in sentences for word in _tokens(sentence)]
    return [word for word in words if not all(sign in string.punctuation for sign in word)]


@lru_cache(1 << 12)
def _tokens(sentence: str) -> tuple[str, ...]:
    """The words of a sentence; a model may write the same one thousands of times."""
    return tuple(_tokenizer().tokenize(sentence))


@cache
def _tokenizer() -> NLTKWordTokenizer:
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer()
