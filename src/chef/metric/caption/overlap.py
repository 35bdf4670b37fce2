"""Captions and references: BLEU by sacrebleu, ROUGE-L by rouge_score, CIDEr-D and METEOR.

CIDEr-D is implemented from the paper, because the packages that provide it depend on Java.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

from chef.common.logs import logger
from chef.errors import DependencyError, RunError
from chef.frozen import Frozen
from chef.stats.arrays import Array, np
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import Clusters, of_sums

BLEU_ORDERS = (1, 2, 3, 4)
#: How much more recall weighs than precision in ROUGE-L.
BETA = 1.2
_SIDES = ("precision", "recall")


def rouge_l(
    candidate: Sequence[str], references: Sequence[Sequence[str]], *, may_be_empty: bool = False
) -> float:
    """ROUGE-L of the COCO caption server, in 0..1: beta is 1.2, and recall and precision are each
    the best over all references (Lin 2004; Chen et al. 2015, "Microsoft COCO Captions"). Words that
    are empty do not count unless they may be there.
    """
    text = " ".join(candidate)
    scorer = _rouge(" " if may_be_empty else None)
    found = [scorer.score(" ".join(item), text)["rougeL"] for item in references]
    precision, recall = (max(getattr(score, side) for score in found) for side in _SIDES)
    if not precision or not recall:
        return 0.0
    return float((1 + BETA**2) * precision * recall / (recall + BETA**2 * precision))


def bleu_counts(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """10 counts of a caption: matching n-grams for n = 1..4, all n-grams for n = 1..4, its length,
    and the length of the reference nearest in length, in words.
    """
    score = _bleu().sentence_score(" ".join(candidate), [" ".join(item) for item in references])
    return [*score.counts, *score.totals, score.sys_len, score.ref_len]


def sentence_bleu(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """BLEU-4 of one sentence, in 0..1, without smoothing: 0 unless some 4-gram matches.

    Source: Papineni et al. 2002; the brevity penalty uses the reference nearest in length.

    >>> round(sentence_bleu("a dog on a sofa".split(), ["a dog on a red sofa".split()]), 3)
    0.579
    """
    counts = bleu_counts(candidate, references)
    matches, totals, (length, reference_length) = counts[:4], counts[4:8], counts[8:]
    if min(matches) <= 0:
        return 0.0
    logs = [math.log(hits / total) for hits, total in zip(matches, totals, strict=True)]
    return math.exp(sum(logs) / len(logs) + min(0.0, 1 - reference_length / length))


def corpus_bleu(counts: Sequence[Sequence[float]], order: int, clusters: Clusters) -> Estimate:
    """BLEU up to ``order`` (1 to 4), 0 to 100, without smoothing, of ``(n, 10)`` `bleu_counts`, as
    sacrebleu computes it (Papineni et al. 2002): one precision of 0 makes the whole value 0.
    """

    def bleu(sums: Array) -> Array:
        matches, totals = sums[:, :order], sums[:, 4 : 4 + order]
        length, reference_length = sums[:, 8], sums[:, 9]
        some = matches.min(axis=1) > 0
        ratio = np.where(some[:, None], matches, 1.0) / np.maximum(totals, 1.0)
        brevity = np.minimum(0.0, 1.0 - reference_length / np.maximum(length, 1.0))
        score: Array = np.where(some, 100.0 * np.exp(np.log(ratio).mean(axis=1) + brevity), 0.0)
        return score

    rows = np.asarray(counts, dtype=np.float64).reshape(-1, 10)
    return of_sums(rows, bleu, clusters, "0-100", least=0, most=100)


class _Split:
    """A tokenizer for text that is already tokenized, with the interface of ``rouge_score``."""

    def __init__(self, blank: str | None) -> None:
        self._blank = blank

    def tokenize(self, text: str) -> list[str]:
        return text.split(self._blank)


@cache
def _rouge(blank: str | None) -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], tokenizer=_Split(blank))


@cache
def _bleu() -> Any:
    from sacrebleu.metrics import BLEU

    # Effective order does not change the counts of a sentence; it silences a warning.
    return BLEU(tokenize="none", smooth_method="none", effective_order=True, force=True)


Tokens: TypeAlias = Sequence[str]
Gram: TypeAlias = tuple[str, ...]

#: The lengths of n-grams; each has the same weight.
ORDERS = (1, 2, 3, 4)
#: Width, in words, of the Gaussian penalty for a difference in length from the reference.
SIGMA = 6.0


def cider_d(candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> list[float]:
    """CIDEr-D of each candidate, 0..10; of a single image 0, as each of its n-grams is in all.

    Document frequencies come from the references of all images that are scored together; counts are
    not divided by the length of the caption, as in the scores that are commonly published.

    >>> scores = cider_d([["a", "dog"], ["a", "cat"]], [[["a", "dog"]], [["a", "cat"]]])
    >>> round(scores[0], 9)  # captions of two words have n-grams of only two orders
    5.0
    """
    frequency = _document_frequency(references)
    log_images = math.log(len(references)) if references else 0.0
    scores = []
    for candidate, targets in zip(candidates, references, strict=True):
        vector = _vector(candidate, frequency, log_images)
        similar = [_similarity(vector, _vector(t, frequency, log_images)) for t in targets]
        # Rounding may lift a perfect match slightly above 10.
        scores.append(min(10.0, 10.0 * sum(similar) / len(similar)))
    return scores


class _Vector(Frozen):
    """A caption as TF-IDF weights, one mapping per order, with their norms."""

    weights: tuple[dict[Gram, float], ...]
    norms: tuple[float, ...]
    length: int


def _grams(tokens: Tokens, order: int) -> Counter[Gram]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def _document_frequency(references: Sequence[Sequence[Tokens]]) -> Counter[Gram]:
    """The number of images in whose references each n-gram occurs."""
    frequency: Counter[Gram] = Counter()
    for targets in references:
        frequency.update({gram for t in targets for order in ORDERS for gram in _grams(t, order)})
    return frequency


def _vector(tokens: Tokens, frequency: Counter[Gram], log_images: float) -> _Vector:
    weights = tuple(
        {
            # An n-gram that is in no reference is treated as if it were in one.
            gram: count * (log_images - math.log(max(1, frequency[gram])))
            for gram, count in _grams(tokens, order).items()
        }
        for order in ORDERS
    )
    norms = tuple(math.hypot(*order.values()) for order in weights)
    return _Vector(weights, norms, len(tokens))


def _similarity(candidate: _Vector, reference: _Vector) -> float:
    """The clipped cosine, averaged over orders, times the length penalty; in 0..1."""
    total = 0.0
    for mine, theirs, my_norm, their_norm in zip(
        candidate.weights, reference.weights, candidate.norms, reference.norms, strict=True
    ):
        if my_norm and their_norm:
            # Clipping: repeating a word more often than the reference gains nothing.
            dot = sum(
                min(w, theirs[gram]) * theirs[gram] for gram, w in mine.items() if gram in theirs
            )
            total += dot / (my_norm * their_norm)
    difference = candidate.length - reference.length
    return total / len(ORDERS) * math.exp(-(difference**2) / (2 * SIGMA**2))


_log = logger(__name__)


def meteor(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """METEOR 1.5 over all captions together (Denkowski and Lavie 2014), in 0..1.

    Texts are words separated by spaces; raises DependencyError without the package, RunError
    without Java.
    """
    try:
        from pycocoevalcap.meteor.meteor import Meteor
    except ImportError:
        raise DependencyError(
            "METEOR needs the package pycocoevalcap", hint="pip install pycocoevalcap, and Java"
        ) from None
    true = {place: list(texts) for place, texts in enumerate(references)}
    said = {place: [text] for place, text in enumerate(candidates)}
    try:
        score, _ = Meteor().compute_score(true, said)
    except (OSError, ValueError) as error:
        hint = "install Java, and try `java -version`"
        raise RunError(f"METEOR's Java program failed: {error}", hint=hint) from error
    return float(score)


def meteor_estimate(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> Estimate:
    """METEOR as 0 to 100, without an interval; no value where it cannot be had, and a line why."""
    if not candidates:
        return undefined("0-100")
    try:
        score = meteor(candidates, references)
    except RunError as error:
        _say_once(f"METEOR has no value: {error.what} -> {error.hint}")
        return undefined("0-100", n=len(candidates))
    return Estimate(100 * score, len(candidates), unit="0-100")


@cache
def _say_once(text: str) -> None:
    _log.warning("%s", text)
