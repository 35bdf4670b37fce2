"""Classification by names, and words read from images (sections 9.4, 9.6 and 15)."""

from __future__ import annotations

import string
from collections.abc import Callable, Collection, Sequence

from nltk.tokenize import NLTKWordTokenizer

from upstream_rules.text import (
    BaseForm,
    Lemmas,
    classification_acc,
    normalise,
    quoted_sentence,
    same_word,
)

Tokenise = Callable[[str], list[str]]


def treebank_words(text: str) -> list[str]:
    """The words of a text by nltk's rules, without its sentence model."""
    # Open: `nltk.word_tokenize` splits sentences first, so its full stops inside a text come
    # apart where these stay with their word. Pass it where its data are there.
    return list(NLTKWordTokenizer().tokenize(text))


def coarse_grained(
    answers: Sequence[str],
    golds: Sequence[str],
    lemmas: Lemmas,
    base_form: BaseForm = same_word,
) -> dict[str, float]:
    """9.4 and 15, CG_Classification: both figures look at the normalised answer."""
    pairs = [(normalise(answer), gold) for answer, gold in zip(answers, golds, strict=True)]
    exact = sum(gold in text.split(" ") for text, gold in pairs)
    similar = sum(classification_acc(gold, text, lemmas, base_form) for text, gold in pairs)
    return {"ACC": exact / len(pairs) * 100, "SYN_ACC": similar / len(pairs) * 100}


def fine_depth_multi_turn(answers: Sequence[str], chain: Sequence[str]) -> int:
    """9.4, FG, several turns: how many turns in a row hold their level's name.

    Names are substrings even of chosen options (D18); sibling credit never comes (D17).
    """
    # Open: case is kept and the answer is not normalised.
    depth = 0
    for answer, name in zip(answers, chain, strict=False):
        if name not in answer:
            break
        depth += 1
    return depth


def fine_depth_single_turn(answer: str, chain: Sequence[str]) -> int:
    """9.4, FG, one turn: the deepest level named, whatever is missing above it."""
    depth = 0
    for level, name in enumerate(chain):
        if name in answer:
            depth = level + 1
    return depth


def fine_grained(answers: Sequence[str | Sequence[str]], chains: Sequence[Sequence[str]]) -> float:
    """9.4, FG: the mean of depth over length; a list of answers is one of several turns."""
    scores = []
    for answer, chain in zip(answers, chains, strict=True):
        if isinstance(answer, str):
            depth = fine_depth_single_turn(answer, chain)
        else:
            depth = fine_depth_multi_turn(answer, chain)
        scores.append(depth / len(chain))
    return sum(scores) / len(scores) * 100


def lamm_classification_right(
    gt: str,
    answer: str,
    first_lemmas: Lemmas,
    base_form: BaseForm = same_word,
    stop_words: Collection[str] = (),
    tokenise: Tokenise = treebank_words,
) -> bool:
    """9.4, LAMM_Classification and Hair: `first_lemmas` are those of the first synset alone."""
    # Open: the label and its lemmas are compared as they are, not lower-cased.
    words = [
        base_form(word)
        for word in tokenise(answer.lower())
        if word not in string.punctuation and word not in stop_words
    ]
    return any(name in words for name in [*first_lemmas(gt), gt])


def smile_reading(answer: str, tokenise: Tokenise = treebank_words) -> str:
    """9.4, Smile: -1 where a token denies, else 1."""
    # Open: lower-cased and split as in LAMM_Classification, whose rule stands just before.
    tokens = tokenise(answer.lower())
    return "-1" if "no" in tokens or "not" in tokens else "1"


def ucmerced_right(gt: str, answer: str) -> bool:
    """9.4, UCMerced: the label is contained."""
    # Open: with case kept.
    return gt in answer


def svt_share(words: Sequence[str], answer: str) -> float:
    """9.6, SVT_OCR: the share of gold words among the tokens of the quoted sentence."""
    tokens = quoted_sentence(answer).lower().split()
    return sum(word.lower() in tokens for word in words) / len(words)
