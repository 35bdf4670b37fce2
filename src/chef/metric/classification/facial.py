"""LAMM's metrics for attributes of faces."""

from __future__ import annotations

import re
from typing import Any

from chef.metric.base import Metric
from chef.metric.classification.coarse import true_label
from chef.metric.classification.named_class import NamedClass
from chef.metric.records import answer_text, scored_entry
from chef.metric.vqa.accuracy import share, share_of
from chef.reading.assertion import negated
from chef.reading.text import POLICY, Reading, strip_reasoning
from chef.reading.verdicts import extract_verdict

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
    """The class of a record: ``black`` for the label ``Black_Hair``.

    Raises:
        MissingTruthError: there is no label.
    """
    return true_label(record).lower().replace("_", " ").removesuffix(" hair")


class LAMMFacialSmile(Metric):
    """CelebA: does the person smile, yes (``1``) or no (``-1``)?

    An answer is read as yes or no ("Yes", "No, she is serious"), otherwise by its words for smiling
    ("is smiling", "does not smile").

    Metrics:
        ``ACC``: correct answers, 0 to 1. ``match_ratio``: answers that could be read, 0 to 1.
    """

    primary = "ACC"
    mean_figure = "ACC"
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
        read = [answer["parsed"] is not None for answer in answers]
        return {
            "ACC": share_of(answers, "metric_result", "0-1"),
            "match_ratio": share(read, answers, "0-1"),
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
