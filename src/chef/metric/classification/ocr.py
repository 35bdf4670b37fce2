"""Text recognition: which words of the image are in the answer?"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from chef.metric.records import answer_text, required_references
from chef.metric.vqa.accuracy import MeanMetric
from chef.reading.text import POLICY, evidence
from chef.reading.words import quoted


class SVTOCR(MeanMetric):
    """Share of the words of the image that are in the answer.

    Only the parts of the answer in double quotes count, or all of it if nothing is quoted. Words
    are compared in lower case and without punctuation at their ends.

    Metrics:
        ``ACC``: the mean share over images, 0 to 1.
    """

    primary = mean_figure = "ACC"
    policy = POLICY
    unit = "0-1"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share, 0 to 1; ``parsed`` lists the words of the answer."""
        wanted, text = true_words(record), quoted(answer_text(record))
        return score_words([*map(bare, wanted)], [*map(bare, text.split())], text)


def bare(word: str) -> str:
    """A word in lower case, without punctuation at its ends."""
    return word.lower().strip(string.punctuation)


def true_words(record: dict[str, Any]) -> list[str]:
    """The words of the image; raises MissingTruthError."""
    return required_references(record, "words in gt_answers")


def score_words(wanted: Sequence[str], words: Sequence[str], text: str) -> dict[str, Any]:
    """The share of the true words that are among the words of a text, both as they are compared."""
    named = [word for word in words if word]
    return {
        "metric_result": sum(word in named for word in wanted) / len(wanted),
        "parsed": named or None,
        "evidence": evidence("words", text),
    }
