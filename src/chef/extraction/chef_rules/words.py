"""LAMM's words: how it takes an answer apart before it looks for a class."""

from __future__ import annotations

import re
import string

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def lamm_words(text: str) -> list[str]:
    """Lower-case words by the rules of the Penn Treebank, without punctuation.

    LAMM leaves out stop words too. None of them is a name of a class, so they make no difference
    and are kept; yes and no are found among them.

    >>> lamm_words("It isn't a dog; I cannot see it.")
    ['it', 'is', "n't", 'a', 'dog', 'i', 'can', 'not', 'see', 'it']
    """
    from nltk.tokenize import NLTKWordTokenizer

    tokenizer = NLTKWordTokenizer()
    sentences = _SENTENCE_END.split(text.lower())
    words = [word for sentence in sentences for word in tokenizer.tokenize(sentence)]
    return [word for word in words if not all(sign in string.punctuation for sign in word)]
