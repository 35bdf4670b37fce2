"""How many samples runs with --precision and races need, and how often they err.

    python benchmarks/early_stopping.py

Simulated benchmarks, each asked in many random orders and looked at as chef does
(`session/drawing.py`):

- ``precision``: the mean number of samples until the interval is narrow enough; how many a normal
  interval would need if the accuracy was known before and nobody looked in between; how often the
  accuracy of the benchmark is outside the interval at any draw (at most 5 %).
- ``race``: the mean number of samples until one of several models is found to be better; in what
  share of races one is; in what share any model is found to be better than one that it is not
  better than (on questions like these: in general; on the benchmark: on its samples; at most 5 %).
- ``speed``: an interval after 20,000 draws.
"""

from __future__ import annotations

import argparse
import bisect
import itertools
import math
import time
from collections.abc import Sequence
from typing import get_args

import numpy as np

from chef.session.drawing import looks
from chef.stats.confidence_sequence import Draws, Population, log_capital, mean_interval
from chef.suite.race.result import AIMS, On

THRESHOLD = math.log(2 / 0.05)
#: Errors are rare, and cheaper to count than samples.
ERROR_ORDERS = 100


def draws_of(scores: Sequence[float]) -> Draws:
    ones = [1] * len(scores)
    return Draws(scores, ones, ones)


def precision(size: int, accuracy: float, points: float, orders: int) -> None:
    rng = np.random.default_rng(0)
    scores = np.zeros(size)
    scores[: round(size * accuracy)] = 1
    of, aim, asked, errors = Population(size, size, 1), points / 100, [], 0
    for _ in range(orders):
        order = list(rng.permutation(scores))
        every = looks([1] * size)

        def is_reached(n: int, order: Sequence[float] = order) -> bool:
            return mean_interval(draws_of(order[:n]), of, [aim]).reach <= aim

        # Intervals are nested, so the first one that is narrow enough is found by halving.
        asked.append(every[bisect.bisect_left(every, True, key=is_reached)])
    looked = ERROR_ORDERS * orders
    for _ in range(looked):
        drawn = draws_of(list(rng.permutation(scores)))
        errors += any(
            log_capital(drawn, of, [aim], scores.mean(), larger=larger).max() >= THRESHOLD
            for larger in (True, False)
        )
    fixed = 1.96**2 * accuracy * (1 - accuracy) / aim**2
    fixed /= 1 + fixed / size
    print(
        f"precision  {size:6}  accuracy {accuracy:.2f}  ±{points:<4}  {np.mean(asked):7.0f} asked "
        f"({100 * np.mean(asked) / size:3.0f} %)  fixed {fixed:6.0f}  errors {errors / looked:.1%}"
    )


def race(
    size: int, shares: Sequence[float], most: int, on: On, races: int, *, spread: float = 1.0
) -> None:
    """Models that know shares of all questions, on benchmarks drawn of these.

    Args:
        size: number of samples of a benchmark.
        shares: how often each model is right on questions in general.
        most: an image has 1 to so many questions, and they are asked together.
        on: where the winner is better.
        races: number of races, each on a benchmark of its own.
        spread: how little a model's chances to be right differ between images: they are those of
            a beta distribution with this sum of its parameters.
    """
    rng = np.random.default_rng(0)
    asked, decided, wrong, pairs = [], 0, 0, math.comb(len(shares), 2)
    level = math.log(2 * pairs / 0.05)
    for _ in range(races):
        sizes = _sizes(rng, size, most)
        chances = np.array([rng.beta(p * spread, (1 - p) * spread, len(sizes)) for p in shares])
        right = rng.binomial(sizes, chances).astype(float)
        better = right.sum(axis=1) if on == "benchmark" else np.array(shares)
        of = Population(len(sizes), size, max(sizes), is_sample=on == "questions")
        every = np.array(looks(sizes))
        every = every[every < len(sizes)] if on == "benchmark" else every
        first: dict[tuple[int, int], int] = {}
        for one, other in itertools.permutations(range(len(shares)), 2):
            shifted = Draws((right[one] - right[other] + sizes) / 2, sizes, sizes)
            capital = log_capital(shifted, of, [aim / 2 for aim in AIMS], 0.5, larger=True)
            reached = np.maximum.accumulate(capital)[every - 1] >= level
            if reached.any():
                first[one, other] = int(every[np.argmax(reached)])
        end = _winner_at(first, len(shares))
        asked.append(sum(sizes[:end]) if end else size)
        decided += bool(end)
        wrong += any(better[one] <= better[other] for one, other in first)
    known = " ".join(f"{share:.2f}" for share in shares)
    print(
        f"race       {size:6}  {known:20} 1-{most} of an image  on {on:9}  {np.mean(asked):7.0f} "
        f"asked  decided {decided / races:6.1%}  wrong {wrong / races:.1%} of {races}"
    )


def _sizes(rng: np.random.Generator, size: int, most: int) -> list[int]:
    """How many questions each image has; they add up to ``size``."""
    sizes: list[int] = []
    while (left := size - sum(sizes)) > 0:
        sizes.append(min(left, int(rng.integers(1, most + 1))))
    return sizes


def _winner_at(first: dict[tuple[int, int], int], models: int) -> int | None:
    """When all models but one have left, by when each pair is decided; None for never."""
    out: dict[int, int] = {}
    for (one, other), when in sorted(first.items(), key=lambda item: item[1]):
        if out.get(one, when) >= when:  # the one that is better was still asked
            out.setdefault(other, when)
    return max(out.values()) if len(out) == models - 1 else None


def speed() -> None:
    order = np.random.default_rng(0).permutation([1.0, 1.0, 0.0] * 10_000)[:20_000]
    before = time.perf_counter()
    mean_interval(draws_of(list(order)), Population(30_000, 30_000, 1), [0.01])
    print(f"speed      an interval after 20,000 draws: {time.perf_counter() - before:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=100, help="random orders of each benchmark")
    parser.add_argument("--sizes", type=int, nargs="+", default=[500, 2_000, 20_000])
    given = parser.parse_args()
    orders = given.orders
    for size in given.sizes:
        for accuracy in (0.5, 0.9, 0.99):
            for points in (1.5, 3):
                # Large benchmarks take long, and say nothing else.
                precision(size, accuracy, points, orders if size < 10_000 else orders // 10 or 1)
    races = 10 * orders
    for on in get_args(On):
        for shares in ((0.8, 0.6), (0.8, 0.75), (0.8, 0.8), (0.8, 0.8, 0.8, 0.8)):
            for most in (1, 6):
                race(2_000, shares, most, on, races)
    speed()


if __name__ == "__main__":
    main()
