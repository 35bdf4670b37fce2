"""How many samples runs with --precision and races need, and how often they err.

    python benchmarks/early_stopping.py

Simulated benchmarks, each asked in many random orders and looked at as chef does (`run/looks.py`):

- ``precision``: the mean number of samples until the interval is narrow enough; how many a normal
  interval would need if the accuracy was known before and nobody looked in between; how often the
  accuracy of the benchmark is outside the interval at any draw (at most 5 %).
- ``race``: of two models, the mean number of samples until one is found to be better; in what share
  of races one is; how often that is the worse one.
- ``speed``: an interval after 20,000 draws.
"""

from __future__ import annotations

import argparse
import bisect
import math
import time
from collections.abc import Sequence

import numpy as np

from chef.metric.confidence_sequence import Draws, Population, log_capital, mean_interval
from chef.run.looks import looks
from chef.suite.race.standing import duels

THRESHOLD = math.log(2 / 0.05)
#: Errors are rare, and cheaper to count than samples.
ERROR_ORDERS = 10


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
            return mean_interval(draws_of(order[:n]), of, [aim]).half_width <= aim

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


def race(size: int, first: float, second: float, orders: int) -> None:
    """Two models of which the better one knows all that the other does, and 5 % are by luck."""
    rng = np.random.default_rng(0)
    asked, decided, wrong = [], 0, 0
    for _ in range(orders):
        hard, lucky = rng.random(size), rng.random((2, size))
        scores = [
            {str(k): float((hard[k] < share) != (luck[k] < 0.05)) for k in range(size)}
            for share, luck in zip((first, second), lucky, strict=True)
        ]
        better = "0" if sum(scores[0].values()) >= sum(scores[1].values()) else "1"
        named = {str(place): own for place, own in enumerate(scores)}
        for n in looks([1] * size):
            found = duels([[str(k)] for k in range(n)], named, Population(size, size, 1), 2)[0]
            if found.is_decided:
                decided += 1
                wrong += found.first != better
                break
        asked.append(n)
    print(
        f"race       {size:6}  {first:.2f} and {second:.2f}  {np.mean(asked):7.0f} asked "
        f"({100 * np.mean(asked) / size:3.0f} %)  decided {decided / orders:.0%}  "
        f"wrong {wrong / orders:.1%}"
    )


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
                precision(size, accuracy, points, orders)
    for first, second in ((0.8, 0.8), (0.8, 0.75), (0.8, 0.6)):
        race(2_000, first, second, max(1, orders // 4))
    speed()


if __name__ == "__main__":
    main()
