"""AMBER: yes/no questions about objects, their attributes and their relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chef.metric.records import cluster
from chef.metric.statistics import bootstrap
from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.yesno import YesNo
from chef.stats.estimate import Estimate, undefined

if TYPE_CHECKING:
    from chef.metric.statistics import Array

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
    """The mean of the accuracies, in %; images are resampled with all their questions."""
    if not parts:
        return undefined("%")
    count = len(parts)
    rows: dict[str, list[float]] = {}
    for place, part in enumerate(parts.values()):
        for answer in part:
            row = rows.setdefault(cluster(answer), [0.0] * 2 * count)
            row[place] += answer["metric_result"]
            row[count + place] += 1

    def mean(weights: Array, table: Array) -> Array:
        import numpy as np

        sums = weights @ table
        tops, bottoms = sums[:, :count], sums[:, count:]
        shares = np.where(bottoms > 0, tops / np.maximum(bottoms, 1.0), np.nan)
        values: Array = 100.0 * shares.mean(axis=1)
        return values

    estimate = bootstrap(list(rows.values()), mean, unit="%")
    return replace(estimate, n=sum(map(len, parts.values())))
