"""Figures of several sampled answers to each question: pass@k, the majority's answer, the mean."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from chef.frozen import Frozen
from chef.stats.estimate import Estimate
from chef.stats.figures import share


class Sampling(Frozen):
    """The sampled answers to one question: whether each scored one is right, and what was read."""

    right: Sequence[bool]
    said: Sequence[Hashable | None]


def pass_at_k(n: int, right: int, k: int) -> float:
    """The chance that at least one of k answers, drawn from n without replacement, is right.

    It is the unbiased estimator ``1 - C(n - c, k) / C(n, k)`` of Chen et al. 2021, "Evaluating
    Large Language Models Trained on Code", with c = ``right``.

    >>> pass_at_k(4, 1, 2), pass_at_k(4, 3, 2)
    (0.5, 1.0)
    """
    return 1.0 - math.comb(n - right, k) / math.comb(n, k)


def majority_is_right(sampling: Sampling) -> float:
    """How likely the answer that was said most often is right, 0-1; of a tie, each is as likely.

    Wang et al. 2023, "Self-Consistency Improves Chain of Thought Reasoning in Language Models".
    Answers that could not be read have no vote. The order of the answers does not count: of a tie
    of m, taking the one that came first is right with the same chance, and says less.

    >>> majority_is_right(Sampling([False, True, True], ["B", "A", "A"]))
    1.0
    >>> majority_is_right(Sampling([False, True], ["B", "A"]))
    0.5
    """
    votes = Counter(value for value in sampling.said if value is not None)
    if not votes:
        return 0.0
    most = max(votes.values())
    winners = [value for value, count in votes.items() if count == most]
    return sum(sampling.right[sampling.said.index(value)] for value in winners) / len(winners)


def question_scores(questions: Sequence[Sampling], samples: int) -> dict[str, dict[int, float]]:
    """The scores, 0 to 1, of which figures of several answers to each question are the means.

    By figure, those of the questions in it by place: ``mean@K``, ``majority@K``, and ``pass@k`` for
    k = 2, 4, 8, ... and K, of questions with k scored answers. Each has one at least.
    """
    places = range(len(questions))
    means = {place: sum(questions[place].right) / len(questions[place].right) for place in places}
    scores = {f"mean@{samples}": means}
    for k in [*_powers(samples), samples]:
        rights = {place: questions[place].right for place in places}
        scores[f"pass@{k}"] = {
            place: pass_at_k(len(right), sum(right), k)
            for place, right in rights.items()
            if len(right) >= k
        }
    votes = {place: majority_is_right(questions[place]) for place in places}
    return {**scores, f"majority@{samples}": votes}


def sampled_figures(
    questions: Sequence[Sampling], clusters: Sequence[Hashable], samples: int
) -> Mapping[str, Estimate]:
    """The means of `question_scores` over the questions, in %."""
    return {
        figure: share(list(scores.values()), [clusters[place] for place in scores])
        for figure, scores in question_scores(questions, samples).items()
    }


def _powers(samples: int) -> list[int]:
    """2, 4, 8, ... below the number of samples."""
    return [1 << power for power in range(1, samples.bit_length()) if 1 << power < samples]
