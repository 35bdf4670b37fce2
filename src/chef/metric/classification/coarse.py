"""Is the coarse class of the thing in the image named?"""

from __future__ import annotations

from typing import Any

from chef.extraction import POLICY
from chef.extraction.names import named
from chef.extraction.text import visible
from chef.extraction.words import tokens
from chef.metric.base import BaseMetric
from chef.metric.classification.synonyms import DECOYS, recognised
from chef.metric.classification.wordnet import classification_acc
from chef.metric.records import (
    answer_text,
    by_score,
    missing_truth,
    names,
    scored_choice,
    true_choices,
    truths,
    verdict_of,
)
from chef.metric.vqa.accuracy import accuracy, share
from chef.types import Compat


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

    Args:
        dataset_name: the name of the scenario.
        compat: ``upstream``: ``SYN_ACC`` by ChEF's own rule (words between single spaces, with
            case and punctuation, against the lemmas of WordNet), which needs NLTK's corpus.
    """

    primary = "ACC"

    def __init__(self, dataset_name: str = "", compat: Compat = "corrected") -> None:
        super().__init__(dataset_name)
        self.compat = compat

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0, ``synonym_result`` too; ``parsed`` the classes named."""
        choice = scored_choice(record)
        if choice is not None:
            right = true_choices(record)
            if not right:
                raise missing_truth(record, "gt_choice")
            verdict = verdict_of(by_score(choice, record), right=choice in right)
            return {**verdict, "synonym_result": verdict["metric_result"]}
        label = true_label(record)
        labels = names(record, "choices") or [label]
        text = visible(answer_text(record))
        meant = recognised(text, labels)
        if self.compat == "upstream":
            literal = label.lower() in tokens(text)
            synonym = classification_acc(label, answer_text(record))
        else:
            literal, synonym = label in named(text, [*labels, *DECOYS]), label in meant
        return {
            "metric_result": float(literal),
            "synonym_result": float(synonym),
            "parsed": meant or None,
            "evidence": {"rule": "class named", "text": ", ".join(meant), "span": None},
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            **accuracy(answers),
            "SYN_ACC": share([answer["synonym_result"] for answer in answers], answers),
            "policy": POLICY,
        }


def true_label(record: dict[str, Any]) -> str:
    """The first of ``gt_answers``, as text.

    Raises:
        MissingTruthError: there is none.
    """
    given = truths(record)
    if not given:
        raise missing_truth(record, "class in gt_answers")
    return str(given[0])
