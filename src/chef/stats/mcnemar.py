"""Right and wrong answers of two runs: McNemar's exact test; Holm's correction for many tests."""

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


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """p-values after Holm's correction: the chance of any false finding among them is at most 5%.

    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".

    Args:
        p_values: of several tests; None of one that could not be made, which stays None and does
            not count.

    >>> holm([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, place) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        adjusted[place] = least
    return adjusted
