"""Benchmarks of multiple choice by VLMEvalKit's own rules: options are read by `can_infer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.metric.records import (
    answer_text,
    references_of,
    required_references,
    scored_choice,
    scored_entry,
)
from chef.metric.vlmevalkit.answers import SCORES, method_of
from chef.metric.vlmevalkit.choice import (
    JUDGED_AS,
    ReadByCanInfer,
    converted_choices,
    is_multiple_choice,
    is_open,
    lettered_choices,
    random_options,
    score_choice,
    score_converted,
)
from chef.metric.vlmevalkit.failures import FailuresAreAnswers
from chef.metric.vlmevalkit.table import accuracy_table, open_answers, overall
from chef.metric.vqa import accuracy, blocks, mmbench, mmmu, vqa
from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.blocks import all_right
from chef.reading.text import Reading

Record = dict[str, Any]


class VQA(ReadByCanInfer, vqa.VQA):
    """Accuracy of answers that are read by `can_infer`, labels before texts.

    Metrics: ``Overall``, in 0..1, of each split too where there are several. ``table`` in the
    details has the accuracies of splits and categories. The key ``content_only`` is not used.
    """

    primary = "Overall"
    mean_figure = "Overall"
    chance_for = ("Overall",)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return {
            **overall(answers),
            **random_options(answers),
            "table": accuracy_table(answers, "metric_result", self.dataset_name),
        }

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return {"Overall": overall(answers)["Overall"]}


def circular_rows(answers: Sequence[Record]) -> list[Record]:
    """The main row of each question, with its circular score under ``hit``.

    A question is right if every row of it that is there is. A missing rotation goes unnoticed, and
    a question without its main row is left out, because the main row carries the score.
    """
    groups = mmbench.questions(list(answers))
    return [
        {**rows[0], "hit": float(mmbench.all_right(rows))}
        for name, rows in groups.items()
        if rows[0]["id"] == name
    ]


def is_circular(dataset_name: str) -> bool:
    """Whether VLMEvalKit scores the rows of a question together, by the name of its data set.

    >>> is_circular("MMBench_DEV_EN"), is_circular("SEEDBench_IMG")
    (True, False)
    """
    return any(part in dataset_name.lower() for part in ("mmbench", "ccbench", "circular", "mmcr"))


def circular_scores(answers: list[Record], dataset_name: str) -> dict[str, Any]:
    """``Overall``, ``circ0`` and ``all_rows``, in 0..1, and the ``table``; see `MMBenchVQA`."""
    rows = circular_rows(answers)
    asked = [answer for answer in answers if not answer.get("skipped_by_judge")]
    return {
        **overall(rows, "hit"),
        "circ0": share_of(rows, "metric_result", "0-1"),
        "all_rows": share_of(asked, "metric_result", "0-1"),
        **random_options(asked),
        "table": accuracy_table(rows, "hit", dataset_name),
    }


class MMBenchVQA(ReadByCanInfer, mmbench.MMBenchVQA):
    """Answers are read by `can_infer`; a question is right if all its rows that are there are.

    Metrics, in 0..1: ``Overall``: questions with all their rows right, of each split too where
    there are several; ``circ0``: right main rows; ``all_rows``: right rows, of those that were
    read (a judge is asked about the rows of a question until one is wrong). ``table`` in the
    details has the circular accuracies of splits and categories.
    """

    primary = "Overall"
    chance_for = ("circ0",)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return circular_scores(answers, self.dataset_name)

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` and ``circ0`` of the group."""
        values = self.metric_func(answers)
        return {key: values[key] for key in ("Overall", "circ0")}


class MMMUMetric(ReadByCanInfer, mmmu.MMMUMetric):
    """Accuracy of answers read by `can_infer`; open questions become questions of two options.

    These are the reference and "Other Answers" (`score_converted`), which the model has not seen.
    Metrics and details are those of `VQA` with these rules.
    """

    primary = "Overall"
    chance_for = ()
    judge_kinds = (JUDGED_AS,)

    def judge_kind(self, record: Record) -> str | None:
        """An open question with a reference has two options."""
        if is_open(record):
            return JUDGED_AS if references_of(record) else None
        return super().judge_kind(record)

    def judge_options(self, record: Record) -> list[str]:
        """The options, of an open question the two that it gets."""
        return list(_choices(record).values())

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        return score_converted(record) if is_open(record) else score_choice(record)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return VQA(self.dataset_name).metric_func(answers)

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return VQA(self.dataset_name).group_metrics(answers)


def _choices(record: Record) -> dict[str, str]:
    return converted_choices(record) if is_open(record) else lettered_choices(record)


class MMVP(FailuresAreAnswers, blocks.MMVP):
    """Answers are read by `can_infer`; a pair is right if both of its answers are.

    Metrics, in 0..1: ``Overall``: right pairs; ``all_rows``: right rows. Pairs of which one row was
    not scored are left out and counted (``incomplete_groups``).
    """

    primary = "Overall"
    chance_for = ("all_rows",)
    policy = "VLMEvalKit can_infer"

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        return score_choice(record)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        pairs, missing = self.blocks(answers)
        return {
            "Overall": self.share_of_blocks(all_right(pairs), answers, "0-1"),
            "all_rows": self.share_of_rows(answers, "0-1"),
            "incomplete_groups": missing,
        }


class NaturalBench(FailuresAreAnswers, blocks.NaturalBench):
    """Answers are read by `can_infer`; what is known of VLMEvalKit's rules has none of its own.

    Metrics, in %: those of `NaturalBench` by chef's rules.
    """

    chance_for = ("Acc",)
    policy = "VLMEvalKit can_infer"

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        return score_choice(record)


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
    judge_kinds = (JUDGED_AS,)

    def __init__(self, dataset_name: str = "") -> None:
        super().__init__(dataset_name)
        if is_circular(dataset_name):
            self.chance_for = ("circ0",)

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``metric_result`` is 0 to 1; ``parsed`` is the index of the option, or the answer."""
        if is_multiple_choice(record) or scored_choice(record) is not None:
            return score_choice(record)
        references = required_references(record, "gt_choice and no gt_answers")
        text = answer_text(record)
        score = SCORES[method_of(self.dataset_name)](text, references)
        found: Reading[str] = Reading(text, "text", text)
        return {**scored_entry(found, right=score > 0), "metric_result": score}

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        if is_circular(self.dataset_name):
            return circular_scores(answers, self.dataset_name)
        if answers and all(map(is_open, answers)):
            return open_answers(answers)
        table = accuracy_table(answers, "metric_result", self.dataset_name)
        return {**overall(answers), **random_options(answers), "table": table}

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return {"Overall": self.metric_func(answers)["Overall"]}
