"""MMMU by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.vlmevalkit.choice import is_open, score_choice, score_converted
from chef.metric.vlmevalkit.failures import FailuresAreAnswers
from chef.metric.vlmevalkit.vqa import VQA
from chef.metric.vqa import mmmu


class MMMUMetric(FailuresAreAnswers, mmmu.MMMUMetric):
    """Accuracy of answers read by `can_infer`; open questions become questions of two options.

    These are the reference and "Other Answers" (`score_converted`), which the model has not seen.
    Metrics and details are those of `VQA` with these rules.
    """

    primary = "Overall"
    chance_for = ()
    policy = "VLMEvalKit can_infer"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        return score_converted(record) if is_open(record) else score_choice(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return VQA(self.dataset_name).metric_func(answers)

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return VQA(self.dataset_name).group_metrics(answers)
