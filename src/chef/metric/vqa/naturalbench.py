"""NaturalBench: groups of two questions, each asked about two images with opposite answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.metric.vqa.accuracy import Accuracy, share
from chef.metric.vqa.blocks import Blocks, InBlocks, all_right

#: The places in a group of the two images of each question, and of the two questions on each image:
#: a group asks question 0 about images 0 and 1, then question 1.
_QUESTIONS, _IMAGES = ((0, 1), (2, 3)), ((0, 2), (1, 3))


class NaturalBench(InBlocks, Accuracy):
    """Accuracy of questions, of images and of groups of two questions about two images.

    Source: Li et al. 2024, "NaturalBench: Evaluating Vision-Language Models on Natural Adversarial
    Samples".

    Metrics, in %:
        ``Q_Acc``: questions right on both images. ``I_Acc``: images with both questions right.
        ``G_Acc``: groups with all four answers right. ``Acc``: right answers.
        ``match_ratio``: answers that could be read, over all scored.
        ``incomplete_groups`` (a count): groups without four scored answers; they count in ``Acc``
        and ``match_ratio`` alone.
    """

    primary = "G_Acc"
    chance_for = ("Acc",)
    size = 4

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        groups, missing = self.blocks(answers)
        return {
            **{
                name: self.share_of_blocks(hits, answers)
                for name, hits in group_scores(groups).items()
            },
            "Acc": self.share_of_rows(answers),
            "match_ratio": share([answer["parsed"] is not None for answer in answers], answers),
            "incomplete_groups": missing,
        }


def group_scores(groups: Blocks) -> dict[str, dict[str, float]]:
    """``Q_Acc``, ``I_Acc`` and ``G_Acc`` of each whole group, in 0..1.

    >>> group_scores({"0": [1, 1, 0, 1]})
    {'Q_Acc': {'0': 0.5}, 'I_Acc': {'0': 0.5}, 'G_Acc': {'0': 0.0}}
    """
    return {
        "Q_Acc": _pairs(groups, _QUESTIONS),
        "I_Acc": _pairs(groups, _IMAGES),
        "G_Acc": all_right(groups),
    }


def _pairs(groups: Blocks, places: Sequence[tuple[int, int]]) -> dict[str, float]:
    """The share of pairs of each group with both answers right."""
    return {
        name: sum(hits[first] == hits[second] == 1 for first, second in places) / len(places)
        for name, hits in groups.items()
    }
