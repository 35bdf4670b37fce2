"""ScienceQA: accuracy and calibration."""

from __future__ import annotations

from typing import Any

from chef.metric.vqa.calibration import Calibrated, calibration
from chef.metric.vqa.vqa import VQA


class VQACalibration(Calibrated, VQA):
    """The metrics of `VQA`, and the expected calibration error of scored options.

    Metrics:
        ``ACC``, ``match_ratio``: as in `VQA`, in %.
        ``ECE``, ``ECE_debiased``, ``ECE_calibrated``: in 0..1; see `calibration`. Details:
        ``ECE_test``, ``Acc_bins``, ``Prob_bins``, ``N_bins``.
    """

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        metrics = super().metric_func(answers)
        return {**metrics, **calibration(answers, splits_ties=self.splits_ties)}
