"""Captions (sections 9.4 and 15)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from nltk.translate.bleu_score import sentence_bleu

from upstream_rules.text import quoted_sentence


def caption_candidates(answer: str) -> list[str]:
    """9.4: the raw answer, its quoted sentence, and the pieces of that between full stops."""
    # Open: "its" pieces are those of the quoted sentence; they keep their spaces, and empty
    # ones stay.
    quoted = quoted_sentence(answer)
    return [answer, quoted, *quoted.split(".")]


def caption_bleu4(answer: str, references: Sequence[str]) -> float:
    """9.4: the best sentence-BLEU of a candidate, 0 to 1; references lose their full stops."""
    # Open: words are split at white space, on both sides.
    if not answer:
        return 0.0
    wanted = [reference.replace(".", "").split() for reference in references]
    scores = []
    with warnings.catch_warnings():
        # Unsmoothed BLEU warns where no run of four words is shared: that is its nature.
        warnings.simplefilter("ignore")
        for candidate in caption_candidates(answer):
            words = candidate.split()
            scores.append(float(sentence_bleu(wanted, words)) if words else 0.0)
    return max(scores)


def common_words(first: Sequence[str], second: Sequence[str]) -> set[str]:
    """The words of a longest common subsequence; where two paths tie, shorten the second."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, word in enumerate(first):
        for j, other in enumerate(second):
            if word == other:
                lengths[i + 1][j + 1] = lengths[i][j] + 1
            else:
                lengths[i + 1][j + 1] = max(lengths[i][j + 1], lengths[i + 1][j])
    found = set()
    i, j = len(first), len(second)
    while i and j:
        if first[i - 1] == second[j - 1]:
            found.add(first[i - 1])
            i, j = i - 1, j - 1
        elif lengths[i - 1][j] > lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def sentences(text: str) -> list[list[str]]:
    """15: the words of each sentence; an empty piece is no sentence, one of spaces is."""
    return [" ".join(piece.split()).split(" ") for piece in text.split(".") if piece]


def rouge_l(candidate: str, reference: str) -> float:
    """15: the `f` of rouge-l as the package rouge 1.0.1 gives it, over sets of words."""
    said, wanted = sentences(candidate), sentences(reference)
    if not said or not wanted:
        return 0.0
    shared: set[str] = set()
    for sentence in wanted:
        for words in said:
            shared |= common_words(sentence, words)
    recall = len(shared) / len({word for sentence in wanted for word in sentence})
    precision = len(shared) / len({word for sentence in said for word in sentence})
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


def caption_rouge(answer: str, references: Sequence[str]) -> float:
    """9.4 and 15: the best over candidates and references, 0 to 1."""
    # Open: references keep their full stops here (nothing hangs on a final one).
    if not answer:
        return 0.0
    return max(
        rouge_l(candidate, reference)
        for candidate in caption_candidates(answer)
        for reference in references
    )


def caption_acc(answer: str, captions: Sequence[str]) -> bool:
    """9.4 and 15: any of the image's own captions is right."""
    return answer in captions


def caption_top_acc(scores: Sequence[float]) -> float:
    """9.4: the share of the better half of the options whose index is in the first half.

    Larger scores are better (D02).
    """
    half = len(scores) // 2
    # Open: of equal scores the earlier option is the better; an odd number of options rounds
    # the half down, and "index < n/2" is compared with the unrounded half.
    best = sorted(range(len(scores)), key=lambda place: -scores[place])[:half]
    return sum(place < len(scores) / 2 for place in best) / half
