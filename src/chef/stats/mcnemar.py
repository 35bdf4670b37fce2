"""Right and wrong answers of two runs: McNemar's exact test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class McNemar(NamedTuple):
    """Numbers of samples that are right, and the two-sided p-value of no difference."""

    both: int
    first_only: int
    second_only: int
    neither: int
    p_value: float


def mcnemar(first_right: Sequence[bool], second_right: Sequence[bool]) -> McNemar:
    """McNemar's exact two-sided test of two runs on the same samples.

    Of the samples that one run alone has right, each run should have half. The test takes samples
    as independent: of samples in clusters it calls equal runs different far too often.

    Source: McNemar 1947, "Note on the sampling error of the difference between correlated
    proportions or percentages".

    Args:
        first_right: of each sample, whether the first run is right.
        second_right: of each sample, whether the second run is right.

    Raises:
        ValueError: the lengths differ.

    >>> mcnemar([True, True, False, True], [True, False, False, False])
    McNemar(both=1, first_only=2, second_only=0, neither=1, p_value=0.5)
    """
    pairs = list(zip(map(bool, first_right), map(bool, second_right), strict=True))
    both, first_only = pairs.count((True, True)), pairs.count((True, False))
    second_only, neither = pairs.count((False, True)), pairs.count((False, False))
    p_value = 1.0
    if first_only + second_only:
        from scipy.stats import binomtest

        p_value = float(binomtest(first_only, first_only + second_only).pvalue)
    return McNemar(both, first_only, second_only, neither, p_value)
