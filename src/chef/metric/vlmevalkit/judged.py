"""Answers that a judge scores, by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.judged import accuracy, grade, mmvet
from chef.metric.judged.base import mean_score
from chef.metric.vlmevalkit.judging import UnreadIsWrong


class JudgedAccuracy(UnreadIsWrong, accuracy.JudgedAccuracy):
    """As with chef's rules; an answer is wrong where none of three replies can be read."""

    judge_kinds = accuracy.JudgedAccuracy.judge_kinds


class JudgedGrade(UnreadIsWrong, grade.JudgedGrade):
    """The grade is the whole reply of the judge; it is 0 where none of five can be read."""

    judge_kinds = ("vlmevalkit_grade",)


class MMVet(JudgedGrade, mmvet.MMVet):
    """The grades of `JudgedGrade` with these rules.

    Metrics, in %: ``Overall``, and the mean of each capability by its name.
    """

    primary = "Overall"

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**self.group_metrics(answers), **mmvet.capabilities(answers)}

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return {"Overall": mean_score(answers)}
