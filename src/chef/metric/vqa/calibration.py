"""Calibration: does the confidence of a model match its accuracy?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.statistics import bootstrap
from chef.stats.estimate import Estimate

if TYPE_CHECKING:
    from chef.metric.statistics import Array

BINS = 10


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

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """The findings of the extended metric, and ``correct``, to compare the confidence with."""
        found = super().score_sample(record)
        confidence(record)
        return {**found, "correct": found["metric_result"]}


def calibration(probs: Sequence[float], corrects: Sequence[float]) -> dict[str, Any]:
    """The expected calibration error, over equally large bins of answers sorted by confidence.

    ``ECE = sum_b |b| / n * |mean prob of b - mean correct of b|``. Source: Nixon et al. 2019,
    "Measuring Calibration in Deep Learning" (adaptive bins). The bins are ChEF's: ten, of which the
    first ``n mod 10`` have one answer more; with fewer than ten answers each has its own bin. With
    few answers the error is biased upwards, and so are its resamples, so the interval is not
    centred on the value.

    Args:
        probs: the probabilities of the chosen options, in 0..1.
        corrects: 1 for each correct option, else 0.

    Returns:
        ``ECE``: in 0..1, with a bootstrap interval. ``Acc_bins``, ``Prob_bins``: the means of each
        bin, in order of rising confidence.

    >>> calibration([0.9, 0.5], [1.0, 0.0])["ECE"].value
    0.3
    """
    import numpy as np

    # Ties in confidence keep the given order; they must not be sorted by correctness.
    rows = np.column_stack([probs, np.arange(len(probs)), corrects])
    estimate: Estimate = bootstrap(rows, _errors, unit="0-1", higher_is_better=False)
    order = sorted(range(len(probs)), key=lambda place: probs[place])
    bins = np.array_split(np.array(order, dtype=int), max(1, min(BINS, len(order))))
    return {
        "ECE": estimate,
        "Acc_bins": [float(np.take(corrects, one).mean()) for one in bins if len(one)],
        "Prob_bins": [float(np.take(probs, one).mean()) for one in bins if len(one)],
    }


def _errors(weights: Array, rows: Array) -> Array:
    """The error of each resample; ``rows`` are sorted by confidence, and so are resamples."""
    import numpy as np

    count, n = weights.shape
    picks = np.repeat(np.tile(np.arange(n), count), weights.astype(int).ravel()).reshape(count, n)
    starts = [part[0] for part in np.array_split(np.arange(n), min(BINS, n))]
    gaps: Array = (rows[:, 0] - rows[:, 2])[picks]
    errors: Array = np.abs(np.add.reduceat(gaps, starts, axis=1)).sum(axis=1) / n
    return errors
