"""MMMU by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.records import references_of
from chef.metric.vlmevalkit.choice import (
    JUDGED_AS,
    ReadByCanInfer,
    converted_choices,
    is_open,
    lettered_choices,
    rule_reading,
    score_choice,
    score_converted,
)
from chef.metric.vlmevalkit.vqa import VQA
from chef.metric.vqa import mmmu


class MMMUMetric(ReadByCanInfer, mmmu.MMMUMetric):
    """Accuracy of answers read by `can_infer`; open questions become questions of two options.

    These are the reference and "Other Answers" (`score_converted`), which the model has not seen.
    Metrics and details are those of `VQA` with these rules.
    """

    primary = "Overall"
    chance_for = ()
    policy = "VLMEvalKit can_infer"
    judge_kinds = (JUDGED_AS,)

    def judge_kind(self, record: dict[str, Any]) -> str | None:
        """An open question with a reference has two options."""
        if is_open(record):
            return JUDGED_AS if references_of(record) else None
        return super().judge_kind(record)

    def judge_options(self, record: dict[str, Any]) -> list[str]:
        """The options, of an open question the two that it gets."""
        return list(_choices(record).values())

    def rule_reading(self, record: dict[str, Any]) -> int | None:
        """The index of the option."""
        choices = _choices(record)
        return rule_reading(record, choices, choices if is_open(record) else None)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        return score_converted(record) if is_open(record) else score_choice(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return VQA(self.dataset_name).metric_func(answers)

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return VQA(self.dataset_name).group_metrics(answers)


def _choices(record: dict[str, Any]) -> dict[str, str]:
    return converted_choices(record) if is_open(record) else lettered_choices(record)
