"""Sweeps of known factors: are their variances recovered, and how long does it take?

    python benchmarks/sweeps.py

Answers are right or wrong by chance, with a probability of the run's effects and the sample's
difficulty; samples of a cluster are alike. For each term of several designs: the true deviation
(the standard deviation that it gives the score of a run, in points), the root of the mean shown
variance (too large where noise is, as no variance is shown below 0), how often the interval of the
deviation and that of the share cover the truth (95 % of the time, and about 97.5 % where the truth
is 0, which only one end can miss), the true share and the mean of the estimated ones, and how often
the p-value is at most 5 % (the power; of terms without an effect the error of the test).
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chef.suite.sweep.components import shares
from chef.suite.sweep.design import design
from chef.suite.sweep.matrix import ScoreMatrix, run_means

Effects = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Plan:
    """A sweep to simulate.

    Attributes:
        effects: by factor, what each of its values adds to the probability of a right answer; the
            sum is 0.
        interaction: of the first two values of the first two factors: added where they are alike,
            subtracted where not.
        samples, clusters: how many.
        gaps: how many runs of the grid are missing, at random.
    """

    effects: Effects
    interaction: float = 0.0
    samples: int = 300
    clusters: int = 300
    gaps: int = 0

    @property
    def grid(self) -> list[tuple[int, ...]]:
        return list(itertools.product(*[range(len(known)) for known in self.effects.values()]))

    def joint(self, cell: tuple[int, ...]) -> float:
        if len(cell) < 2 or cell[0] > 1 or cell[1] > 1:
            return 0.0
        return self.interaction if cell[0] == cell[1] else -self.interaction

    def truth(self) -> dict[str, float]:
        """The variance of each term over the full grid, from the effects alone."""
        names = list(self.effects)
        variances = {name: float(np.mean(np.square(known))) for name, known in self.effects.items()}
        if self.interaction:
            # The interaction of two by two values has no main effect.
            sizes = [len(self.effects[name]) for name in names[:2]]
            variances[" × ".join(names[:2])] = self.interaction**2 * 4 / (sizes[0] * sizes[1])
        return variances


def simulate(plan: Plan, rng: np.random.Generator) -> tuple[ScoreMatrix, dict[str, Any], list[Any]]:
    """Scores of the runs, the factors and the values of the runs."""
    grid = plan.grid
    kept = sorted(rng.permutation(len(grid))[: len(grid) - plan.gaps])
    cells = [grid[place] for place in kept]
    clusters = np.arange(plan.samples) % plan.clusters
    chances = np.array(
        [
            0.55
            + plan.joint(cell)
            + sum(known[at] for known, at in zip(plan.effects.values(), cell, strict=True))
            for cell in cells
        ]
    )
    difficulty = rng.uniform(-0.2, 0.2, plan.clusters)[clusters]
    # The samples of a cluster are harder for some runs than for others.
    own = rng.uniform(-0.05, 0.05, (len(cells), plan.clusters))[:, clusters]
    chance = chances[:, None] + difficulty + own
    assert chance.min() >= 0
    assert chance.max() <= 1
    scores = (rng.random(chance.shape) < chance).astype(float)
    names = list(plan.effects)
    values = [{name: str(at) for name, at in zip(names, cell, strict=True)} for cell in cells]
    factors = {name: [str(at) for at in range(len(known))] for name, known in plan.effects.items()}
    return ScoreMatrix(scores, clusters), factors, values


def covered(plan: Plan, times: int, resamples: int = 1000) -> dict[str, dict[str, float]]:
    """How well each term is recovered; see the top of the file."""
    truth, rows = plan.truth(), {}
    total = sum(truth.values())
    rng = np.random.default_rng(0)
    for seed in range(times):
        matrix, factors, values = simulate(plan, rng)
        found = shares(
            matrix, run_means(matrix), design(factors, values), resamples=resamples, seed=seed
        )
        for item in found:
            if item.deviation is None or item.share.value is None:
                continue
            true = truth.get(item.term, 0.0)
            deviation, share = 100 * true**0.5, true / total
            step = 1 / 400  # of the grid of candidates
            rows.setdefault(item.term, []).append(
                (
                    deviation,
                    item.deviation.value**2,
                    item.deviation.low - 0.01 <= deviation <= item.deviation.high + 0.01,
                    share,
                    item.share.value,
                    item.share.low - step <= share <= item.share.high + step,
                    item.p_value is not None and item.p_value <= 0.05,
                )
            )
    keys = (
        "deviation", "estimated", "covered", "share", "estimated share", "share covered", "shown",
    )  # fmt: skip
    means = {
        term: dict(zip(keys, np.mean(known, axis=0), strict=True)) for term, known in rows.items()
    }
    for row in means.values():
        row["estimated"] = row["estimated"] ** 0.5
    return means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=400, help="simulations of each design")
    times = parser.parse_args().times
    three: Effects = {
        "inferencer": (-0.02, 0.02), "wording": (-0.03, 0.01, 0.02), "seed": (0.0, 0.0, 0.0),
    }  # fmt: skip
    plans = {
        "full grid, 1,000 samples": Plan(three, samples=1000, clusters=1000),
        "full grid, interaction, 100 clusters of 3": Plan(three, 0.01, 300, 100),
        "13 of 18 runs, interaction, 300 clusters": Plan(three, 0.01, 1000, 300, gaps=5),
        "16 of 18 runs, large interaction": Plan(three, 0.05, 1000, 1000, gaps=2),
        "13 of 18 runs, large interaction": Plan(three, 0.05, 1000, 1000, gaps=5),
    }
    for title, plan in plans.items():
        print(title)
        for term, row in covered(plan, times).items():
            print(f"  {term:24}", "  ".join(f"{key} {value:.3f}" for key, value in row.items()))
    large = Plan({**three, "ices": (-0.01, 0.0, 0.0, 0.01)}, samples=5000, clusters=5000, gaps=48)
    matrix, factors, values = simulate(large, np.random.default_rng(0))
    start = time.perf_counter()
    shares(matrix, run_means(matrix), design(factors, values))
    print(f"{len(values)} runs x 5,000 samples, 1,000 draws: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
