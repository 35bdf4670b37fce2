"""Captions with their tokens by hand, and BLEU, ROUGE-L and CIDEr as their papers state them.

BLEU: Papineni et al. 2002, over the corpus. ROUGE-L: Lin 2004, with beta 1.2, and the best
precision and the best recall of any reference. CIDEr: Vedantam et al. 2015, the form CIDEr-D
(clipped, with the Gaussian of the difference in length, sigma 6, times 10) with the document
frequencies of the references. These are what the COCO caption toolkit reports.
"""

import math
from collections import Counter
from collections.abc import Sequence

Tokens = list[str]

# A prediction and its references; then the same as the COCO toolkit tokenises them.
CAPTIONS = [
    (
        "A dog runs on the grass.",
        ["a dog runs on the green grass", "The dog is running, fast."],
        "a dog runs on the grass",
        ["a dog runs on the green grass", "the dog is running fast"],
    ),
    (
        "Two men play soccer",
        ["Two men play soccer.", "A man's ball; two players!"],
        "two men play soccer",
        ["two men play soccer", "a man 's ball two players"],
    ),
    (
        "a red car parked on a street",
        ["A red car parked on the street", "a car - red - parked"],
        "a red car parked on a street",
        ["a red car parked on the street", "a car red parked"],
    ),
    (
        "It doesn't matter, a cat sleeps",
        ["A cat sleeps on the bed", "the cat doesn't wake"],
        "it does n't matter a cat sleeps",
        ["a cat sleeps on the bed", "the cat does n't wake"],
    ),
    (
        "birds",
        ["Birds fly over the sea.", "many birds over water"],
        "birds",
        ["birds fly over the sea", "many birds over water"],
    ),
]


def _grams(tokens: Tokens, size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1))


def bleu(candidates: Sequence[Tokens], references: Sequence[list[Tokens]], order: int) -> float:
    """The geometric mean of clipped precisions, times the brevity penalty; 0..1."""
    logs = 0.0
    for size in range(1, order + 1):
        right = total = 0
        for candidate, texts in zip(candidates, references, strict=True):
            counts = _grams(candidate, size)
            most = {gram: max(_grams(text, size)[gram] for text in texts) for gram in counts}
            right += sum(min(count, most[gram]) for gram, count in counts.items())
            total += sum(counts.values())
        logs += math.log(right / total)
    length = sum(map(len, candidates))
    nearest = sum(
        min((abs(len(text) - len(candidate)), len(text)) for text in texts)[1]
        for candidate, texts in zip(candidates, references, strict=True)
    )
    return min(1.0, math.exp(1 - nearest / length)) * math.exp(logs / order)


def _common(first: Tokens, second: Tokens) -> int:
    """The length of the longest common subsequence."""
    if not first or not second:
        return 0
    if first[-1] == second[-1]:
        return 1 + _common(first[:-1], second[:-1])
    return max(_common(first[:-1], second), _common(first, second[:-1]))


def rouge_l(candidates: Sequence[Tokens], references: Sequence[list[Tokens]]) -> float:
    """The mean over the corpus; 0..1."""
    scores = []
    for candidate, texts in zip(candidates, references, strict=True):
        precision = max(_common(candidate, text) / len(candidate) for text in texts)
        recall = max(_common(candidate, text) / len(text) for text in texts)
        found = precision > 0 and recall > 0
        scores.append(
            (1 + 1.2**2) * precision * recall / (recall + 1.2**2 * precision) if found else 0.0
        )
    return sum(scores) / len(scores)


def cider(candidates: Sequence[Tokens], references: Sequence[list[Tokens]]) -> float:
    """The mean over the corpus; 0..10."""
    return sum(
        10 * sum(_cider_of_order(candidate, texts, references, size) for size in (1, 2, 3, 4)) / 4
        for candidate, texts in zip(candidates, references, strict=True)
    ) / len(candidates)


def _cider_of_order(
    candidate: Tokens, texts: list[Tokens], corpus: Sequence[list[Tokens]], size: int
) -> float:
    def vector(tokens: Tokens) -> dict[tuple[str, ...], float]:
        return {gram: count * weight(gram) for gram, count in _grams(tokens, size).items()}

    def weight(gram: tuple[str, ...]) -> float:
        holders = sum(any(gram in _grams(text, size) for text in image) for image in corpus)
        return math.log(len(corpus) / max(1, holders))

    total = 0.0
    ours = vector(candidate)
    for text in texts:
        theirs = vector(text)
        norms = math.hypot(*ours.values()) * math.hypot(*theirs.values())
        product = sum(
            min(value, theirs.get(gram, 0.0)) * theirs.get(gram, 0.0)
            for gram, value in ours.items()
        )
        near = math.exp(-((len(candidate) - len(text)) ** 2) / (2 * 6**2))
        total += near * product / norms if norms else 0.0
    return total / len(texts)
