"""Free answers by VLMEvalKit's own rules, one class for each of its scores, and OCRBench."""

from __future__ import annotations

from typing import Any

from chef.metric.records import answer_text, required_references, scored_entry
from chef.metric.vlmevalkit import answers as rules
from chef.metric.vlmevalkit.failures import FailuresAreAnswers
from chef.metric.vlmevalkit.table import open_answers
from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.open import anls, exact_match, ocrbench, relaxed_accuracy, vqa_accuracy
from chef.metric.vqa.open.base import OpenAnswerMetric
from chef.reading.text import Reading
from chef.stats.estimate import Estimate


class WholeText(FailuresAreAnswers, OpenAnswerMetric):
    """A mixin: the whole answer is scored, with its chain of thought, also where it is empty.

    The metric is that of all answers and of each split, or of each category where the rows have no
    splits, in %.
    """

    policy = "VLMEvalKit"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the score, 0 to 1; ``parsed`` is the answer."""
        references, text = required_references(record), answer_text(record)
        score = self.score_record(record, text, references)
        found: Reading[str] = Reading(text, "text", text)
        return {**scored_entry(found, right=score > 0), "metric_result": score}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**open_answers(answers, name=self.primary), "open_answers": self.compared}

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The metric of the group."""
        return {self.primary: share_of(answers, "metric_result")}


class VQAAccuracy(WholeText, vqa_accuracy.VQAAccuracy):
    """VQA accuracy by `vqa_score`: leaving one annotator out, a single reference gives 0."""

    compared = "by VLMEvalKit's vqa_score"

    def score(self, answer: str, references: list[str]) -> float:
        """0 to 1."""
        return rules.vqa_score(answer, references)


class ANLS(WholeText, anls.ANLS):
    """ANLS by `anls`: distances are divided by the length of the texts as they were written."""

    def score(self, answer: str, references: list[str]) -> float:
        """The similarity to the most similar reference, 0 to 1."""
        return rules.anls(answer, references, self.threshold)


class RelaxedAccuracy(WholeText, relaxed_accuracy.RelaxedAccuracy):
    """Relaxed accuracy by `relaxed_accuracy`: numbers are what Python reads as one."""

    compared = "by VLMEvalKit's relaxed accuracy"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0."""
        return rules.relaxed_accuracy(answer, references)


class ExactMatch(WholeText, exact_match.ExactMatch):
    """Exact match by `accuracy`: up to case and blanks around the texts, and no more."""

    compared = "right where they equal a reference, up to case and blanks around it"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0."""
        return rules.accuracy(answer, references)


class OCRBench(WholeText, ocrbench.OCRBench):
    """The whole answer is searched, with its chain of thought, and categories are counted.

    Metrics: ``Final Score`` (a count, 0 to 1000), ``Final Score Norm`` (a tenth of it), and the
    right answers of each of the five parts (counts). What is known of VLMEvalKit's rules says that
    blanks of formulas are removed; that case counts there and nowhere else is the benchmark's rule.
    """

    primary = "Final Score Norm"

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**self.group_metrics(answers), **ocrbench_parts(answers)}

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """``Final Score Norm`` and ``Final Score`` of the group."""
        right = sum(answer["metric_result"] for answer in answers)
        return {
            "Final Score": Estimate(right, len(answers), unit="count"),
            "Final Score Norm": Estimate(right / 10, len(answers), unit="0-100"),
        }


def ocrbench_parts(rows: list[dict[str, Any]]) -> dict[str, Estimate]:
    """The right answers of each part, as counts; 0 where it has none."""
    found = {}
    for name, categories in ocrbench.PARTS.items():
        part = [row["metric_result"] for row in rows if row.get("category") in categories]
        found[name] = Estimate(sum(part), len(part), unit="count")
    return found
