"""Coarse classes by ChEF's own rules."""

from __future__ import annotations

from typing import Any

from chef.extraction.text import strip_reasoning
from chef.extraction.words import tokens
from chef.metric.classification import coarse
from chef.metric.classification.coarse import true_label
from chef.metric.records import answer_text, scored_choice
from chef.metric.upstream.wordnet import classification_acc


class CGClassification(coarse.CGClassification):
    """``ACC``: the class is a word of the answer, even if negated; its plural does not count.

    ``SYN_ACC``: a word of the answer is a lemma of the class in WordNet (`classification_acc`),
    which needs NLTK's corpus. Scored options are taken by their indices.
    """

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` and ``synonym_result`` are 1 or 0; the rest is as in the base class."""
        found = super().score_sample(record)
        if scored_choice(record) is not None:
            return found
        label, answer = true_label(record), answer_text(record)
        return {
            **found,
            "metric_result": float(label.lower() in tokens(strip_reasoning(answer))),
            "synonym_result": float(classification_acc(label, answer)),
        }
