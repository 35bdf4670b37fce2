"""ScienceQA: accuracy, and how well the model knows when it is right."""

from __future__ import annotations

from typing import Any

from chef.metric.vqa.calibration import Calibrated, calibration, confidence
from chef.metric.vqa.vqa import VQA


class VQACalibration(Calibrated, VQA):
    """The figures of `VQA`, and the expected calibration error of scored options.

    Figures:
        ``ACC``, ``match_ratio``: of `VQA`, in %.
        ``ECE``: in 0..1; see `calibration`. Details: ``Acc_bins``, ``Prob_bins``.
    """

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        metrics = super().metric_func(answers)
        probs = [confidence(answer) for answer in answers]
        return {**metrics, **calibration(probs, [answer["correct"] for answer in answers])}
