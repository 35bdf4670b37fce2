"""Accuracy by VLMEvalKit's own rules: options by `can_infer`, free answers by their data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.metric.records import answer_text, required_references, scored_choice, scored_entry
from chef.metric.vlmevalkit.answers import SCORES, method_of
from chef.metric.vlmevalkit.choice import (
    JUDGED_AS,
    ReadByCanInfer,
    is_multiple_choice,
    is_open,
    random_options,
    score_choice,
)
from chef.metric.vlmevalkit.circular import circular_scores, is_circular
from chef.metric.vlmevalkit.table import accuracy_table, open_answers, overall
from chef.metric.vqa import accuracy
from chef.reading.text import Reading


class Accuracy(ReadByCanInfer, accuracy.Accuracy):
    """Questions with options as in `VQA` with these rules; others by the name of their data set.

    TextVQA: `vqa_score`; ChartQA: `relaxed_accuracy`; OCRVQA: `accuracy`; GQA: `mean_accuracy`;
    DocVQA and InfoVQA: `anls`; any other: `vqa_score`, which gives 0 where there is a single
    reference.

    Data sets with "MMBench", "CCBench", "circular" or "MMCR" in their names have the metrics of
    circular evaluation (`MMBenchVQA` with these rules).

    Metrics: ``Overall``, in 0..1; of each split too where there are several. Of free answers in %,
    of each split too, or of each category where the rows have no splits. ``table`` in the details,
    of questions with options.
    """

    primary = "Overall"
    chance_for: Sequence[str] = ("Overall",)
    policy = "VLMEvalKit can_infer"
    judge_kinds = (JUDGED_AS,)

    def __init__(self, dataset_name: str = "") -> None:
        super().__init__(dataset_name)
        if is_circular(dataset_name):
            self.chance_for = ("circ0",)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 0 to 1; ``parsed`` is the index of the option, or the answer."""
        if is_multiple_choice(record) or scored_choice(record) is not None:
            return score_choice(record)
        references = required_references(record, "gt_choice and no gt_answers")
        text = answer_text(record)
        score = SCORES[method_of(self.dataset_name)](text, references)
        found: Reading[str] = Reading(text, "text", text)
        return {**scored_entry(found, right=score > 0), "metric_result": score}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        if is_circular(self.dataset_name):
            return circular_scores(answers, self.dataset_name)
        if answers and all(map(is_open, answers)):
            return open_answers(answers)
        table = accuracy_table(answers, "metric_result", self.dataset_name)
        return {**overall(answers), **random_options(answers), "table": table}

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return {"Overall": self.metric_func(answers)["Overall"]}
