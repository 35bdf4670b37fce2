"""Calibration: does the confidence of a model match its accuracy?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from chef.errors import DataError
from chef.metric.base import Metric
from chef.stats.calibration import calibration_error
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate


def confidence(record: Mapping[str, Any]) -> float:
    """The probability of the chosen option, in 0..1, computed from the scores.

    Raises:
        DataError: the options were not scored.
    """
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
        found = super().score_sample(record)
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
