"""LAMM's metrics for classes: does the answer mention the class?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from chef.metric.base import Metric
from chef.metric.classification.coarse import true_label
from chef.metric.classification.synonyms import recognised
from chef.metric.records import answer_text, names
from chef.metric.vqa.accuracy import share_of
from chef.reading.text import POLICY, evidence, strip_reasoning


class NamedClass(Metric):
    """Share of answers that mention the class or a synonym; the base class of LAMM's metrics.

    Metrics:
        ``ACC``: answers that mention it, in ``unit``.

    Attributes:
        unit: ``0-1`` or ``%``.
        labels: other labels that an answer may mention; the longest label that matches wins.
    """

    primary = "ACC"
    mean_figure = "ACC"
    chance_for = ("ACC",)
    policy = POLICY
    unit: ClassVar[Literal["0-1", "%"]] = "0-1"
    labels: ClassVar[Sequence[str]] = ()

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` lists the classes mentioned, None if none."""
        label = true_label(record)
        choices = dict.fromkeys([label, *names(record, "choices"), *self.labels])
        found = recognised(strip_reasoning(answer_text(record)), choices)
        return {
            "metric_result": float(label in found),
            "parsed": found or None,
            "evidence": evidence("class named", ", ".join(found)),
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"ACC": share_of(answers, "metric_result", self.unit)}


class LAMMClassification(NamedClass):
    """LAMM's CIFAR10: does the answer mention the class or a synonym?

    Metrics:
        ``ACC``: answers that mention it, 0 to 1.

    LAMM takes synonyms from the first sense in WordNet. Here they come from a table
    (`chef.metric.classification.synonyms`), because WordNet must be downloaded separately.
    """


class UCMercedClassification(NamedClass):
    """UCMerced: does the answer mention the class of land use, in one word or in several?

    Metrics:
        ``ACC``: answers that mention it, in %; the longest class name that matches wins.
    """

    unit = "%"
