"""Classes and attributes by the own rules of ChEF and LAMM, mostly by lookups in WordNet."""

from __future__ import annotations

from typing import Any

from chef.metric.classification import classes, fine
from chef.metric.classification.classes import true_label
from chef.metric.records import scored_choice
from chef.metric.upstream.stored import stored_text
from chef.metric.upstream.wordnet import (
    NeedsWordNet,
    classification_acc,
    names_first_sense,
    require_wordnet,
)
from chef.metric.vqa.accuracy import share_of
from chef.reading.rules.chef_texts import no_or_not
from chef.reading.rules.vqa_normal import chef_normal
from chef.reading.text import Reading, evidence

Record = dict[str, Any]


class CGClassification(classes.CGClassification):
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

    def score_sample(self, record: Record) -> Record:
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

    def metric_func(self, answers: list[Record]) -> Record:
        """ChEF reports ``SYN_ACC`` of scored options too."""
        synonyms = share_of(answers, "synonym_result")
        return {**super().metric_func(answers), "SYN_ACC": synonyms}


class FGClassification(fine.FGClassification):
    """A class is named wherever its letters are in the answer: "dog" in "hot dog".

    This holds for scored options too, and for the chain of thought before a text.
    """

    policy = "ChEF substrings"

    def text(self, record: Record) -> str:
        return stored_text(record)

    def names_label(self, label: str, text: str, *, scored: bool) -> bool:  # noqa: ARG002
        """Whether the letters of ``label`` are in the answer."""
        return label in text


class LAMMClassification(NeedsWordNet, classes.LAMMClassification):
    """A word of the answer is the class or a name of its first sense (`names_first_sense`).

    Other classes in the answer do no harm. This needs NLTK's WordNet corpus.
    """

    policy = "LAMM words"

    def score_sample(self, record: Record) -> Record:
        """``metric_result`` is 1 or 0; ``parsed`` holds the class if it is found."""
        label = true_label(record)
        return _class_entry(label, right=names_first_sense(label, stored_text(record)))


class LAMMFacialHair(NeedsWordNet, classes.LAMMFacialHair):
    """A word of the answer is the colour or a name of its first sense (`names_first_sense`).

    Other colours in the answer do no harm. This needs NLTK's WordNet corpus.
    """

    policy = "LAMM words"

    def score_sample(self, record: Record) -> Record:
        """``metric_result`` is 1 or 0; ``parsed`` holds the colour if it is found."""
        label = classes.hair_colour(record)
        return _class_entry(label, right=names_first_sense(label, stored_text(record)))


class UCMercedClassification(classes.UCMercedClassification):
    """The letters of the class are in the answer, with the same case and spaces."""

    policy = "LAMM substrings"

    def score_sample(self, record: Record) -> Record:
        """``metric_result`` is 1 or 0; ``parsed`` holds the class if it is found."""
        label = true_label(record)
        return _class_entry(label, right=label in stored_text(record))


class LAMMFacialSmile(classes.LAMMFacialSmile):
    """An answer with the word "no" or "not" means no smile, any other a smile (`no_or_not`)."""

    policy = "LAMM words"

    def read(self, record: Record) -> Reading[str]:
        return no_or_not(stored_text(record))


def _class_entry(label: str, *, right: bool) -> Record:
    """The findings about an answer in which only the correct class is looked for."""
    return {
        "metric_result": float(right),
        "parsed": [label] if right else [],
        "evidence": evidence("class named", label if right else ""),
    }
