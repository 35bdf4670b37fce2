"""OCRBench by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.vlmevalkit.open import WholeText
from chef.metric.vqa.open import ocrbench
from chef.stats.estimate import Estimate


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
