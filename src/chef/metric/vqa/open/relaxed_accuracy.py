"""Relaxed accuracy, the measure of PlotQA and ChartQA: numbers may be 5 % off."""

from __future__ import annotations

from chef.metric.vqa.open.base import OpenAnswerMetric
from chef.reading.quantities import quantity
from chef.reading.units import units_named

#: How far off a number may be, as a share of the true one.
TOLERANCE = 0.05
_PERCENT = units_named("percent")


class RelaxedAccuracy(OpenAnswerMetric):
    """Share of free answers that equal a reference, where numbers may be 5 % off.

    A number is compared with a number: ``|answer - reference| <= 0.05 |reference|``; other texts
    have to be equal, up to case (Methani et al. 2020, "PlotQA"; Masry et al. 2022, "ChartQA").
    Numbers may be written in any form ("1,200", "12.5 %", "$5"); units must not contradict, and a
    percentage may be written as a share ("0.125").

    Metrics:
        ``relaxed_accuracy``: in % of all scored.
    """

    primary = mean_figure = "relaxed_accuracy"
    compared = "right where they equal a reference; numbers may be 5 % off (relaxed accuracy)"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0."""
        return float(any(is_close(answer, reference) for reference in references))


def is_close(answer: str, reference: str) -> bool:
    """Whether an answer equals a reference, numbers up to 5 %.

    >>> is_close("104", "100"), is_close("106", "100"), is_close("Red", "red")
    (True, False, True)
    """
    if answer.strip().lower() == reference.strip().lower():
        return True
    given, wanted = quantity(answer), quantity(reference)
    if given is None or wanted is None:
        return False
    if given.units and wanted.units and not given.units & wanted.units:
        return False
    values = [given.value]
    if _PERCENT & given.units and not wanted.units:
        values.append(given.value / 100)
    if _PERCENT & wanted.units and not given.units:
        values.append(given.value * 100)
    # The error of a decimal in floating point must not exclude the limit itself.
    slack = 1e-9 * abs(wanted.value)
    error = min(abs(value - wanted.value) for value in values)
    return error <= TOLERANCE * abs(wanted.value) + slack
