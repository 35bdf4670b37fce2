"""HallusionBench by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.vlmevalkit.yesno import YesNo
from chef.metric.vqa import hallusionbench


class HallusionBench(YesNo, hallusionbench.HallusionBench):
    """Texts are read by `yes_no`; groups that lack a row count by the rows that are there.

    Metrics: ``aAcc``, ``fAcc`` and ``qAcc``, in %. Set, figure and question are taken to be the
    fields 3 to 5 of an id, counted from 0.
    """

    primary = "aAcc"
    chance_for = ("aAcc",)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        values = self._values(answers, ())
        del values["incomplete_groups"]
        return values

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The same of the group."""
        return self.metric_func(answers)
