"""Multiple choice as LAMM reports it."""

from __future__ import annotations

from typing import Any

from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.vqa import VQA


class LammVQA(VQA):
    """Share of correct options, from 0 to 1.

    Metrics:
        ``vision_acc``: correct options over all scored.
    """

    primary = "vision_acc"
    mean_figure = "vision_acc"
    chance_for = ("vision_acc",)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"vision_acc": share_of(answers, "metric_result", "0-1")}
