"""CIDEr-D: the agreement of a caption with several reference captions.

Source: Vedantam, Zitnick and Parikh 2015, "CIDEr: Consensus-based Image Description Evaluation",
sections 4 and 5. Implemented from the paper, because the packages that provide it depend on Java.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Tokens: TypeAlias = Sequence[str]
Gram: TypeAlias = tuple[str, ...]

#: The lengths of n-grams; each has the same weight.
ORDERS = (1, 2, 3, 4)
#: Width, in words, of the Gaussian penalty for a difference in length from the reference.
SIGMA = 6.0


def cider_d(candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> list[float]:
    """CIDEr-D of each candidate.

    Document frequencies of n-grams come from the references of all images that are scored together.
    Counts are not divided by the length of the caption, as in the scores that are commonly
    published.

    Args:
        candidates: ``n`` captions as tokens.
        references: ``n`` non-empty lists of references as tokens.

    Returns:
        ``n`` scores in 0..10. With a single image all are 0, because each of its n-grams occurs in
        every image.

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


@dataclass(frozen=True, slots=True)
class _Vector:
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
