"""Ratings by a rubric, and preferences between two answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chef.metric.judged.base import JudgedMetric, judged_entry, mean_score
from chef.metric.verdicts import TIE, Verdict
from chef.metric.vqa.accuracy import share, share_of
from chef.stats.clusters import clusters_of
from chef.stats.figures import mean

WIN, LOSS = "win", "loss"


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


class JudgedPreference(JudgedMetric):
    """How often a judge prefers the answers to others: to those of another run, or the references.

    Each pair is judged in both orders, since judges tend to favour a place; an answer wins or loses
    only if both orders say so, otherwise it is a tie.

    Source: Zheng et al. 2023, "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena".

    Metrics, in % of all judged:
        ``win_rate``: wins and half of the ties. ``wins``, ``ties``, ``losses``: their shares.
        ``consistency``: pairs with the same verdict in both orders; of several judges, the mean.
    """

    primary = "win_rate"
    judge_kinds = ("preference",)

    def findings(self, said: Verdict) -> dict[str, Any]:
        """``metric_result`` is 1, 0.5 or 0; ``parsed`` is ``win``, ``tie`` or ``loss``."""
        name = "tie" if said.value == TIE else WIN if said.value > TIE else LOSS
        return {**judged_entry(said, said.value, name), "consistent": said.consistent}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        def of(name: str) -> list[bool]:
            return [answer["parsed"] == name for answer in answers]

        return {
            "win_rate": mean_score(answers),
            "wins": share(of(WIN), answers),
            "ties": replace(share(of("tie"), answers), higher_is_better=None),
            "losses": replace(share(of(LOSS), answers), higher_is_better=False),
            "consistency": share_of(answers, "consistent"),
        }
