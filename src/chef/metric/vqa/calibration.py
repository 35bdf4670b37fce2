"""Calibration: does the confidence of a model match its accuracy?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.vqa.vqa import VQA, MMBenchVQA
from chef.stats.calibration import calibration_error
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate


def confidence(record: Mapping[str, Any]) -> float:
    """The probability of the chosen option, in 0..1, by the scores; DataError without scores."""
    prob = record.get("prob")
    if not isinstance(prob, int | float) or not math.isfinite(prob):
        raise DataError(
            "calibration needs the probability of the answer, and there is none",
            where=f"sample '{record.get('id', '?')}'",
            hint="use inferencer_type: PPL",
        )
    return float(prob)


class Calibrated(Metric):
    """A mixin for metrics of scored options that also measure calibration.

    List it before the metric it extends: ``class VQACalibration(Calibrated, VQA)``.
    """

    needs_options = True
    needs_prompt_type = "singleturn"
    #: Whether answers of one confidence may stand in two bins, by the order of the data.
    splits_ties: ClassVar[bool] = False

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """The findings of the extended metric, and ``correct``, to compare the confidence with."""
        return calibrated(super().score_sample(record), record)


def calibrated(found: dict[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    """The findings about an answer with a confidence, and ``correct``, to compare it with."""
    confidence(record)
    return {**found, "correct": found["metric_result"]}


def calibration(
    answers: Sequence[Mapping[str, Any]], *, splits_ties: bool = False
) -> dict[str, Any]:
    """The expected calibration error of scored options, and what chance makes of it.

    See `chef.stats.calibration.calibration_error` for the formulas.

    Args:
        answers: with ``prob``, the confidence, and ``correct``, 1 or 0.
        splits_ties: as there; it is how ChEF cuts its bins.

    Returns:
        ``ECE``: in 0..1, over ten bins of answers sorted by confidence. ``ECE_debiased``: without
        what chance adds to it. ``ECE_calibrated``: what a perfectly calibrated model with these
        confidences would have on average. ``ECE_test``: the p-value of the hypothesis that this
        model is one. ``Acc_bins``, ``Prob_bins``, ``N_bins``: the means and sizes of the bins, in
        order of rising confidence.

    >>> calibration([{"prob": 0.9, "correct": 1.0}, {"prob": 0.5, "correct": 0.0}])["ECE"].value
    0.3
    """
    n = len(answers)
    found = calibration_error(
        [confidence(answer) for answer in answers],
        [answer["correct"] for answer in answers],
        clusters_of(answers),
        splits_ties=splits_ties,
    )

    def error(value: float | None) -> Estimate:
        return Estimate(value, n, unit="0-1", higher_is_better=False)

    if found is None:
        return {"ECE": error(None), "Acc_bins": [], "Prob_bins": [], "N_bins": []}
    return {
        "ECE": error(found.error),
        "ECE_debiased": error(found.debiased),
        "ECE_calibrated": replace(error(found.calibrated), higher_is_better=None),
        "ECE_test": [] if found.p_value is None else [f"p = {found.p_value:.4f}"],
        "Acc_bins": list(found.rights),
        "Prob_bins": list(found.confidences),
        "N_bins": list(found.sizes),
    }


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
