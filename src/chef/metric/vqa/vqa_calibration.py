"""ScienceQA: accuracy, and how well the model knows when it is right."""

from __future__ import annotations

from typing import Any

from chef.metric.vqa.calibration import calibration, confidence
from chef.metric.vqa.vqa import VQA


class VQACalibration(VQA):
    """The figures of `VQA`, and the expected calibration error of scored options.

    Figures:
        ``ACC``, ``match_ratio``: of `VQA`, in %.
        ``ECE``: in 0..1; see `calibration`. Details: ``Acc_bins``, ``Prob_bins``.
    """

    needs_options = True
    needs_prompt_type = "singleturn"

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """As in `VQA`; ``correct`` is what the confidence is compared with."""
        found = super().judge(record)
        confidence(record)
        return {**found, "correct": found["metric_result"]}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        figures = super().metric_func(answers)
        probs = [confidence(answer) for answer in answers]
        return {**figures, **calibration(probs, [answer["correct"] for answer in answers])}
