"""Multiple-choice benchmarks by VLMEvalKit's own rules: SEEDBench, ScienceQA and others."""

from __future__ import annotations

from typing import Any

from chef.metric.vlmevalkit.choice import (
    JUDGED_AS,
    ReadByCanInfer,
    random_options,
    score_choice,
)
from chef.metric.vlmevalkit.table import accuracy_table, overall
from chef.metric.vqa import vqa

Record = dict[str, Any]


class VQA(ReadByCanInfer, vqa.VQA):
    """Accuracy of answers that are read by `can_infer`, labels before texts.

    Metrics: ``Overall``, in 0..1, of each split too where there are several. ``table`` in the
    details has the accuracies of splits and categories. The key ``content_only`` is not used.
    """

    primary = "Overall"
    mean_figure = "Overall"
    chance_for = ("Overall",)
    policy = "VLMEvalKit can_infer"
    judge_kinds = (JUDGED_AS,)

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option; ``match`` is ``option`` or ``content``."""
        return score_choice(record)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return {
            **overall(answers),
            **random_options(answers),
            "table": accuracy_table(answers, "metric_result", self.dataset_name),
        }

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return {"Overall": overall(answers)["Overall"]}
