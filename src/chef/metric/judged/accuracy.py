"""Accuracy as a judge reads the answers."""

from __future__ import annotations

from typing import Any

from chef.metric.vqa.accuracy import Accuracy, accuracy


class JudgedAccuracy(Accuracy):
    """Share of answers that a judge finds correct.

    Of a question with options the judge says which one the answer means; of another one whether the
    answer is equivalent to the reference. It reads every answer, also those that a rule could read.

    Metrics:
        ``ACC``: correct answers, in % of all judged.
        ``match_ratio``: answers that mean one of the options, or are not empty, in % of all judged.
    """

    needs_judge = True
    needs_options = False
    chance_for = ("ACC",)

    def reads(self, record: dict[str, Any]) -> bool:
        """False: a rule reads none."""
        del record
        return False

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return accuracy(answers)
