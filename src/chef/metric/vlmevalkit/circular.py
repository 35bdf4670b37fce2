"""Circular evaluation by VLMEvalKit's own rules: MMBench, CCBench and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.metric.vlmevalkit.choice import (
    JUDGED_AS,
    ReadByCanInfer,
    random_options,
    score_choice,
)
from chef.metric.vlmevalkit.table import accuracy_table, overall
from chef.metric.vqa import mmbench
from chef.metric.vqa.accuracy import share_of

Record = dict[str, Any]


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
    policy = "VLMEvalKit can_infer"
    judge_kinds = (JUDGED_AS,)

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option; ``match`` is ``option`` or ``content``."""
        return score_choice(record)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return circular_scores(answers, self.dataset_name)

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` and ``circ0`` of the group."""
        values = self.metric_func(answers)
        return {key: values[key] for key in ("Overall", "circ0")}
