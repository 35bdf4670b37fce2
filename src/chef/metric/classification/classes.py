"""Classes of images: coarse and fine ones, attributes of faces, and classes named in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from chef.errors import ConfigError, DataError
from chef.metric.base import Metric
from chef.metric.classification.synonyms import DECOYS, recognised
from chef.metric.records import (
    answer_text,
    by_score,
    check_kind,
    is_scored,
    names,
    required_choices,
    required_texts,
    scored_choice,
    scored_entry,
    turns_of,
)
from chef.metric.vqa.accuracy import MeanMetric, accuracy, match_ratio, share_of
from chef.reading.assertion import negated
from chef.reading.names import mentioned_labels
from chef.reading.text import POLICY, Reading, evidence, strip_reasoning
from chef.reading.verdicts import extract_verdict
from chef.scenario.omnibenchmark import load_taxonomy, taxonomy_file


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

    primary = mean_figure = "ACC"
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
    """The first of ``gt_answers``, as text; raises MissingTruthError."""
    return required_texts(record, "class in gt_answers")[0]


class NamedClass(MeanMetric):
    """Share of answers that mention the class or a synonym; the base class of LAMM's metrics.

    Metrics:
        ``ACC``: answers that mention it, in ``unit``.

    Attributes:
        unit: ``0-1`` or ``%``.
        labels: other labels that an answer may mention; the longest label that matches wins.
    """

    primary = mean_figure = "ACC"
    chance_for = ("ACC",)
    policy = POLICY
    unit: ClassVar[Literal["%", "0-1"]] = "0-1"
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


#: What is asked; statements about anything else are no verdict.
_SMILES = "Is the person smiling?"
_SMILE = re.compile(r"\b(?:smil(?:e|es|ing)|grin(?:s|ning)?|laugh(?:s|ing)?)\b", re.IGNORECASE)


class LAMMFacialHair(NamedClass):
    """CelebA: does the answer mention the colour of the hair?

    Metrics:
        ``ACC``: answers that mention it, 0 to 1; if several are mentioned, one must be correct.
    """

    labels = ("black", "blond", "brown", "gray", "bald")

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """Score as `NamedClass`; the label ``Black_Hair`` stands for the class ``black``."""
        return super().score_sample({**record, "gt_answers": hair_colour(record)})


def hair_colour(record: dict[str, Any]) -> str:
    """The class of a record: ``black`` for the label ``Black_Hair``; raises MissingTruthError."""
    return true_label(record).lower().replace("_", " ").removesuffix(" hair")


class LAMMFacialSmile(Metric):
    """CelebA: does the person smile, yes (``1``) or no (``-1``)?

    An answer is read as yes or no ("Yes", "No, she is serious"), otherwise by its words for smiling
    ("is smiling", "does not smile").

    Metrics:
        ``ACC``: correct answers, 0 to 1. ``match_ratio``: answers that could be read, 0 to 1.
    """

    primary = mean_figure = "ACC"
    chance_for = ("ACC",)
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is ``1``, ``-1`` or None."""
        reference = true_label(record)
        found = self.read(record)
        return scored_entry(found, right=found.value == reference)

    def read(self, record: dict[str, Any]) -> Reading[str]:
        """``1`` if the answer says that the person smiles, ``-1`` if not, None if unclear."""
        return read_smile(answer_text(record))

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "ACC": share_of(answers, "metric_result", "0-1"),
            "match_ratio": match_ratio(answers, "0-1"),
        }


def read_smile(text: str) -> Reading[str]:
    """``1`` for a smile, ``-1`` for no smile, None if the text does not say.

    >>> read_smile("The woman is not smiling.").value
    '-1'
    """
    verdict = extract_verdict(text, _SMILES)
    if verdict.value is not None:
        value = "1" if verdict.value == "yes" else "-1"
        return Reading(value, verdict.rule, verdict.text, verdict.span)
    seen = strip_reasoning(text)
    hits = list(_SMILE.finditer(seen))
    values = {"-1" if negated(seen, hit.start()) else "1" for hit in hits}
    if len(values) != 1:
        return Reading(None, "ambiguous" if values else "none")
    return Reading(values.pop(), "smile", hits[-1][0], hits[-1].span())


class FGClassification(MeanMetric):
    """Fine-grained classification: the depth to which answers follow a chain of ever finer classes.

    Several turns ask for one level each; the depth is the number of levels before the first wrong
    one. A single answer has the depth of the finest class of the chain that it mentions. Options
    are compared as a whole, text is searched for whole words that are not negated. With a
    hierarchy, the name of another class that contains the word ("hot dog") does not count as
    mentioning it.

    Metrics:
        ``score``: ChEF's weighted accuracy: the mean share of correct levels, in %.

    Args:
        dataset_name: the name of the scenario.
        inference_type: ``singleturn`` or ``multiturn``; None accepts both.
        ppl: whether options were scored; None accepts both.
        bamboo_tree_path: the hierarchy, a JSON file; None to use none.
        sibling_credit: for turns of free text, give half a level if the first wrong answer mentions
            a sibling of the correct class in the hierarchy. ChEF intends such credit but never
            gives it; the amount is our choice.

    Raises:
        DataError: the hierarchy does not exist.
        ConfigError: ``sibling_credit`` is set without a hierarchy.
    """

    primary = "score"
    chance_for = ("score",)
    policy = POLICY
    #: Whether the hierarchy is read.
    reads_hierarchy = True

    def __init__(
        self,
        dataset_name: str = "",
        *,
        inference_type: Literal["singleturn", "multiturn"] | None = None,
        ppl: bool | None = None,
        bamboo_tree_path: str | None = None,
        sibling_credit: bool = False,
    ) -> None:
        super().__init__(dataset_name)
        if sibling_credit and bamboo_tree_path is None:
            raise ConfigError(
                "sibling_credit needs a hierarchy, which defines the siblings, and none is given",
                where="metric_cfg.sibling_credit",
                hint="add bamboo_tree_path",
            )
        self.sibling_credit = sibling_credit
        self.inference_type, self.ppl = inference_type, ppl
        self.needs_options, self.needs_prompt_type = ppl, inference_type
        self._tree = bamboo_tree_path
        if bamboo_tree_path is not None and (sibling_credit or self.reads_hierarchy):
            taxonomy_file(bamboo_tree_path)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share of correct levels, 0 to 1; ``depth`` is their number."""
        chain = required_texts(record, "chain of classes in gt_answers")
        turns = turns_of(record)
        scored = is_scored(turns) or record.get("choice") is not None
        check_kind(self.inference_type, "multiturn" if turns else "singleturn")
        check_kind(None if self.ppl is None else str(self.ppl), str(scored), "ppl")
        if turns:
            predicted = [answer_text(dict(turn)) for turn in turns]
            depth: float = self._walk(chain, predicted, scored)
        else:
            predicted = [self.text(record)]
            right = [self.names_label(label, predicted[0], scored=scored) for label in chain]
            depth = max((level for level, hit in enumerate(right, start=1) if hit), default=0)
        return {
            "metric_result": depth / len(chain),
            "depth": depth,
            "parsed": predicted if any(text.strip() for text in predicted) else None,
            "evidence": evidence("option" if scored else "class named"),
        }

    def text(self, record: dict[str, Any]) -> str:
        """The answer that was given in a single turn."""
        return answer_text(record)

    def _walk(self, chain: list[str], predicted: list[str], scored: bool) -> float:
        if len(predicted) != len(chain):
            raise DataError(f"{len(predicted)} turns are answered, and the chain has {len(chain)}")
        for depth, (label, text) in enumerate(zip(chain, predicted, strict=True)):
            if not self.names_label(label, text, scored=scored):
                parent = chain[depth - 1] if depth else None
                return depth + (0.0 if scored else self._credit(label, parent, text))
        return len(chain)

    def _credit(self, label: str, parent: str | None, text: str) -> float:
        """Half a level if ``text`` mentions a sibling of ``label``, else 0."""
        if not self.sibling_credit or self._tree is None:
            return 0.0
        siblings = load_taxonomy(self._tree).siblings(label, parent)
        return 0.5 if mentioned_labels(strip_reasoning(text), siblings) else 0.0

    def names_label(self, label: str, text: str, *, scored: bool) -> bool:
        """Whether an answer, perhaps a ``scored`` option, gives the true class of a level."""
        if scored:
            return label == text
        longer = () if self._tree is None else load_taxonomy(self._tree).mistaken_for(label)
        return label in mentioned_labels(strip_reasoning(text), [label, *longer])
