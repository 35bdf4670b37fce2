"""Sums of scores that add up over shards: their mean to the last bit, and its interval."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from operator import add
from typing import TYPE_CHECKING

import msgspec

from chef.stats.estimate import PERCENT, Estimate, undefined
from chef.stats.influence import ClusterSpread
from chef.stats.scales import Bounds, bounded, unbounded, unseen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Replicates of the bootstrap; a multiple of 4, as one 64-bit word gives four weights.
REPLICATES = 200
#: Scores are whole multiples of ``1 / UNIT`` in the replicates, so that these add up exactly.
UNIT = 2**30
#: So many clusters are weighted at once.
_AT_ONCE = 4096


class Sums(msgspec.Struct, frozen=True):
    """The scores of some samples, as exact sums that add up in any order with those of others.

    ``total`` is a fraction, ``units`` rounded in `UNIT`; ``tops`` and ``bottoms`` (``(200,)``) are
    the weighted sums and the sums of weights of each replicate.
    """

    n: int
    total: str
    units: int
    tops: tuple[int, ...]
    bottoms: tuple[int, ...]
    is_counted: bool = True

    @classmethod
    def of(cls, scores: Sequence[float], clusters: Sequence[str], seed: int = 0) -> Sums:
        """The sums of at most 2^20 scores ``(n,)`` in -1..1 with the names of their clusters.

        A weight is drawn for each cluster and replicate from the Poisson distribution with mean 1,
        by a hash of the seed and the cluster's name, so that shards that share one weigh it alike.
        """
        import numpy as np

        values = np.asarray(scores, dtype=np.float64)
        if len(values) > 2**20 or not (np.abs(values) <= 1).all():
            raise ValueError("scores of a shard are at most 2^20 numbers from -1 to 1")
        different, counts = np.unique(values, return_counts=True)
        pairs = zip(different.tolist(), counts.tolist(), strict=True)
        total = sum((Fraction(value) * count for value, count in pairs), Fraction(0))
        places: dict[str, int] = {}
        where = np.array([places.setdefault(name, len(places)) for name in clusters], np.intp)
        units = np.rint(values * UNIT)
        sums = np.stack(
            [np.bincount(where, column, len(places)) for column in (units, np.ones(len(values)))]
        )
        names, replicates = list(places), np.zeros((2, REPLICATES))
        for start in range(0, len(names), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            # Whole numbers below 2^53 in doubles: exact, in any order of addition.
            replicates += sums[:, part] @ weights(names[part], seed)
        tops, bottoms = replicates.astype(np.int64).tolist()
        is_counted = bool(np.isin(different, (0.0, 1.0)).all())
        return cls(
            len(values), str(total), int(units.sum()), tuple(tops), tuple(bottoms), is_counted
        )

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.n + other.n,
            str(Fraction(self.total) + Fraction(other.total)),
            self.units + other.units,
            tuple(map(add, self.tops, other.tops)),
            tuple(map(add, self.bottoms, other.bottoms)),
            self.is_counted and other.is_counted,
        )

    def mean(self, unit: str, *, higher_is_better: bool | None = True) -> Estimate:
        """The mean of scores in 0..1, with the interval of `chef.stats.scales.bounded`."""
        if not self.n:
            return undefined(unit, higher_is_better=higher_is_better)
        p, spread = float(Fraction(self.total)) / self.n, self._spread()
        bare = Estimate(p, self.n, unit="0-1", higher_is_better=higher_is_better)
        if spread is not None:
            trials = float(self.n) if self.is_counted else None
            bare = _with(bare, spread, bounded(p, spread, trials))
            varies = p * (1 - p) / spread.variance if spread.variance else spread.effective
            bare = replace(bare, effective_n=varies if trials is None else min(varies, trials))
        return bare.scaled(100 / PERCENT[unit], unit)

    def difference(self) -> Estimate:
        """The mean of paired differences, in points of percent; Student's interval of clusters."""
        if not self.n:
            return undefined("%")
        value, spread = float(Fraction(self.total)) / self.n, self._spread()
        bare = Estimate(value, self.n, unit="0-1")
        if spread is not None:
            bounds = unbounded(value, spread) or unseen(value, -1.0, 1.0, spread.effective)
            bare = _with(bare, spread, bounds)
        return bare.scaled(100, "%")

    def _spread(self) -> ClusterSpread | None:
        """How much the mean varies; None for fewer than two clusters.

        With the sums T_b and N_b of replicate b and the mean m of n scores, the variance is the
        mean of ``(T_b - m N_b)^2 / n^2`` over the replicates. Of the weights, which have mean and
        variance 1, it expects ``sum r_c^2 / n^2`` with the residuals r_c of the clusters, which is
        the variance of a ratio of sums. It is corrected by ``C / (C - 1)`` for the effective
        number C of clusters; N_b tells that, as its variance is the sum of the squared sizes.
        Sources: Hanley and MacGibbon 2006, "Creating non-parametric bootstrap samples using
        Poisson frequencies"; Chamandy et al. 2012, "Estimating Uncertainty for Massive Data
        Streams".
        """
        squares = sum((bottom - self.n) ** 2 for bottom in self.bottoms) / REPLICATES
        effective = min(float(self.n), self.n**2 / squares if squares else 1.0)
        if effective < 1.5:
            return None
        residuals = (
            top * self.n - self.units * bottom
            for top, bottom in zip(self.tops, self.bottoms, strict=True)
        )
        whole = math.fsum((item / (UNIT * self.n**2)) ** 2 for item in residuals)
        variance = whole / REPLICATES * effective / (effective - 1)
        freedom = max(0.5, 1 / (1 / (effective - 1) + 1 / REPLICATES))
        return ClusterSpread(variance, freedom, round(effective), effective)


#: The sums of no scores.
NOTHING = Sums(0, "0", 0, (0,) * REPLICATES, (0,) * REPLICATES)


def _with(bare: Estimate, spread: ClusterSpread, bounds: Bounds) -> Estimate:
    low, high = bounds
    return replace(bare, stderr=math.sqrt(spread.variance), low=low, high=high, method="bootstrap")


def weights(names: Sequence[str], seed: int) -> NDArray[np.float64]:
    """How often each cluster is in each replicate, ``(len(names), 200)``; seed in 0..2^64 - 1.

    The words of SplitMix64 (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number
    Generators"), begun at BLAKE2b of a cluster's name with the seed as the key, are cut into 16
    bits each, which choose a weight by the distribution function of Poisson's distribution.
    """
    import numpy as np

    key = seed.to_bytes(8, "little")
    digests = b"".join(
        hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, key=key).digest()
        for name in names
    )
    steps = np.arange(1, REPLICATES // 4 + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = np.frombuffer(digests, "<u8")[:, None] + steps
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    words ^= words >> np.uint64(31)
    counts: NDArray[np.float64] = _table()[words.astype("<u8").view("<u2")]
    return counts


@cache
def _table() -> NDArray[np.float64]:
    """The weight that each number of 16 bits chooses."""
    import numpy as np

    shares = [math.exp(-1) / math.factorial(weight) for weight in range(12)]
    ends = np.rint(np.cumsum(shares) * 2**16)
    return np.searchsorted(ends, np.arange(2**16), side="right").astype(np.float64)
