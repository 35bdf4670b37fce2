"""Does the answer name the class? LAMM's metrics for classes, one figure each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from chef.extraction import POLICY, evidence
from chef.extraction.text import strip_reasoning
from chef.metric.base import BaseMetric
from chef.metric.classification.coarse import true_label
from chef.metric.classification.synonyms import recognised
from chef.metric.records import answer_text, names
from chef.metric.vqa.accuracy import share_of


class NamedClass(BaseMetric):
    """Share of answers that name the class, itself or by a synonym; the base of LAMM's metrics.

    Figures:
        ``ACC``: answers that name it, in ``unit``.

    Attributes:
        unit: ``0-1`` or ``%``.
        labels: what else the answer might name, so that the longest name wins.
    """

    primary = "ACC"
    policy = POLICY
    unit: ClassVar[Literal["0-1", "%"]] = "0-1"
    labels: ClassVar[Sequence[str]] = ()

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` the classes named, None without any."""
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
    """LAMM's CIFAR10: the class, or a noun for it, is in the answer.

    LAMM takes the nouns of the first sense in WordNet; here they come from a table
    (`chef.metric.classification.synonyms`), because WordNet is a download of its own.
    """


class UCMercedClassification(NamedClass):
    """UCMerced: the class of the land is in the answer, in one word or in several.

    Figures:
        ``ACC``: answers that name it, in %; the longest name wins among the classes.
    """

    unit = "%"
