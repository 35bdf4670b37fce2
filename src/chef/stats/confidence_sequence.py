"""Confidence sequences: intervals for a mean that hold at every look, by betting.

Samples in [0, 1] are drawn without replacement from a finite benchmark, in random order. For each
candidate mean m a gambler bets on the next draw. If m is true, the mean of what is left is known
from what was drawn, so no bet has an edge, and by Ville's inequality the capital ever reaches 2/α
with probability α/2 at most. The interval holds every m whose capital never did, when betting that
the mean is larger, and when betting that it is smaller. It may be looked at after every draw, and
drawing may stop because of what is seen.

Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting",
Journal of the Royal Statistical Society B 86 (2024), sections 4 and 5 (without replacement).

What is drawn are *units*: groups of samples that are asked whole. Of unit i, S_i is the sum of the
scores and c_i how many samples could be scored; L is the size of the largest unit, N the number of
units. The mean of the benchmark over the samples that can be scored is m* = ΣS / Σc. The value

    y_i(m) = m + (S_i - m c_i) / L

lies in [0, 1], because 0 <= S_i <= c_i <= L, and over all N units its mean is m exactly where
m = m*. So a bet on y(m) is a fair game at m*, for units of any sizes, and for samples that fail,
as long as which of them fail does not depend on the order. With equal units and no failure it is
the game of the paper, with (N m - sum so far) / (N - t + 1) as the mean of what is left.

A benchmark may also be seen as a sample of N units from a source without end: of all questions like
these. In random order its units are independent draws from that source, and the same bets on y(m)
find the mean of the source, with e(m) = m at every draw (section 4 of the paper). This interval is
wider, and still has a width when all N units are drawn.

With e(m), the mean of what is left, a draw multiplies the capital of who bets on a larger mean by
1 + min(b, 3/4 / e(m)) (y(m) - e(m)), where b depends on earlier draws only. Both y - e and y / e
shrink as m grows: y' = 1 - c/L is at most 1, e' is at least 1, y >= m y', and e <= m e'. So this
capital never grows with m, and by symmetry the other never shrinks. The ends of the interval are
therefore found by bisection, without a grid, and what is returned is never too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALPHA = 0.05
#: The most of its capital that a bet can lose.
RISK = 0.75
#: How an end is bisected: candidates of each round, and rounds.
_PARTS, _ROUNDS = 16, 5


@dataclass(frozen=True, slots=True)
class Population:
    """What is known of a benchmark before anything is drawn.

    Attributes:
        units: number of units, which are drawn whole.
        samples: number of samples in all of them.
        largest: number of samples of the largest unit; no unit can have more.
        is_sample: whether the benchmark is itself a sample, and the mean is that of the source
            from which its units were drawn independently. Otherwise it is that of the benchmark.
    """

    units: int
    samples: int
    largest: int
    is_sample: bool = False


@dataclass(frozen=True, slots=True)
class Draws:
    """The units that were drawn so far, in this order.

    Attributes:
        sums: the sum of the scores of each unit, 0 to its count.
        counts: how many of its samples were scored.
        sizes: how many samples it has.
    """

    sums: Sequence[float]
    counts: Sequence[int]
    sizes: Sequence[int]


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean of the scored samples so far, and the interval of that of the population, 0-1.

    >>> Interval(0.5, 0.25, 0.875).reach
    0.375
    """

    value: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """How far the farther end is from the mean, which is not in the middle."""
        return max(self.high - self.value, self.value - self.low)


def mean_interval(
    draws: Draws, of: Population, aims: Sequence[float], alpha: float = ALPHA
) -> Interval:
    """The interval after these draws: the intersection of those after each of them.

    Args:
        draws: all draws so far.
        of: the benchmark that they are drawn from.
        aims: half widths that the bets aim at, 0-1: they share the capital. The interval is valid
            for any, and narrowest where it has about the width of one of them.
        alpha: the probability that the mean is ever outside, at most.

    >>> mean_interval(Draws([1, 0, 2], [1, 1, 2], [1, 1, 2]), Population(3, 4, 2), [0.1])
    Interval(value=0.75, low=0.75, high=0.75)
    """
    scored, total = int(sum(draws.counts)), float(sum(draws.sums))
    left = of.samples - int(sum(draws.sizes))
    if not scored:
        return Interval(0.5, 0.0, 1.0)
    value = total / scored
    if of.is_sample:
        possible = 0.0, 1.0
    elif left:  # what the mean can be at all, if everything that is left is wrong, or right
        possible = total / (scored + left), (total + left) / (scored + left)
    else:
        return Interval(value, value, value)
    game = _Game(draws, of, aims)
    threshold = math.log(2 / alpha)
    low = _end(possible[0], value, lambda m: game.log_capital(m, larger=True) >= threshold)
    high = _end(possible[1], value, lambda m: game.log_capital(m, larger=False) >= threshold)
    return Interval(value, low, high)


def difference_interval(
    draws: Draws, of: Population, aims: Sequence[float], alpha: float = ALPHA
) -> Interval:
    """The same for differences of two scores of each sample, in [-1, 1].

    Args:
        draws: ``sums`` are those of the differences.
        of: the benchmark that they are drawn from.
        aims: half widths on the scale of the differences; see `mean_interval`.
        alpha: the probability that the mean is ever outside, at most.
    """
    shifted = [(one + n) / 2 for one, n in zip(draws.sums, draws.counts, strict=True)]
    halved = [aim / 2 for aim in aims]
    found = mean_interval(Draws(shifted, draws.counts, draws.sizes), of, halved, alpha)
    return Interval(2 * found.value - 1, 2 * found.low - 1, 2 * found.high - 1)


def log_capital(
    draws: Draws, of: Population, aims: Sequence[float], m: float, *, larger: bool
) -> NDArray[Any]:
    """The logarithm of the capital after each draw, of a gambler who doubts the mean ``m``.

    Args:
        draws: all draws so far.
        of: the benchmark that they are drawn from.
        aims: half widths that the bets aim at; see `mean_interval`.
        m: a mean that the draws leave possible.
        larger: whether he bets that the mean is larger than ``m``, or that it is smaller.

    Returns:
        One value for each draw. It is 0 at the start.
    """
    import numpy as np

    path: NDArray[Any] = _Game(draws, of, aims).path(np.array([m]), larger=larger)[0]
    return path


class _Game:
    """The draws as arrays, and the bets that each draw finds: they depend on earlier draws only."""

    def __init__(self, draws: Draws, of: Population, aims: Sequence[float]) -> None:
        import numpy as np

        self.np = np
        sums, counts = np.asarray(draws.sums, float), np.asarray(draws.counts, float)
        number = np.arange(len(sums))
        self.units, self.left = of.units, of.units - number
        self.is_sample = of.is_sample
        self.gains, self.shares = sums / of.largest, counts / of.largest
        guess = (0.5 + _before(np, sums)) / (1 + _before(np, counts))
        spread = (0.25 + _before(np, (self.gains - guess * self.shares) ** 2)) / (1 + number)
        # An error of the candidate by `aim` is this much of an edge when so few are left.
        growth = np.ones(len(sums)) if of.is_sample else of.units / self.left
        edge = np.outer(aims, growth) * of.samples / of.units / of.largest
        self.bets = edge / (spread + edge**2)

    def path(self, m: NDArray[Any], *, larger: bool) -> NDArray[Any]:
        """The logarithm of the capital by candidate and draw."""
        np = self.np
        y = np.outer(m, 1 - self.shares) + self.gains
        expected = np.broadcast_to(m[:, None], y.shape)
        if not self.is_sample:
            expected = (self.units * expected - _before(np, y)) / self.left
        expected = np.clip(expected, 1e-12, 1 - 1e-12)  # rounding, at what is barely possible
        most = RISK / (expected if larger else 1 - expected)
        surprise = y - expected if larger else expected - y
        paths = [np.cumsum(np.log1p(np.minimum(bet, most) * surprise), axis=1) for bet in self.bets]
        total: NDArray[Any] = np.logaddexp.reduce(paths, axis=0) - math.log(len(paths))
        return total

    def log_capital(self, m: NDArray[Any], *, larger: bool) -> NDArray[Any]:
        """The logarithm of the most that each candidate's gambler ever had."""
        most: NDArray[Any] = self.path(m, larger=larger).max(axis=1)
        return most


def _before(np: Any, values: NDArray[Any]) -> NDArray[Any]:
    """The sums of what comes before each value, along the last axis."""
    sums: NDArray[Any] = np.cumsum(values, axis=-1) - values
    return sums


def _end(outer: float, inner: float, is_refuted: Any) -> float:
    """The end of the interval between two means: all from ``outer`` to it are refuted.

    Refuted are those next to ``outer``; where even ``inner`` is, the end is there.
    """
    import numpy as np

    for _ in range(_ROUNDS):
        candidates = np.linspace(outer, inner, _PARTS + 1)[1:]
        refuted = int(np.argmin([*is_refuted(candidates), False]))  # how many come first
        if refuted == len(candidates):
            return inner
        if refuted:
            outer = float(candidates[refuted - 1])
        inner = float(candidates[refuted])
    return outer
