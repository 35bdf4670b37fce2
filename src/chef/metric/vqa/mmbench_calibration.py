"""MMBench: accuracy and calibration."""

from __future__ import annotations

from collections import Counter
from typing import Any

from chef.metric.vqa.calibration import Calibrated, calibration
from chef.metric.vqa.mmbench import MMBenchVQA


class MMBenchCalibration(Calibrated, MMBenchVQA):
    """The metrics of `MMBenchVQA`, and the expected calibration error of its main rows.

    Metrics:
        those of `MMBenchVQA`, in %, and ``ECE``, ``ECE_debiased``, ``ECE_calibrated``, in 0..1; see
        `calibration`. Details: ``ECE_test``, ``Acc_bins``, ``Prob_bins``, ``N_bins``, and
        ``prednum``, the number of times each option (A, B, C, D, ...) was chosen, over all rows,
        like ``option_match``.
    """

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        metrics = super().metric_func(answers)
        mains = self.first_rows(answers)
        read = [answer["parsed"] for answer in self.counted_rows(answers)]
        chosen = Counter(option for option in read if option is not None)
        size = max(4, 1 + max(chosen, default=0))
        return {
            **metrics,
            "prednum": [chosen[option] for option in range(size)],
            **calibration(mains, splits_ties=self.splits_ties),
        }
