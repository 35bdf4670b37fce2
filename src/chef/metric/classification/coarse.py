"""Coarse-grained classification: does the answer mention the class of the image?"""

from __future__ import annotations

from typing import Any

from chef.metric.base import Metric
from chef.metric.classification.synonyms import DECOYS, recognised
from chef.metric.records import (
    answer_text,
    by_score,
    names,
    required_choices,
    required_references,
    scored_choice,
    scored_entry,
)
from chef.metric.vqa.accuracy import accuracy, share_of
from chef.reading.names import mentioned_labels
from chef.reading.text import POLICY, evidence, strip_reasoning


class CGClassification(Metric):
    """Coarse-grained classification, by the name of the class and by its synonyms.

    Metrics, in %:
        ``ACC``: answers that mention the class (as whole words, singular or plural, in any case,
        not negated), or choose it by its score.
        ``SYN_ACC``, of written answers: those that mention it or a synonym. The synonyms come from
        a table for the labels of CIFAR10 and VOC2012 (`chef.metric.classification.synonyms`),
        because WordNet must be downloaded separately.
        ``match_ratio``: answers that mention any of the sample's ``choices``.

    As in ChEF, an answer that mentions several classes is correct if one of them is.
    """

    primary = "ACC"
    mean_figure = "ACC"
    chance_for = ("ACC",)
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` and ``synonym_result`` are 1 or 0; ``parsed`` lists the classes."""
        choice = scored_choice(record)
        if choice is not None:
            right = required_choices(record)
            entry = scored_entry(by_score(choice, record), right=choice in right)
            return {**entry, "synonym_result": entry["metric_result"]}
        label = true_label(record)
        labels = names(record, "choices") or [label]
        text = strip_reasoning(answer_text(record))
        found = recognised(text, labels)
        return {
            "metric_result": float(label in mentioned_labels(text, [*labels, *DECOYS])),
            "synonym_result": float(label in found),
            "parsed": found or None,
            "evidence": evidence("class named", ", ".join(found)),
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        values = accuracy(answers)
        if answers and all(answer.get("choice") is not None for answer in answers):
            return values
        return {**values, "SYN_ACC": share_of(answers, "synonym_result")}


def true_label(record: dict[str, Any]) -> str:
    """The first of ``gt_answers``, as text.

    Raises:
        MissingTruthError: there is none.
    """
    return required_references(record, "class in gt_answers")[0]
