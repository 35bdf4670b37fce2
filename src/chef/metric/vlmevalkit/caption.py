"""Captions by VLMEvalKit's own rules: BLEU and ROUGE-L as the COCO caption toolkit has them.

Texts are taken as they are: words are what stands between blanks, with case and punctuation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from chef.metric.caption import caption
from chef.metric.caption.caption import mean_percentage
from chef.metric.caption.cider import cider_d
from chef.metric.records import answer_text, required_references, scored_entry
from chef.metric.vlmevalkit.failures import FailuresAreAnswers
from chef.reading.text import Reading
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import mean

Record = dict[str, Any]

ORDERS = (1, 2, 3, 4)
#: The toolkit adds these to hits and totals, so that a precision of 0 gives a value close to 0.
_TINY, _SMALL = 1e-15, 1e-9
#: How much more recall weighs than precision in ROUGE-L.
_BETA = 1.2


class Caption(FailuresAreAnswers, caption.Caption):
    """``Bleu_1`` to ``Bleu_4``, ``ROUGE_L`` and ``CIDEr`` of texts as they are, times 100.

    Words are not tokenised: "dog." is not "dog", and "Dog" is not "dog". The scorers are those of
    the COCO caption toolkit; BLEU has no interval. A chain of thought is part of the caption.
    """

    policy = "VLMEvalKit raw words"

    def score_text(self, record: Record) -> dict[str, Any]:
        """The findings about a caption as it was written: ``rouge_l``, in 0..1."""
        references = required_references(record, "references in gt_answers")
        text = answer_text(record)
        found: Reading[str] = Reading(text, "text", text)
        rouge = rouge_l(text, references)
        return {**scored_entry(found, right=False), "metric_result": rouge, "rouge_l": rouge}

    def text_metrics(self, answers: list[Record]) -> dict[str, Estimate]:
        texts = [str(answer["parsed"]) for answer in answers]
        references = [required_references(answer) for answer in answers]
        bleu = corpus_bleu(texts, references) if texts else [None] * len(ORDERS)
        words = [[item.split() for item in targets] for targets in references]
        cider = undefined(n=len(answers))
        if texts:
            scores = cider_d([text.split() for text in texts], words)
            cider = mean(scores, clusters_of(answers), least=0)
        return {
            **{
                f"Bleu_{order}": Estimate(
                    None if value is None else 100 * value, len(texts), unit="0-100"
                )
                for order, value in zip(ORDERS, bleu, strict=True)
            },
            "ROUGE_L": mean_percentage(answers, "rouge_l"),
            "CIDEr": cider.scaled(100.0, "0-1000"),
        }


def corpus_bleu(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """BLEU-1 to BLEU-4 over a corpus, in 0..1.

    The reference nearest in length counts for the brevity penalty, of two the shorter one (Papineni
    et al. 2002).

    >>> [round(value, 3) for value in corpus_bleu(["a red dog"], [["a red cat", "a dog"]])]
    [1.0, 0.707, 0.0, 0.0]
    """
    hits, totals = [0.0] * 4, [0.0] * 4
    length = nearest = 0
    for candidate, targets in zip(candidates, references, strict=True):
        words, others = candidate.split(), [target.split() for target in targets]
        length += len(words)
        nearest += min((abs(len(other) - len(words)), len(other)) for other in others)[1]
        for place, order in enumerate(ORDERS):
            hits[place] += _matches(words, others, order)
            totals[place] += max(0, len(words) - order + 1)
    product, found = 1.0, []
    for place, order in enumerate(ORDERS):
        product *= (hits[place] + _TINY) / (totals[place] + _SMALL)
        found.append(product ** (1 / order))
    ratio = (length + _TINY) / (nearest + _SMALL)
    brevity = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
    return [value * brevity for value in found]


def rouge_l(candidate: str, references: Sequence[str]) -> float:
    """ROUGE-L with the best precision and the best recall over the references, in 0..1.

    Words are separated by single spaces. Source: Lin 2004, with beta 1.2.

    >>> round(rouge_l("a red dog", ["a dog", "the red dog"]), 3)
    0.83
    """
    words = candidate.split(" ")
    precisions, recalls = [], []
    for reference in references:
        others = reference.split(" ")
        common = _longest(words, others)
        precisions.append(common / len(words))
        recalls.append(common / len(others))
    precision, recall = max(precisions), max(recalls)
    if not precision or not recall:
        return 0.0
    return (1 + _BETA**2) * precision * recall / (recall + _BETA**2 * precision)


def _matches(words: Sequence[str], references: Sequence[Sequence[str]], order: int) -> int:
    """The n-grams of a caption, each as often as in the reference that has it most often."""
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= _grams(reference, order)
    return (_grams(words, order) & most).total()


def _grams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def _longest(one: Sequence[str], two: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(two) + 1)
    for word in one:
        previous = 0
        for column, other in enumerate(two, 1):
            kept = row[column]
            row[column] = previous + 1 if word == other else max(row[column], row[column - 1])
            previous = kept
    return row[-1]
