"""Text recognition: which words of the image are in the answer?"""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

from chef.extraction.quotes import quoted
from chef.extraction.text import POLICY, evidence
from chef.metric.base import Metric
from chef.metric.records import answer_text, required_references
from chef.metric.statistics import bootstrap_mean


class SVTOCR(Metric):
    """Share of the words of the image that are in the answer.

    Only the parts of the answer in double quotes count, or all of it if nothing is quoted. Words
    are compared in lower case and without punctuation at their ends.

    Metrics:
        ``ACC``: the mean share over images, 0 to 1.
    """

    primary = "ACC"
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share, 0 to 1; ``parsed`` lists the words of the answer."""
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
        record: the record of one sample; ``gt_answers`` lists the true words.
        text: the text of the answer.
        normal: normalises a word before it is compared.

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
