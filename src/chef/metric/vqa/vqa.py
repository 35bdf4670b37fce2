"""Multiple-choice questions about images: ScienceQA, SEEDBench."""

from __future__ import annotations

from typing import Any

from chef.extraction import POLICY
from chef.metric.base import BaseMetric
from chef.metric.vqa.accuracy import accuracy
from chef.metric.vqa.choice import score_choice


class VQA(BaseMetric):
    """Share of right options.

    Figures:
        ``ACC``: right options, in % of all scored; unparsed answers are not right.
        ``match_ratio``: answers that could be read, in % of all scored.

    Args:
        dataset_name: of the scenario.
        content_only: read texts by the words of the options, never by letters.
    """

    primary = "ACC"
    policy = POLICY

    def __init__(self, dataset_name: str = "", *, content_only: bool = False) -> None:
        super().__init__(dataset_name)
        self.content_only = content_only

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option; ``match`` how it was read: option, content."""
        return score_choice(record, content_only=self.content_only)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return accuracy(answers)
