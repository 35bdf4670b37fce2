"""Coarse classes by ChEF's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.classification import coarse
from chef.metric.classification.coarse import true_label
from chef.metric.records import scored_choice
from chef.metric.upstream.choice import stored_text
from chef.metric.upstream.wordnet import classification_acc, require_wordnet
from chef.metric.vqa.accuracy import share_of
from chef.reading.rules.vqa_normal import chef_normal


class CGClassification(coarse.CGClassification):
    """Answers are normalised first (`chef_normal`), with their chain of thought.

    ``ACC``: the class is a word of the answer, even if negated; its plural does not count.
    ``SYN_ACC``: a word of the answer is a lemma of the class in WordNet (`classification_acc`),
    which needs NLTK's corpus. Scored options are taken by their indices; for the classes of CIFAR10
    this makes no difference.
    """

    policy = "ChEF words"

    def require(self, *, scored: bool | None) -> None:
        if not scored:
            require_wordnet()

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` and ``synonym_result`` are 1 or 0; the rest is as in the base class."""
        found = super().score_sample(record)
        if scored_choice(record) is not None:
            return found
        label, answer = true_label(record), chef_normal(stored_text(record))
        return {
            **found,
            "metric_result": float(label in answer.split()),
            "synonym_result": float(classification_acc(label, answer)),
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """ChEF reports ``SYN_ACC`` of scored options too."""
        synonyms = share_of(answers, "synonym_result")
        return {**super().metric_func(answers), "SYN_ACC": synonyms}
