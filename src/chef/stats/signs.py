"""The sign-flip test: are the differences of pairs as likely to be of either sign?

If two runs do not differ, each cluster's difference could as well have had the other sign. The test
compares the sum of the differences with the sums under all choices of signs (Fisher 1935, "The
Design of Experiments", section 21). Of right and wrong answers without clusters it is McNemar's
exact test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chef.stats.arrays import Array, np, special

#: How many choices of signs are drawn where they are too many to be counted.
FLIPS = 9_999
#: Up to this many clusters with a difference the signs of any numbers are counted.
_COUNTED = 16
#: Beyond this many, the sum of random signs is taken as normal.
_NORMAL = 1_000
#: The longest distribution of sums of whole numbers that is computed.
_LONGEST = 30_000
_SEED = 0


def sign_flips(sums: Array) -> tuple[float, str]:
    """The two-sided p-value of the sign-flip test, in (0, 1], and how: ``exact``, ``drawn`` or
    ``normal``. All choices of signs of the sums of clusters, ``(clusters,)``, are counted where
    these are whole multiples of one number (as those of right and wrong answers are; up to 30,000
    in all), or where at most 16 of them are not 0. Otherwise 9,999 choices are drawn, and the
    observed one is counted among them (Phipson and Smyth 2010, "Permutation P-values should never
    be zero"). Above 1,000 clusters the sum of random signs is taken as normal.

    >>> import numpy as np
    >>> p_value, how = sign_flips(np.array([1.0, 1.0, 1.0, 1.0, 1.0]))
    >>> round(p_value, 4), how
    (0.0625, 'exact')
    """
    sizes = np.sort(np.abs(sums[sums != 0]))
    observed = abs(float(sums.sum()))
    if not len(sizes):
        return 1.0, "exact"
    # Rounding must not make a sum that equals the observed one smaller than it.
    least = observed - 1e-9 * float(sizes.sum())
    if unit := step_of(sizes):
        return _of_whole(np.rint(sizes / unit), observed / unit), "exact"
    if len(sizes) <= _COUNTED:
        signs = 1 - 2 * ((np.arange(2 ** len(sizes))[:, None] >> np.arange(len(sizes))) & 1)
        return float((np.abs(signs @ sizes) >= least).mean()), "exact"
    if len(sizes) > _NORMAL:
        return float(2 * special.ndtr(-observed / np.sqrt((sizes**2).sum()))), "normal"
    rng = np.random.default_rng(_SEED)
    signs = 1 - 2 * rng.integers(0, 2, (FLIPS, len(sizes)), dtype=np.int8)
    beyond = int((np.abs(signs @ sizes) >= least).sum())
    return (beyond + 1) / (FLIPS + 1), "drawn"


def step_of(sizes: Array) -> float:
    """The number that all sizes, rising and above 0, are whole multiples of, by Euclid; 0 for none.

    >>> import numpy as np
    >>> round(step_of(np.array([0.3, 0.6, 1.0])), 6), step_of(np.array([1.0, 2**0.5]))
    (0.1, 0.0)
    """
    unit, rounding = float(sizes[0]), 1e-9 * float(sizes[-1])
    for size in np.unique(sizes):
        rest = float(size)
        while rest > rounding:
            unit, rest = rest, abs(unit - rest * round(unit / rest))
        if sizes.sum() > _LONGEST * unit:  # no multiples, or too many to be counted
            return 0.0
    return unit


def _of_whole(sizes: Array, observed: float) -> float:
    """The p-value where sums are whole numbers: the distribution of a sum of binomials."""
    chances = np.ones(1)
    for size, count in zip(*np.unique(sizes.astype(int), return_counts=True), strict=True):
        # `count` signs of which b are positive add size * (2 b - count).
        one = np.zeros(size * count + 1)
        b = np.arange(count + 1)
        ways = special.gammaln(count + 1) - special.gammaln(b + 1) - special.gammaln(count - b + 1)
        one[::size] = np.exp(ways - count * np.log(2))
        chances = np.convolve(chances, one)
    places = 2 * np.arange(len(chances)) - (len(chances) - 1)
    return float(min(1.0, chances[np.abs(places) > observed - 0.5].sum()))


class McNemarTest(NamedTuple):
    """Numbers of samples that are right, and the two-sided p-value of no difference."""

    both: int
    first_only: int
    second_only: int
    neither: int
    p_value: float


def mcnemar(first_right: Sequence[bool], second_right: Sequence[bool]) -> McNemarTest:
    """McNemar's exact two-sided test of two runs on the same samples, by whether each is right.

    Of the samples that one run alone has right, each run should have half. The test takes samples
    as independent: of samples in clusters it calls equal runs different far too often. Source:
    McNemar 1947, "Note on the sampling error of the difference between correlated proportions or
    percentages".

    >>> mcnemar([True, True, False, True], [True, False, False, False])
    McNemarTest(both=1, first_only=2, second_only=0, neither=1, p_value=0.5)
    """
    pairs = list(zip(map(bool, first_right), map(bool, second_right), strict=True))
    both, first_only = pairs.count((True, True)), pairs.count((True, False))
    second_only, neither = pairs.count((False, True)), pairs.count((False, False))
    p_value = 1.0
    if first_only + second_only:
        fewer, differing = min(first_only, second_only), first_only + second_only
        p_value = min(1.0, 2 * float(special.bdtr(fewer, differing, 0.5)))
    return McNemarTest(both, first_only, second_only, neither, p_value)
