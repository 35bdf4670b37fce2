"""Is the coarse class of the thing in the image named?"""

from __future__ import annotations

from typing import Any

from chef.extraction import POLICY, evidence
from chef.extraction.names import mentioned_labels
from chef.extraction.text import strip_reasoning
from chef.metric.base import BaseMetric
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


class CGClassification(BaseMetric):
    """Coarse-grained classification: the class itself, and any noun for it.

    Figures, in %:
        ``ACC``: answers that name the class (whole words, singular or plural, in any case, not
        negated), or choose it by its score.
        ``SYN_ACC``: that name it by a synonym too. WordNet is a download of its own, so synonyms
        come from a table for the labels of CIFAR10 and VOC2012
        (`chef.metric.classification.synonyms`).
        ``match_ratio``: that name any of the sample's ``choices``.

    As in ChEF, an answer that names several classes is right if one of them is.
    """

    primary = "ACC"
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0, ``synonym_result`` too; ``parsed`` the classes named."""
        choice = scored_choice(record)
        if choice is not None:
            right = required_choices(record)
            verdict = scored_entry(by_score(choice, record), right=choice in right)
            return {**verdict, "synonym_result": verdict["metric_result"]}
        label = true_label(record)
        labels = names(record, "choices") or [label]
        text = strip_reasoning(answer_text(record))
        meant = recognised(text, labels)
        return {
            "metric_result": float(label in mentioned_labels(text, [*labels, *DECOYS])),
            "synonym_result": float(label in meant),
            "parsed": meant or None,
            "evidence": evidence("class named", ", ".join(meant)),
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            **accuracy(answers),
            "SYN_ACC": share_of(answers, "synonym_result"),
        }


def true_label(record: dict[str, Any]) -> str:
    """The first of ``gt_answers``, as text.

    Raises:
        MissingTruthError: there is none.
    """
    return required_references(record, "class in gt_answers")[0]
