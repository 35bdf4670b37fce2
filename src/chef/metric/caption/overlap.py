"""Word overlap of captions with references: BLEU by sacrebleu, ROUGE-L by rouge_score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from chef.stats.estimate import Estimate
from chef.stats.figures import Clusters, of_sums

if TYPE_CHECKING:
    from chef.stats.influence import Array

BLEU_ORDERS = (1, 2, 3, 4)
#: How much more recall weighs than precision in ROUGE-L.
BETA = 1.2
_SIDES = ("precision", "recall")


def rouge_l(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """ROUGE-L of the COCO caption server: the F-measure of longest common subsequences, in 0..1.

    Recall weighs more than precision (beta 1.2), and each is the best over all references.

    Source: Lin 2004; Chen et al. 2015, "Microsoft COCO Captions". The subsequences are those of
    ``rouge_score``.
    """
    text = " ".join(candidate)
    found = [_rouge().score(" ".join(item), text)["rougeL"] for item in references]
    precision, recall = (max(getattr(score, side) for score in found) for side in _SIDES)
    if not precision or not recall:
        return 0.0
    return float((1 + BETA**2) * precision * recall / (recall + BETA**2 * precision))


def bleu_counts(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """The counts of one caption that corpus BLEU needs.

    Returns:
        10 counts: matching n-grams for n = 1..4, all n-grams for n = 1..4, the length of the
        caption, and the length of the reference nearest in length, in words.
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
    """BLEU up to ``order`` over a corpus, 0 to 100, without smoothing.

    Source: Papineni et al. 2002; the counts and the value are those of sacrebleu: the nearest
    reference length counts, and one precision of 0 makes the whole value 0.

    Args:
        counts: ``(n, 10)``, rows of `bleu_counts`.
        order: 1 to 4.
        clusters: the cluster of each caption.
    """
    import numpy as np

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

    def tokenize(self, text: str) -> list[str]:
        return text.split()


@cache
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], tokenizer=_Split())


@cache
def _bleu() -> Any:
    from sacrebleu.metrics import BLEU

    # Effective order does not change the counts of a sentence; it silences a warning.
    return BLEU(tokenize="none", smooth_method="none", effective_order=True, force=True)
