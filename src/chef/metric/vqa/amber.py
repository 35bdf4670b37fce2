"""AMBER: yes/no questions about objects, their attributes and their relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.yesno import YesNo
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import of_sums

if TYPE_CHECKING:
    from chef.stats.influence import Array

Record = dict[str, Any]

#: What the names of AMBER's categories contain, and the kind of question that they are.
KINDS: Mapping[str, str] = {
    "attribute": "Attribute",
    "relation": "Relation",
    "hallucination": "Existence",
    "existence": "Existence",
}


class Amber(YesNo):
    """Accuracy of the questions about existence, attributes and relations.

    Source: Wang et al. 2023, "AMBER: An LLM-free Multi-dimensional Benchmark for MLLMs
    Hallucination Evaluation", its discriminative part.

    Metrics, in %:
        ``Avg ACC``: the mean of the accuracies of the kinds of questions that occur.
        ``Attribute``, ``Existence``, ``Relation``: right answers over all scored, of the
        categories whose names contain "attribute", "hallucination" or "existence", and "relation".
        ``Accuracy``: right answers over all scored. ``match_ratio``: answers that could be read.
    """

    primary = "Avg ACC"
    chance_for: Sequence[str] = ("Avg ACC", "Accuracy", "Attribute", "Existence", "Relation")

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        read = [{**answer, "read": answer["parsed"] is not None} for answer in answers]
        return {
            **self.kinds(answers),
            "Accuracy": share_of(answers, "metric_result"),
            "match_ratio": share_of(read, "read"),
        }

    def kinds(self, answers: list[Record]) -> dict[str, Estimate]:
        """``Avg ACC``, and the accuracy of each kind of question that occurs."""
        parts = by_kind(answers)
        return {
            "Avg ACC": _mean(parts),
            **{name: share_of(part, "metric_result") for name, part in sorted(parts.items())},
        }


def by_kind(answers: list[Record]) -> dict[str, list[Record]]:
    """The answers by the kind of their question; another category is a kind of its own."""
    parts: dict[str, list[Record]] = {}
    for answer in answers:
        category = str(answer.get("category") or "other")
        kind = next((kind for part, kind in KINDS.items() if part in category.lower()), category)
        parts.setdefault(kind, []).append(answer)
    return parts


def _mean(parts: Mapping[str, list[Record]]) -> Estimate:
    """The mean of the accuracies, in %."""
    if not parts:
        return undefined("%")
    rows: list[list[float]] = []
    for place, part in enumerate(parts.values()):
        for answer in part:
            row = [0.0] * 2 * len(parts)
            row[2 * place : 2 * place + 2] = [answer["metric_result"], 1.0]
            rows.append(row)

    def mean(sums: Array) -> Array:
        import numpy as np

        known = np.where(sums[:, 1::2] > 0, sums[:, 1::2], np.nan)
        values: Array = 100.0 * (sums[:, ::2] / known).mean(axis=1)
        return values

    answers = [answer for part in parts.values() for answer in part]
    return of_sums(rows, mean, clusters_of(answers), "%", least=0, most=100)
