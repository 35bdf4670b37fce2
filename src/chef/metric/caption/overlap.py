"""Word overlap of captions with references: BLEU and ROUGE-L, by the libraries that define them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from chef.metric.estimate import Estimate
from chef.metric.statistics import bootstrap

if TYPE_CHECKING:
    from chef.metric.statistics import Array

BLEU_ORDERS = (1, 2, 3, 4)


def rouge_l(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """ROUGE-L, the F1 of the longest common subsequence, best of the references, in 0..1.

    Source: Lin 2004, as implemented by ``rouge_score``. The COCO server weighs recall more
    (beta 1.2), so its figures differ a little.
    """
    score = _rouge().score_multi([" ".join(item) for item in references], " ".join(candidate))
    return float(score["rougeL"].fmeasure)


def bleu_counts(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """What corpus BLEU needs to know of one caption.

    Returns:
        10 counts: n-grams that match for n = 1..4, all n-grams for n = 1..4, the caption's length
        and that of the reference nearest to it in length, in words.
    """
    score = _bleu().sentence_score(" ".join(candidate), [" ".join(item) for item in references])
    return [*score.counts, *score.totals, score.sys_len, score.ref_len]


def sentence_bleu(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """BLEU-4 of one sentence, in 0..1, without smoothing: 0 unless four words in a row are found.

    Source: Papineni et al. 2002; the brevity penalty takes the reference nearest in length.

    >>> round(sentence_bleu("a dog on a sofa".split(), ["a dog on a red sofa".split()]), 3)
    0.579
    """
    counts = bleu_counts(candidate, references)
    matches, totals, (mine, theirs) = counts[:4], counts[4:8], counts[8:]
    if min(matches) <= 0:
        return 0.0
    logs = [math.log(hits / total) for hits, total in zip(matches, totals, strict=True)]
    return math.exp(sum(logs) / len(logs) + min(0.0, 1 - theirs / mine))


def corpus_bleu(counts: Sequence[Sequence[float]], order: int) -> Estimate:
    """BLEU up to ``order`` over a corpus, 0 to 100, without smoothing, with a bootstrap interval.

    Source: Papineni et al. 2002; the counts are sacrebleu's, and so is the value (nearest reference
    length, one precision of 0 makes the whole 0).

    Args:
        counts: ``(n, 10)``, rows of `bleu_counts`.
        order: 1 to 4.
    """
    import numpy as np

    def bleu(weights: Array, rows: Array) -> Array:
        sums = weights @ rows
        matches, totals = sums[:, :order], sums[:, 4 : 4 + order]
        mine, theirs = sums[:, 8], sums[:, 9]
        some = matches.min(axis=1) > 0
        ratio = np.where(some[:, None], matches, 1.0) / np.maximum(totals, 1.0)
        brevity = np.minimum(0.0, 1.0 - theirs / np.maximum(mine, 1.0))
        score: Array = np.where(some, 100.0 * np.exp(np.log(ratio).mean(axis=1) + brevity), 0.0)
        return score

    rows = np.asarray(counts, dtype=np.float64).reshape(-1, 10)
    return bootstrap(rows, bleu, unit="0-100")


class _Split:
    """A tokenizer for text that is tokens already, in the form ``rouge_score`` asks for."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


@cache
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], tokenizer=_Split())


@cache
def _bleu() -> Any:
    from sacrebleu.metrics import BLEU

    # Effective order changes the score of a sentence, not its counts, and silences a warning.
    return BLEU(tokenize="none", smooth_method="none", effective_order=True, force=True)
