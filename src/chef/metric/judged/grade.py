"""Grades with partial credit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from chef.metric.judged.base import JudgedMetric, judged_entry, mean_score
from chef.metric.verdicts import Verdict


class JudgedGrade(JudgedMetric):
    """Mean of the grades that a judge gives, with partial credit for what an answer gets right.

    Metrics:
        ``grade``: the mean over all judged answers, in %; of several judges, of their means.
    """

    primary = "grade"
    judge_kinds: ClassVar[Sequence[str]] = ("grade",)
    needs_reference = True

    def findings(self, said: Verdict) -> dict[str, Any]:
        """``metric_result`` and ``parsed`` are the grade, in 0..1."""
        return judged_entry(said, said.value, said.value)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"grade": mean_score(answers)}
