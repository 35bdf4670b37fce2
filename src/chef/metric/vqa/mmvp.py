"""MMVP: pairs of questions about two images that look alike to a vision encoder."""

from __future__ import annotations

from typing import Any

from chef.metric.vqa.accuracy import Accuracy
from chef.metric.vqa.blocks import InBlocks, all_right


class MMVP(InBlocks, Accuracy):
    """The share of pairs with both questions right.

    Source: Tong et al. 2024, "Eyes Wide Shut? Exploring the Visual Shortcomings of Multimodal
    LLMs".

    Metrics, in %:
        ``pair_acc``: pairs with both answers right, over the pairs with both scored.
        ``ACC``, ``match_ratio``: as of `Accuracy`, over the questions.
        ``incomplete_groups`` (a count): pairs of which one question was not scored.
    """

    primary = "pair_acc"
    chance_for = ("ACC",)
    size = 2

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        pairs, missing = self.blocks(answers)
        return {
            "pair_acc": self.share_of_blocks(all_right(pairs), answers),
            **super().metric_func(answers),
            "ACC": self.share_of_rows(answers),
            "incomplete_groups": missing,
        }
