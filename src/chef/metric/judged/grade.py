"""Grades with partial credit, and those of MM-Vet by capabilities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from chef.metric.judged.base import JudgedMetric, judged_entry, mean_score
from chef.metric.verdicts import Verdict
from chef.stats.estimate import Estimate

Record = dict[str, Any]

#: What separates the capabilities in the field ``category``, which may also be a list.
_BETWEEN = re.compile(r"[,;_+\[\]'\"]+")


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


class MMVet(JudgedGrade):
    """Mean of the grades that a judge gives, of all answers and of each capability.

    A question may need several capabilities, and counts for each of them.

    Source: Yu et al. 2023, "MM-Vet: Evaluating Large Multimodal Models for Integrated
    Capabilities".

    Metrics:
        ``grade``: the mean over all judged answers, in %; of several judges, of their means.
        ``capability/{name}``: the same of the questions that need it, by the field ``category``.
    """

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        found = self.group_metrics(answers)
        return {**found, "capability": capabilities(answers)}

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``grade`` of the group."""
        return super().metric_func(answers)


def capabilities(answers: list[Record]) -> dict[str, Estimate]:
    """The mean grade of each capability, in %, in alphabetical order."""
    needed = [set(names_of(answer)) for answer in answers]
    found = {}
    for name in sorted(set().union(*needed)):
        part = [answer for answer, needs in zip(answers, needed, strict=True) if name in needs]
        found[name] = mean_score(part)
    return found


def names_of(record: Record) -> list[str]:
    """The capabilities that a question needs.

    >>> names_of({"category": "ocr,math"}), names_of({"category": "['rec', 'know']"})
    (['ocr', 'math'], ['rec', 'know'])
    """
    parts = (part.strip() for part in _BETWEEN.split(str(record.get("category") or "")))
    return [part for part in parts if part]
