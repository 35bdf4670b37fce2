"""Texts in images: is the text that is there in the answer (OCRBench, VCR, SVT)?"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

from chef.metric.records import Record, answer_text, required_texts
from chef.metric.vqa.accuracy import MeanMetric, share_of
from chef.metric.vqa.open_answers import OpenAnswerMetric
from chef.reading.text import POLICY, evidence
from chef.reading.words import quoted
from chef.stats.estimate import Estimate

FORMULAS = "Handwritten Mathematical Expression Recognition"
#: The categories that are reported together.
RECOGNITION = (
    "Regular Text Recognition",
    "Irregular Text Recognition",
    "Artistic Text Recognition",
    "Handwriting Recognition",
    "Digit String Recognition",
    "Non-Semantic Text Recognition",
)
PARTS: Mapping[str, Sequence[str]] = {
    "Text Recognition": RECOGNITION,
    "Scene Text-centric VQA": ("Scene Text-centric VQA",),
    "Doc-oriented VQA": ("Doc-oriented VQA",),
    "Key Information Extraction": ("Key Information Extraction",),
    FORMULAS: (FORMULAS,),
}


class OCRBench(OpenAnswerMetric):
    """Answers that contain a reference, of ten categories in five parts.

    Source: Liu et al. 2024, "OCRBench: On the Hidden Mystery of OCR in Large Multimodal Models".
    Case does not count, and line breaks are blanks; of formulas case counts and blanks do not.

    Metrics:
        ``Final Score Norm``: right answers, in % of all scored.
        ``Final Score`` (a count): right answers; of 1000 where the benchmark is complete.
        ``{part}``: right answers, in % of those scored, of Text Recognition (six categories),
        Scene Text-centric VQA, Doc-oriented VQA, Key Information Extraction and Handwritten
        Mathematical Expression Recognition. ``{category}``: the same of the six categories.
    """

    primary = "Final Score Norm"
    group_figures = ("Final Score Norm", "Final Score")
    compared = "right where they contain a reference (OCRBench)"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0, of texts that are no formulas."""
        return float(contains_any(answer, references, formula=False))

    def score_record(self, record: Record, answer: str, references: list[str]) -> float:
        """1 or 0."""
        is_formula = record.get("category") == FORMULAS
        return float(contains_any(answer, references, formula=is_formula))

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        names = {str(answer.get("category") or "") for answer in answers}
        known = {name for part in PARTS.values() for name in part}
        parts = {**PARTS, **{name: (name,) for name in sorted(names & {*RECOGNITION})}}
        parts |= {name: (name,) for name in sorted(names - known - {""})}
        return {
            **final_score(answers),
            **{
                name: share_of(rows, "metric_result")
                for name, part in parts.items()
                if (rows := [row for row in answers if row.get("category") in part])
            },
            "open_answers": self.compared,
        }


def final_score(answers: list[Record]) -> dict[str, Estimate]:
    """The right answers in % and as a count."""
    right = sum(answer["metric_result"] for answer in answers)
    return {
        "Final Score Norm": share_of(answers, "metric_result"),
        "Final Score": Estimate(right, len(answers), unit="count"),
    }


def contains_any(answer: str, references: Sequence[str], *, formula: bool) -> bool:
    r"""Whether an answer contains a reference, even inside a word; formulas with case, without
    blanks.

    >>> contains_any("It says STOP.", ["stop"], formula=False)
    True
    >>> contains_any(r"\frac { 1 } { x }", [r"\frac{1}{x}"], formula=True)
    True
    """
    return any(
        _plain(item, formula=formula) in _plain(answer, formula=formula) for item in references
    )


def _plain(text: str, *, formula: bool) -> str:
    bare = text.strip().replace("\n", " ")
    return bare.replace(" ", "") if formula else bare.lower()


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
        references, text = required_texts(record), answer_text(record)
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
    return required_texts(record, "words in gt_answers")


def score_words(wanted: Sequence[str], words: Sequence[str], text: str) -> dict[str, Any]:
    """The share of the true words that are among the words of a text, both as they are compared."""
    named = [word for word in words if word]
    return {
        "metric_result": sum(word in named for word in wanted) / len(wanted),
        "parsed": named or None,
        "evidence": evidence("words", text),
    }
