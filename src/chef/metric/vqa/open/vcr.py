"""VCR: are the covered words of a picture's text restored?"""

from __future__ import annotations

import re
from typing import Any

from chef.metric.records import answer_text, required_references
from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.open.base import OpenAnswerMetric

#: A word, or a character of a script without blanks between words.
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


class VCR(OpenAnswerMetric):
    """Share of covered texts that an answer restores; the references are not alternatives.

    Each reference is compared with the words of the answer in a row, as many as it has, that are
    most similar to it. Case and punctuation do not count; of Chinese, characters are the words.
    Source: Zhang et al. 2024, "VCR: A Task for Pixel-Level Complex Reasoning in Vision Language
    Models via Restoring Occluded Text".

    Metrics, in %, means over the questions:
        ``exact_match``: covered texts that the answer has word for word.
        ``jaccard``: the similarity of the words, common ones over all of both.
    """

    primary = "exact_match"
    compared = "by the covered texts that they restore (VCR)"

    def score(self, answer: str, references: list[str]) -> float:
        """The share of references that the answer has word for word, 0 to 1."""
        return sum(restored(answer, text) for text in references) / len(references)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """As `OpenAnswerMetric`; ``jaccard`` is the mean similarity, 0 to 1."""
        references, text = required_references(record), answer_text(record)
        similarity = sum(similar(text, reference) for reference in references) / len(references)
        return {**super().score_sample(record), "jaccard": similarity}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**super().metric_func(answers), "jaccard": share_of(answers, "jaccard")}


def restored(answer: str, reference: str) -> bool:
    """Whether the words of a reference stand in the answer in a row.

    >>> restored("It reads: the old town.", "Old town"), restored("town old", "old town")
    (True, False)
    """
    return _words(reference) in _stretches(answer, reference)


def similar(answer: str, reference: str) -> float:
    """The largest Jaccard similarity of a stretch of the answer with a reference, 0 to 1.

    >>> similar("the old city", "old town")
    0.3333333333333333
    """
    wanted = {*_words(reference)}
    found = [{*stretch} for stretch in _stretches(answer, reference)]
    return max(len(wanted & one) / len(wanted | one) if wanted | one else 1.0 for one in found)


def _stretches(answer: str, reference: str) -> list[list[str]]:
    """The words of an answer in a row, as many as the reference has; at least one stretch."""
    given, size = _words(answer), len(_words(reference))
    return [given[begin : begin + size] for begin in range(max(1, len(given) - size + 1))]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
