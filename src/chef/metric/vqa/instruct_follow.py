"""Instruction following: accuracy when the options have other names."""

from __future__ import annotations

from typing import Any

from chef.metric.base import Metric
from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.choice import OPTION, choice_by_rule, choice_kind, score_choice
from chef.metric.vqa.mmbench import main_rows, question_of
from chef.reading.text import POLICY


class InstructFollow(Metric):
    """Accuracy on questions whose options are named by an ``option_map``, without rotations.

    Metrics:
        ``score``: correct options, in % of the main rows scored.
    """

    primary = "score"
    chance_for = ("score",)
    policy = POLICY
    judge_kinds = (OPTION,)

    def judge_kind(self, record: dict[str, Any]) -> str | None:
        """``option``, unless an option was chosen by its score."""
        return choice_kind(record)

    def rule_reading(self, record: dict[str, Any]) -> int | None:
        """The index of the option."""
        return choice_by_rule(record).value

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        return score_choice(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"score": share_of(self.first_rows(answers), "metric_result")}

    def scored_with(self, record: dict[str, Any]) -> str:
        """The question."""
        return question_of(record)

    def first_rows(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The row that stands for each question."""
        return main_rows(answers)
