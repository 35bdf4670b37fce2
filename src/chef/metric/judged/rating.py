"""Ratings by a rubric."""

from __future__ import annotations

from typing import Any

from chef.metric.judged.base import JudgedMetric, judged_entry
from chef.metric.verdicts import Verdict
from chef.stats.clusters import clusters_of
from chef.stats.figures import mean


class JudgedRating(JudgedMetric):
    """Mean of the ratings that a judge gives by a rubric, from 1 to 10.

    Source: Zheng et al. 2023, "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena" (single
    answer grading).

    Metrics:
        ``rating``: the mean over all judged answers, in points; of several judges, of their means.
    """

    primary = "rating"
    judge_kinds = ("rating",)

    def findings(self, said: Verdict) -> dict[str, Any]:
        """``metric_result`` and ``parsed`` are the rating, in 1..10."""
        return judged_entry(said, said.value, said.value)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "rating": mean(
                [answer["metric_result"] for answer in answers],
                clusters_of(answers),
                "points",
                least=1,
                most=10,
            )
        }
