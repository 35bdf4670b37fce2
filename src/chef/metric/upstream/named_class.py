"""LAMM's classes by its own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.classification import named_class
from chef.metric.classification.coarse import true_label
from chef.metric.upstream.choice import stored_text
from chef.metric.upstream.wordnet import names_first_sense, require_wordnet
from chef.reading.text import evidence


class LAMMClassification(named_class.LAMMClassification):
    """A word of the answer is the class or a name of its first sense (`names_first_sense`).

    Other classes in the answer do no harm. This needs NLTK's WordNet corpus.
    """

    policy = "LAMM words"

    def require(self, *, scored: bool | None) -> None:  # noqa: ARG002
        require_wordnet()

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` holds the class if it is found."""
        return first_sense_entry(record, true_label(record))


class UCMercedClassification(named_class.UCMercedClassification):
    """The letters of the class are in the answer, with the same case and spaces."""

    policy = "LAMM substrings"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` holds the class if it is found."""
        label = true_label(record)
        return class_entry(label, right=label in stored_text(record))


def first_sense_entry(record: dict[str, Any], label: str) -> dict[str, Any]:
    """The findings about an answer that `names_first_sense` reads."""
    return class_entry(label, right=names_first_sense(label, stored_text(record)))


def class_entry(label: str, *, right: bool) -> dict[str, Any]:
    """The findings about an answer in which only the correct class is looked for."""
    return {
        "metric_result": float(right),
        "parsed": [label] if right else [],
        "evidence": evidence("class named", label if right else ""),
    }
