"""Samples drawn by what earlier runs say about them: how many fewer, and how often they err.

    python benchmarks/items.py

Simulated benchmarks. A model is right on each item with a chance of its own (of a beta), and
the items are expected to be right with

- ``right``: these chances, whose correlation with the answers is as stated;
- ``runs``: what ten simulated runs with these chances tell by the item model;
- ``wrong``: chances of other items, which say nothing;
- ``adversarial``: the opposite of what is: 0.01 where the model is right, 0.99 where it is wrong.

A line has how many samples `--precision 3` asks without and with them, how often the mean is ever
outside of the interval, at any draw (at most 5 %), how often the interval of `--items 200` has the
mean (95 %), and how far it and that of `--limit 200` reach; of races on the benchmark how many
samples they ask without and with them, and how often the wrong model wins.
"""

from __future__ import annotations

import argparse
import bisect
import math
from dataclasses import dataclass

import numpy as np

from chef.session.drawing import looks
from chef.stats.confidence_sequence import (
    Draws,
    Population,
    difference_interval,
    log_capital,
    mean_interval,
    sampled_interval,
)
from chef.stats.guide import Expected, Guide, drawn_order, first, guides_of, items_of, weights_of
from chef.suite.race.result import AIMS

THRESHOLD, POINTS, ITEMS = math.log(2 / 0.05), 0.03, 200


@dataclass(frozen=True)
class Ordered:
    """Scores in the order of the draw, with what is expected of them."""

    scores: np.ndarray
    guide: Guide | None

    def draws(self, number: int) -> Draws:
        ones = [1] * number
        guide = None if self.guide is None else first(self.guide, number)
        return Draws(self.scores[:number].tolist(), ones, ones, guide)


def chances(rng: np.random.Generator, size: int, accuracy: float, correlation: float) -> np.ndarray:
    total = 1 / correlation**2 - 1
    return rng.beta(accuracy * total, (1 - accuracy) * total, size)


def expected(
    kind: str, rng: np.random.Generator, known: np.ndarray, scores: np.ndarray
) -> Expected:
    if kind == "runs":
        logit = np.log(np.clip(known, 1e-6, 1 - 1e-6) / (1 - np.clip(known, 1e-6, 1 - 1e-6)))
        shares = 1 / (1 + np.exp(-(logit + rng.normal(0, 0.7, (10, 1)))))
        answers = (rng.random(shares.shape) < shares).astype(float)
        return items_of([{str(i): one for i, one in enumerate(run)} for run in answers]).expected
    said = {
        "right": known, "wrong": rng.permutation(known), "adversarial": 0.99 - 0.98 * scores,
    }[kind]  # fmt: skip
    own = {str(i): float(one) for i, one in enumerate(said)}
    return Expected(own, {name: one * (1 - one) for name, one in own.items()}, 9)


def guided(scores: np.ndarray, known: Expected, of: dict[str, float], seed: int) -> Ordered:
    units = [[str(i)] for i in range(len(scores))]
    weights = weights_of(units, known)
    order = drawn_order(weights, seed)
    guide = guides_of([units[i] for i in order], of, [weights[i] for i in order])
    return Ordered(scores[order], guide)


def asked(one: Ordered) -> int:
    size = len(one.scores)
    of, every = Population(size, size, 1), looks([1] * size)

    def is_reached(n: int) -> bool:
        return mean_interval(one.draws(n), of, [POINTS]).reach <= POINTS

    return every[bisect.bisect_left(every, True, key=is_reached)]


def is_ever_outside(one: Ordered) -> bool:
    size, mean = len(one.scores), float(one.scores.mean())
    of, draws = Population(size, size, 1), one.draws(size)
    return any(
        log_capital(draws, of, [POINTS], mean, larger=larger)[:-1].max() >= THRESHOLD
        for larger in (True, False)
    )


def precision(size: int, accuracy: float, correlation: float, kind: str, runs: int) -> None:
    rng = np.random.default_rng(0)
    plain, fewer, missed, covered, reach, usual = [], [], 0, 0, [], []
    of, few = Population(size, size, 1), 20
    for seed in range(runs):
        known = chances(rng, size, accuracy, correlation)
        scores = (rng.random(size) < known).astype(float)
        mean = scores.mean()
        says = expected(kind, rng, known, scores)
        one = guided(scores, says, dict(says.scores), seed)
        missed += is_ever_outside(one)
        at_once = sampled_interval(one.draws(ITEMS), of)
        covered += at_once.low <= mean <= at_once.high
        reach.append((at_once.high - at_once.low) / 2)
        other = Ordered(rng.permutation(scores), None)
        without = sampled_interval(other.draws(ITEMS), of)
        usual.append((without.high - without.low) / 2)
        if seed < few:
            plain.append(asked(other))
            fewer.append(asked(one))
    print(
        f"| {size:,} | {accuracy:.0%} | {correlation} | {kind} | {np.mean(plain):,.0f} | "
        f"{np.mean(fewer):,.0f} | {1 - np.mean(fewer) / np.mean(plain):.0%} | "
        f"{missed / runs:.1%} | {covered / runs:.1%} | {100 * np.mean(reach):.1f} | "
        f"{100 * np.mean(usual):.1f} |",
        flush=True,
    )


def race(size: int, correlation: float, kind: str, apart: float, runs: int) -> None:
    rng = np.random.default_rng(0)
    plain, fewer, wrong = [], [], 0
    of, every = Population(size, size, 1), looks([1] * size)[:-1]
    for seed in range(runs):
        known = chances(rng, size, 0.8, correlation)
        better = (rng.random(size) < known).astype(float)
        shift = np.clip(known - apart * known * (1 - known) / (known * (1 - known)).mean(), 0, 1)
        worse = (rng.random(size) < shift).astype(float)
        apart_ = better - worse
        says = expected(kind, rng, known, better)
        for ordered, counts in (
            (Ordered(rng.permutation(apart_), None), plain),
            (guided(apart_, says, dict(says.differences), seed), fewer),
        ):

            def decided(n: int, one: Ordered = ordered) -> int:
                found = difference_interval(one.draws(n), of, AIMS)
                return (found.low > 0) - (found.high < 0)

            place = bisect.bisect_left(every, True, key=lambda n, d=decided: d(n) != 0)
            counts.append(every[place] if place < len(every) else size)
            if counts is fewer and place < len(every):
                wrong += decided(every[place]) * apart_.sum() <= 0
    print(
        f"| {correlation} | {kind} | {100 * apart:.0f} | {np.mean(plain):,.0f} | "
        f"{np.mean(fewer):,.0f} | {1 - np.mean(fewer) / np.mean(plain):.0%} | {wrong / runs:.1%} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=400, help="simulations of each line")
    given = parser.parse_args()
    for size, accuracy in ((2_000, 0.7), (2_000, 0.9), (10_000, 0.7)):
        for correlation in (0.3, 0.5, 0.7):
            kinds = ("right", "runs") if size > 2_000 else ("right", "runs", "wrong", "adversarial")
            for kind in kinds:
                # Item models of simulated runs take long.
                runs = given.runs // 5 if kind == "runs" else given.runs
                precision(size, accuracy, correlation, kind, runs)
    for correlation in (0.3, 0.5, 0.7):
        for kind in ("right", "wrong", "adversarial"):
            race(2_000, correlation, kind, 0.05, given.runs // 4)


if __name__ == "__main__":
    main()
