"""Scores that judges give: accuracy, grades, ratings and preferences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from chef.metric.base import Estimate, Metric
from chef.metric.records import Record, UnjudgedError, references_of, required_references
from chef.metric.verdicts import TIE, Verdict, verdict
from chef.metric.vqa.accuracy import Accuracy, MeanMetric, accuracy, share, share_of, shares_of
from chef.reading.text import Reading
from chef.stats.clusters import clusters_of
from chef.stats.figures import mean

NO_JUDGE = "there is no judge"


class JudgedMetric(Metric):
    """A metric that scores written answers as judges read them; a subclass says which score."""

    needs_judge = True
    needs_options = False
    #: Whether the judge compares with a reference, so that samples without one are not scored.
    needs_reference: ClassVar[bool] = False

    def judge_kind(self, record: dict[str, Any]) -> str | None:
        """The kind; None for a sample that lacks the reference."""
        lacks = self.needs_reference and not references_of(record)
        return None if lacks else super().judge_kind(record)

    def findings(self, said: Verdict) -> dict[str, Any]:
        """``metric_result`` and ``parsed`` are what the judges read: a grade or a rating."""
        return judged_entry(said, said.value, said.value)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """The findings of `findings`; raises MissingTruthError or UnjudgedError."""
        if self.needs_reference:
            required_references(record)
        said = verdict(record)
        if said is None:
            raise UnjudgedError(NO_JUDGE, hint="name a judge with judge_cfg")
        return self.findings(said)


def judged_entry(said: Verdict, score: float, parsed: Any) -> dict[str, Any]:
    """The findings: ``metric_result, parsed, evidence``."""
    found: Reading[Any] = said.as_extraction(parsed)
    return {"metric_result": score, "parsed": parsed, "evidence": found.evidence()}


def mean_score(answers: list[dict[str, Any]]) -> Estimate:
    """The mean of ``metric_result``, which is in 0..1, in %, for metrics of users."""
    return share_of(answers, "metric_result")


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


#: What separates the capabilities in the field ``category``, which may also be a list.
_BETWEEN = re.compile(r"[,;_+\[\]'\"]+")


class JudgedGrade(MeanMetric, JudgedMetric):
    """Mean of the grades that a judge gives, with partial credit for what an answer gets right.

    Metrics:
        ``grade``: the mean over all judged answers, in %; of several judges, of their means.
    """

    primary = "grade"
    judge_kinds: ClassVar[Sequence[str]] = ("grade",)
    needs_reference = True


class MMVet(JudgedGrade):
    """Mean of the grades that a judge gives, of all answers and of each capability.

    A question may need several capabilities, and counts for each of them.

    Source: Yu et al. 2023, "MM-Vet: Evaluating Large Multimodal Models for Integrated
    Capabilities".

    Metrics:
        ``grade``: the mean over all judged answers, in %; of several judges, of their means.
        ``capability/{name}``: the same of the questions that need it, by the field ``category``.
    """

    group_figures = ("grade",)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return {**super().metric_func(answers), "capability": capabilities(answers)}


def capabilities(answers: list[Record]) -> dict[str, Estimate]:
    """The mean grade of each capability, in %, in alphabetical order."""
    return shares_of(answers, names_of)


def names_of(record: Record) -> list[str]:
    """The capabilities that a question needs.

    >>> names_of({"category": "ocr,math"}), names_of({"category": "['rec', 'know']"})
    (['ocr', 'math'], ['rec', 'know'])
    """
    parts = (part.strip() for part in _BETWEEN.split(str(record.get("category") or "")))
    return [part for part in parts if part]


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
            "win_rate": share_of(answers, "metric_result"),
            "wins": share(of(WIN), answers),
            "ties": replace(share(of("tie"), answers), higher_is_better=None),
            "losses": replace(share(of(LOSS), answers), higher_is_better=False),
            "consistency": share_of(answers, "consistent"),
        }
