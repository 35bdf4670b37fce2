"""The sign-flip test of paired differences, and what a comparison of this size finds.

If two runs do not differ, each cluster's difference could as well have had the other sign. The test
compares the sum of the differences with the sums under all choices of signs (Fisher 1935, "The
Design of Experiments", section 21). Of right and wrong answers without clusters it is McNemar's
exact test.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import NamedTuple

from chef.frozen import Frozen
from chef.stats.arrays import Array, Places, np, special
from chef.stats.influence import ClusterSums, of_ratio
from chef.stats.scales import CONFIDENCE, wilson

#: How many choices of signs are drawn where they are too many to be counted.
FLIPS = 9_999
#: Up to this many clusters with a difference the signs of any numbers are counted.
_COUNTED = 16
#: Beyond this many, the sum of random signs is taken as normal.
_NORMAL = 1_000
#: The longest distribution of sums of whole numbers that is computed.
_LONGEST = 30_000
_FLIP_SEED = 0


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
    rng = np.random.default_rng(_FLIP_SEED)
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


POWER = 0.8
SEED = 0
#: Of fewer clusters all differences have the same sign by chance in more than 5% of the cases.
FEWEST = 1 + math.ceil(-math.log2(1 - CONFIDENCE))
#: Simulated comparisons for each effect that is tried, and how many are tried.
_DRAWS, _STEPS = 1000, 11
#: Above this many clusters with a difference, the sum of them is normal enough for the formula.
_MANY = 250
#: Where a sum is e^10 times as likely, the others are hardly ever drawn.
_STEEPEST = 10.0
#: Numbers drawn for each effect that is tried, where clusters are unlike.
_NUMBERS = 60_000


def detectable(differences: ClusterSums) -> float | None:
    """The smallest true difference that the sign-flip test finds with a power of 80% at 5%.

    It is the larger of two numbers. ``(t_0.975 + t_0.8) * standard error`` with the effective
    number of clusters, less one, as degrees of freedom accounts for few clusters, but takes their
    sums as normal. Source: Bloom 1995, "Minimum Detectable Effects: A Simple Way to Report the
    Statistical Power of Experimental Designs".

    The other one is of differences that are multiples of one number, as of right and wrong. It
    accounts for few of them, and for their spread, which grows with them. Comparisons are simulated
    that draw as many clusters as were seen, each with a chance of ``exp(t S)`` for its sum S (an
    exponential tilt), and t is sought for which 80% of them are called different. Above 250
    clusters that differ it would be the same, and is left out.

    The columns are sums of differences and numbers of samples. None if all clusters differ by as
    much, or if they are so few that the test never finds anything.
    """
    spread = of_ratio(differences)
    if spread is None or not spread.variance or len(differences) < FEWEST:
        return None
    table, stderr, degrees = differences.sums, math.sqrt(spread.variance), spread.effective - 1
    # A standard error of few clusters is too small on average, by the factor 1 - 1 / (4 degrees).
    expected = stderr / (1 - 1 / (4 * max(1.0, degrees)))
    normal = float(special.stdtrit(degrees, [(1 + CONFIDENCE) / 2, POWER]).sum() * expected)
    if (table[:, 0] != 0).sum() > _MANY:
        return normal
    simulated = _simulated(table)
    return None if simulated is None else max(normal, simulated)


def planned(clusters: int, differing: float = 0.3) -> tuple[float, float] | None:
    """What so many independent samples, of which runs differ on a share of ``differing``, can show.

    How far the interval of a share of one half reaches, and the smallest true difference to another
    run on the same samples that is found with a power of 80%; both in 0..1. None of fewer than six.

    >>> [round(item, 3) for item in planned(400)]
    [0.049, 0.077]
    """
    if clusters < FEWEST:
        return None
    low, high = wilson(0.5, clusters)
    reach = sum(_student_at(share, clusters - 1) for share in ((1 + CONFIDENCE) / 2, POWER))
    return (high - low) / 2, min(1.0, reach * math.sqrt(differing / clusters))


def samples_for_interval(deviation: float, points: float) -> int:
    """How many samples make the 95% interval of a mean reach ``points`` to each side.

    ``deviation`` is that of a sample with what its cluster adds: the standard error of an earlier
    mean times the root of its number of samples.

    >>> samples_for_interval(50.0, 2.0), samples_for_interval(50.0, 5.0)
    (2401, 385)
    """
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return math.ceil((reach * deviation / points) ** 2)


def samples_for_difference(deviation: float, points: float) -> int:
    """How many shared samples show a true difference of ``points`` at 5% with a power of 80%.

    That is ``((z_0.975 + z_0.8) * deviation / points) ** 2``, with the standard deviation of the
    difference on a sample: the reverse of `detectable` for many clusters (Bloom 1995, as there).

    >>> samples_for_difference(55.0, 2.0)
    5936
    """
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) + NormalDist().inv_cdf(POWER)
    return math.ceil((reach * deviation / points) ** 2)


def _student_at(share: float, degrees: int) -> float:
    """The quantile of Student's distribution of 5 degrees of freedom or more, by a series that
    needs no package; off by less than 0.0003, and 0.00001 at 10. Source: Abramowitz and Stegun
    1964, "Handbook of Mathematical Functions", 26.7.5.
    """
    z = NormalDist().inv_cdf(share)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return sum(term / float(degrees) ** power for power, term in enumerate(terms))


def _simulated(table: Array) -> float | None:
    """The effect that 80% of simulated comparisons find; 0 if that says nothing, None if none."""
    sums = table[:, 0]
    step = step_of(np.sort(np.abs(sums[sums != 0])))
    if not step:  # differences of any size, which are normal enough, and keep their spread
        return 0.0
    # The other order of the runs changes nothing.
    total = float(sums.sum())
    signs = (math.copysign(1.0, total),) if total else (1.0, -1.0)
    turned = np.concatenate([table * [sign, 1.0] for sign in signs])
    rows, counts = np.unique(turned, axis=0, return_counts=True)
    power = _Power(rows, counts, len(table), step)
    most = _STEEPEST / float(np.abs(rows[:, 0]).max())
    none = _rising(lambda tilt: power.mean(tilt) >= 0, -most, most)
    if power.found(most) < POWER:
        return None
    if power.found(none) >= POWER:  # all clusters differ in one way, by much
        return 0.0
    return power.mean(_rising(lambda tilt: power.found(tilt) >= POWER, none, most))


def _rising(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The least number for which a condition holds, which holds for all above."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


class _Power(Frozen):
    """Comparisons of so many clusters in which sums, multiples of ``step``, are likelier the larger
    they are: ``(kinds, 2)`` rows of a sum and its samples, and ``(kinds,)`` how many clusters have
    them.
    """

    rows: Array
    counts: Places
    clusters: int
    step: float

    def weights(self, tilt: float) -> Array:
        """How likely each kind of cluster is: ``(kinds,)``."""
        powers = tilt * self.rows[:, 0]
        weights: Array = self.counts * np.exp(powers - powers.max())
        weights /= weights.sum()
        return weights

    def mean(self, tilt: float) -> float:
        """The true difference."""
        sums, members = self.weights(tilt) @ self.rows
        return float(sums / members)

    def found(self, tilt: float) -> float:
        """How often it is called different."""
        sums = self.rows[:, 0]
        draws = _DRAWS if 10 * len(sums) < self.clusters else max(200, _NUMBERS // self.clusters)
        rng = np.random.default_rng(SEED)
        drawn = rng.multinomial(self.clusters, self.weights(tilt), size=min(draws, _DRAWS))
        p_values = _p_values(np.abs(drawn @ sums), drawn @ sums**2, drawn @ sums**4, self.step)
        enough = drawn @ (sums != 0) >= FEWEST
        return float(((p_values <= 1 - CONFIDENCE) & enough).mean())


def _p_values(sums: Array, squares: Array, fourths: Array, step: float) -> Array:
    """Those of the sign-flip test, by a series of Edgeworth with a correction for steps: of
    ``(draws,)`` sums without sign, and the sums of their squares and fourth powers.
    """
    squares = np.maximum(squares, np.finfo(float).tiny ** 0.25)
    x = (sums - step) / np.sqrt(squares)
    kurtosis = -2 * fourths / squares**2
    density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    tail = special.ndtr(-x) + density * kurtosis / 24 * (x**3 - 3 * x)
    p_values: Array = np.minimum(1.0, 2 * tail)
    return p_values
