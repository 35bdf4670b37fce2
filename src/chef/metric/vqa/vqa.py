"""Multiple-choice questions about images: ScienceQA, SEEDBench."""

from __future__ import annotations

from typing import Any

from chef.extraction.text import POLICY
from chef.metric.base import Metric
from chef.metric.vqa.accuracy import accuracy
from chef.metric.vqa.choice import score_choice


class VQA(Metric):
    """Share of correct options.

    Metrics:
        ``ACC``: correct options, in % of all scored; unparsed answers are not correct.
        ``match_ratio``: answers that could be read, in % of all scored.

    Args:
        dataset_name: the name of the scenario.
        content_only: match only the words of the options, never their letters.
    """

    primary = "ACC"
    chance_for = ("ACC",)
    policy = POLICY

    def __init__(self, dataset_name: str = "", *, content_only: bool = False) -> None:
        super().__init__(dataset_name)
        self.content_only = content_only

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option; ``match`` is ``option`` or ``content``."""
        return score_choice(record, content_only=self.content_only)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return accuracy(answers)
