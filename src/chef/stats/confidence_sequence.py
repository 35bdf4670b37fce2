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

What earlier runs say about the units (`chef.stats.guide`) makes fewer draws necessary, and can be
as wrong as it likes. Unit i is drawn from the set R of what is left with the probability q_i, and
has a prediction x_i of g_i(m) = (S_i - m c_i) / L. With r_i = 1 / (|R| q_i), the mean of r g over
the draw is that of g over R, h(m) = -(sum of g so far) / |R|, and the mean of v = r x is that of x
over R. Both are known before the draw, so a draw multiplies the capital by

    1 + min(b, 1/2 / (r* m + h(m))) (r g(m) - h(m)) - b2 (v - mean of x over R)

where r* is the most that r c / L can be, and b2 depends on earlier draws only and never loses more
than 9/20 of the capital. At m* that is a fair game for any q, x and b2. The second part does not
depend on m. The first never grows with m: g falls and h grows with it, and r g - h is at least
-(r* m + h), of which it is a share that never shrinks where it is negative, as both are linear in m
and r c / L is at most r*. With equal q and x = 0 it is the game above. Source: S. Shekhar, Z. Xu,
Z. Lipton, P. Liang and A. Ramdas, "Risk-limiting Financial Audits via Weighted Sampling without
Replacement", UAI 2023 (weights, and predictions as control variates).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from chef.frozen import Frozen
from chef.stats.arrays import NDArray, np
from chef.stats.guide import Guide
from chef.stats.influence import ClusterSpread
from chef.stats.scales import bounded

ALPHA = 0.05
#: The most of its capital that a bet can lose.
RISK = 0.75
#: The same where there is a guide: of the bet on a score, and of that on a prediction.
_RISKS = 0.5, 0.45
#: As many draws as this say that the predictions are right, before any is seen.
_TRUST = 4.0
#: How an end is bisected: candidates of each round, and rounds.
_PARTS, _ROUNDS = 16, 5


class Population(Frozen):
    """What is known of a benchmark before anything is drawn.

    Attributes:
        units: number of units, which are drawn whole.
        largest: number of samples of the largest unit; no unit can have more.
        is_sample: whether the benchmark is itself a sample, and the mean is that of the source
            from which its units were drawn independently. Otherwise it is that of the benchmark.
    """

    units: int
    samples: int
    largest: int
    is_sample: bool = False


class Draws(Frozen):
    """The units that were drawn so far, in this order.

    Attributes:
        sums: the sum of the scores of each unit, 0 to its count.
        counts: how many of its samples were scored.
        sizes: how many samples it has.
        guide: what earlier runs say about the units; None where each order of them is as likely.
    """

    sums: Sequence[float]
    counts: Sequence[int]
    sizes: Sequence[int]
    guide: Guide | None = None


class Interval(Frozen):
    """The estimated mean of the population, and its interval, 0-1.

    Without a guide the estimate is the mean of the scored samples so far.

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

    It is widened to the mean where it leaves that out; an empty one leaves what is possible. It is
    valid for any ``aims``, half widths in 0-1 that share the capital, and narrowest about those;
    the mean is ever outside with a probability of ``alpha`` at most.

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
    game = Game(draws, of, aims)
    if draws.guide is not None:
        value = min(possible[1], max(possible[0], game.mean()[0]))
    threshold = math.log(2 / alpha)
    low = _end(possible[0], value, lambda m: game.log_capital(m, larger=True) >= threshold)
    high = _end(possible[1], value, lambda m: game.log_capital(m, larger=False) >= threshold)
    if low == high:  # an interval of no width would claim that all is known
        low, high = possible
    return Interval(value, low, high)


def sampled_interval(draws: Draws, of: Population) -> Interval:
    """The interval after a number of draws that was chosen before, looked at once: that of a share
    with the variance of `Game.mean` (`chef.stats.scales.bounded`), and much narrower.
    """
    scored, left = int(sum(draws.counts)), of.samples - int(sum(draws.sizes))
    if not scored:
        return Interval(0.5, 0.0, 1.0)
    total = float(sum(draws.sums))
    if not left:
        return Interval(total / scored, total / scored, total / scored)
    least, most = total / (scored + left), (total + left) / (scored + left)
    mean, variance = Game(draws, of).mean()
    units = len(draws.sums)
    value = min(most, max(least, mean))
    low, high = bounded(value, ClusterSpread(variance, max(1, units - 1), units, units))
    return Interval(value, max(least, min(value, low)), min(most, max(value, high)))


def difference_interval(
    draws: Draws, of: Population, aims: Sequence[float], alpha: float = ALPHA
) -> Interval:
    """The same for differences of two scores of each sample, in [-1, 1], as ``aims`` are."""
    shifted = [(one + n) / 2 for one, n in zip(draws.sums, draws.counts, strict=True)]
    halved = [aim / 2 for aim in aims]
    guide = None if draws.guide is None else draws.guide.halved()
    found = mean_interval(Draws(shifted, draws.counts, draws.sizes, guide), of, halved, alpha)
    return Interval(2 * found.value - 1, 2 * found.low - 1, 2 * found.high - 1)


def log_capital(
    draws: Draws, of: Population, aims: Sequence[float], m: float, *, larger: bool
) -> NDArray[Any]:
    """The log of the capital, from 0, after each draw of a gambler who bets that the mean is
    larger, or smaller, than a possible ``m``.
    """
    path: NDArray[Any] = Game(draws, of, aims).path(np.array([m]), larger=larger)[0]
    return path


class Game:
    """The draws as arrays, and the bets that each draw finds: they depend on earlier draws only.

    Raises:
        ValueError: the draws have a guide, and the benchmark is itself a sample: which unit comes
            next then tells what is left of it, and not what its source is like.
    """

    def __init__(self, draws: Draws, of: Population, aims: Sequence[float] = ()) -> None:
        if of.is_sample and draws.guide is not None:
            raise ValueError("a guide tells nothing of the source of a benchmark")
        sums, counts = np.asarray(draws.sums, float), np.asarray(draws.counts, float)
        number = np.arange(len(sums))
        self.units, self.left = of.units, of.units - number
        self.is_sample = of.is_sample
        self.gains, self.shares = sums / of.largest, counts / of.largest
        self.unscored = np.asarray(draws.sizes, float) / of.largest - self.shares
        self.size, self.centre = of.samples / of.largest, 0.5
        self._take(draws.guide)
        guess = (0.5 + _before(self.ratios * sums)) / (1 + _before(self.ratios * counts))
        deviations = self.ratios * (self.gains - guess * self.shares)
        start = 1.0 if draws.guide is None else draws.guide.slope
        self.slopes = _slopes(deviations, self.moves, start)
        rest = deviations - self.slopes * self.moves
        spread = (0.25 + _before(rest**2)) / (1 + number)
        # An error of the candidate by `aim` is this much of an edge when so few are left.
        growth = np.ones(len(sums)) if of.is_sample else of.units / self.left
        edge = np.outer(aims, growth) * of.samples / of.units / of.largest
        self.bets = edge / (spread + edge**2)
        self._guess = guess

    def _take(self, guide: Guide | None) -> None:
        """Of a guide at each draw ``r``, ``v`` less its mean, and how far that can ``reach``."""
        none = np.zeros(len(self.gains))
        self.ratios, self.most_ratio, self.moves, self.reach = 1 + none, 1 + none, none, 1 + none
        self.risk = RISK
        if guide is None:
            return
        self.risk, self.centre = _RISKS[0], guide.mean
        weights, expected = np.asarray(guide.weights), np.asarray(guide.predictions)
        mean_weight = (guide.weight - _before(weights)) / self.left
        mean = (guide.prediction - _before(expected)) / self.left
        self.ratios = mean_weight / weights
        self.most_ratio = mean_weight * guide.largest
        self.moves = self.ratios * expected - mean
        ends = mean_weight * guide.least - mean, mean_weight * guide.most - mean
        self.reach = np.maximum(1e-12, np.maximum(np.abs(ends[0]), np.abs(ends[1])))

    def path(self, m: NDArray[Any], *, larger: bool) -> NDArray[Any]:
        """The logarithm of the capital by candidate and draw."""
        gained = self.gains - np.outer(m, self.shares)
        expected = np.zeros_like(gained) if self.is_sample else -_before(gained) / self.left
        lowest, highest = (np.outer(end, self.most_ratio) for end in (-m, 1 - m))
        expected = np.clip(expected, lowest + 1e-12, highest - 1e-12)  # rounding, at the ends
        surprise = self.ratios * gained - expected
        most = self.risk / (expected - lowest if larger else highest - expected)
        sign = 1 if larger else -1
        paths = [
            np.cumsum(np.log1p(sign * (np.minimum(bet, most) * surprise - other)), axis=1)
            for bet, other in zip(self.bets, self._on_predictions(larger=larger), strict=True)
        ]
        total: NDArray[Any] = np.logaddexp.reduce(paths, axis=0) - math.log(len(paths))
        return total

    def _on_predictions(self, *, larger: bool) -> NDArray[Any]:
        """What bets on the predictions lose at each draw, by aim."""
        room = self.most_ratio * (self._guess if larger else 1 - self._guess)
        wanted = self.slopes * np.minimum(self.bets, self.risk / np.maximum(room, 1e-12))
        most = _RISKS[1] / self.reach
        lost: NDArray[Any] = np.clip(wanted, -most, most) * self.moves
        return lost

    def log_capital(self, m: NDArray[Any], *, larger: bool) -> NDArray[Any]:
        """The logarithm of the most that each candidate's gambler ever had."""
        most: NDArray[Any] = self.path(m, larger=larger).max(axis=1)
        return most

    def mean(self) -> tuple[float, float]:
        """An estimate of the mean of the benchmark, of which something is left, and its variance.

        Each draw gives an estimate of the sum of g over all units, at a mean that was fixed before:
        what was drawn, and ``|R|`` times ``r (g - slope x)`` plus the mean of ``slope x`` over R.
        Whatever the weights, the predictions and the slopes are, it is without bias, as the slope
        depends on earlier draws only; and the estimates are uncorrelated (Des Raj 1956, "Some
        Estimators in Sampling with Varying Probabilities without Replacement"). Their mean, with
        weights of 1 / (|R| (|R| - 1)), is the mean of the scores where units are single samples
        and there is no guide. It is divided by how many samples can be scored, which is estimated
        likewise where some of those drawn cannot be.
        """
        shares = 1 / (self.left * (self.left - 1.0))
        shares /= shares.sum()

        def totals(values: NDArray[Any], moves: NDArray[Any]) -> NDArray[Any]:
            all_: NDArray[Any] = _before(values) + self.left * (self.ratios * values - moves)
            return all_

        scored = self.size - float(shares @ totals(self.unscored, 0 * self.moves))
        scored = max(scored, float(self.shares.sum()))
        moves = self.slopes * self.moves
        value = self.centre + float(shares @ totals(self._deviation(self.centre), moves)) / scored
        rest = totals(self._deviation(value), moves)
        variance = float(shares @ rest**2) / max(1, len(rest) - 1) / scored**2
        return value, variance

    def _deviation(self, m: float) -> NDArray[Any]:
        """``g(m)`` of each unit."""
        values: NDArray[Any] = self.gains - m * self.shares
        return values


def _slopes(deviations: NDArray[Any], moves: NDArray[Any], start: float) -> NDArray[Any]:
    """How far the predictions are followed at each draw, -2 to 2: regression on what came before,
    with ``start`` as if `_TRUST` draws had shown that.
    """
    number = np.arange(len(moves))
    squares = _before(moves**2)
    trust = np.where(number > 0, _TRUST / np.maximum(1, number), 1.0) * squares
    top, bottom = start * trust + _before(deviations * moves), trust + squares
    slopes: NDArray[Any] = np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1.0), start)
    return np.clip(slopes, -2.0, 2.0)  # type: ignore[no-any-return]


def _before(values: NDArray[Any]) -> NDArray[Any]:
    """The sums of what comes before each value, along the last axis."""
    sums: NDArray[Any] = np.cumsum(values, axis=-1) - values
    return sums


def _end(outer: float, inner: float, is_refuted: Any) -> float:
    """The end of the interval: between ``outer``, next to which all are refuted, and ``inner``."""
    for _ in range(_ROUNDS):
        candidates = np.linspace(outer, inner, _PARTS + 1)[1:]
        refuted = int(np.argmin([*is_refuted(candidates), False]))  # how many come first
        if refuted == len(candidates):
            return inner
        if refuted:
            outer = float(candidates[refuted - 1])
        inner = float(candidates[refuted])
    return outer
