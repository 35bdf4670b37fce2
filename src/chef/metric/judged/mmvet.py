"""MM-Vet: grades by the capabilities that a question needs."""

from __future__ import annotations

import re
from typing import Any

from chef.metric.judged.base import mean_score
from chef.metric.judged.grade import JudgedGrade
from chef.stats.estimate import Estimate

Record = dict[str, Any]

#: What separates the capabilities in the field ``category``, which may also be a list.
_BETWEEN = re.compile(r"[,;_+\[\]'\"]+")


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
