"""Does a model still answer right when the options have other names?"""

from __future__ import annotations

from typing import Any

from chef.extraction import POLICY
from chef.extraction.chef_rules import cascade
from chef.metric.base import BaseMetric
from chef.metric.records import missing_truth, names, true_choices, verdict_of
from chef.metric.vqa.accuracy import share
from chef.metric.vqa.choice import judge_choice, upstream_text
from chef.metric.vqa.mmbench import main_rows
from chef.types import Compat


class InstructFollow(BaseMetric):
    """Accuracy in the words of an ``option_map``; rotations of a question are left out.

    Figures:
        ``score``: right options, in % of the main rows scored.

    Args:
        dataset_name: of the scenario.
        compat: ``upstream`` reads answers as ChEF does (`extraction.cascade`).
    """

    primary = "score"

    def __init__(self, dataset_name: str = "", *, compat: Compat = "corrected") -> None:
        super().__init__(dataset_name)
        self.compat = compat

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        if self.compat == "corrected":
            return judge_choice(record)
        right = true_choices(record)
        if not right:
            raise missing_truth(record, "gt_choice")
        found = cascade(upstream_text(record), names(record, "options"), content_only=True)
        return verdict_of(found, right=found.value in right)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        mains = main_rows(answers)
        return {
            "score": share([answer["metric_result"] for answer in mains], mains),
            "policy": POLICY if self.compat == "corrected" else "ChEF cascade",
        }
