"""AMBER by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.vlmevalkit.yesno import YesNo
from chef.metric.vqa import amber


class Amber(YesNo, amber.Amber):
    """Texts are read by `yes_no`.

    Metrics, in %: ``Avg ACC``, the mean of the accuracies of ``Attribute``, ``Existence`` and
    ``Relation``.
    """

    primary = "Avg ACC"
    chance_for = ("Avg ACC", "Attribute", "Existence", "Relation")

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return dict(self.kinds(answers))

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The same of the group."""
        return self.metric_func(answers)
