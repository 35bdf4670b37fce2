"""Are the words in the picture read?"""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

from chef.extraction import POLICY, evidence
from chef.extraction.quotes import quoted
from chef.metric.base import BaseMetric
from chef.metric.records import answer_text, required_references
from chef.metric.statistics import bootstrap_mean


class SVTOCR(BaseMetric):
    """Share of the words of the picture that are in the answer.

    The answer is what stands between double quotes, all of it without any; words are compared in
    lower case and without punctuation at their ends.

    Figures:
        ``ACC``: mean share over pictures, 0 to 1.
    """

    primary = "ACC"
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share, 0 to 1; ``parsed`` the words read."""
        return score_words(record, quoted(answer_text(record)), bare)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        shares = [answer["metric_result"] for answer in answers]
        return {"ACC": bootstrap_mean(shares, unit="0-1")}


def bare(word: str) -> str:
    """A word in lower case, without punctuation at its ends."""
    return word.lower().strip(string.punctuation)


def score_words(record: dict[str, Any], text: str, normal: Callable[[str], str]) -> dict[str, Any]:
    """The share of the true words that are among the words of a text.

    Args:
        record: holds the true words in ``gt_answers``.
        text: of the answer.
        normal: the form in which words are compared.

    Raises:
        MissingTruthError: there are no true words.
    """
    wanted = [normal(word) for word in required_references(record, "words in gt_answers")]
    words = [word for word in map(normal, text.split()) if word]
    return {
        "metric_result": sum(word in words for word in wanted) / len(wanted),
        "parsed": words or None,
        "evidence": evidence("words", text),
    }
