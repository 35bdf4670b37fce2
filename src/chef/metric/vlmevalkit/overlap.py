"""BLEU and ROUGE-L as the COCO caption toolkit computes them, whose scorers VLMEvalKit uses.

Texts are taken as they are: words are what stands between blanks, with case and punctuation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

ORDERS = (1, 2, 3, 4)
#: The toolkit adds these to hits and totals, so that a precision of 0 gives a value close to 0.
_TINY, _SMALL = 1e-15, 1e-9
#: How much more recall weighs than precision in ROUGE-L.
_BETA = 1.2


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
