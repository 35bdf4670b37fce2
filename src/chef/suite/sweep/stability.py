"""The most stable recipe: highest accuracy against lowest spread.

A recipe is one value of each factor that its author chooses; the runs that differ in the other
factors only (wording, seed, order of options, model) are its conditions, and their standard
deviation is its spread, without the noise of the samples as in `variance`.

The recipe is chosen on one half of the samples by its accuracy less its spread, and what is told of
it comes from the other half: the best of many on the samples that chose it looks better than it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from chef.common.seeding import sample_rng
from chef.stats.arrays import Array, np
from chef.stats.estimate import Estimate
from chef.suite.sweep.components import component, variance_interval
from chef.suite.sweep.levels import points, score
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans, ScoreMatrix, run_means
from chef.suite.sweep.result import Stability

#: The values of the factors that the author of a recipe chooses.
Key: TypeAlias = tuple[str, ...]
#: Fewer clusters than this in a half tell nothing.
FEWEST = 5


def recipes(choices: Sequence[str], values: Sequence[Mapping[str, str]]) -> dict[Key, list[int]]:
    """The runs of each recipe, by its values of the factors that its author chooses."""
    recipes: dict[Key, list[int]] = {}
    for run, given in enumerate(values):
        recipes.setdefault(tuple(given[name] for name in choices), []).append(run)
    return recipes


def stability(
    matrix: ScoreMatrix,
    choices: Sequence[str],
    values: Sequence[Mapping[str, str]],
    *,
    scale: float = 100.0,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Stability]:
    """Recipes, the highest accuracy less spread on the second half first.

    ``choices`` are the factors that the author of a recipe chooses, ``scale`` makes a score points,
    ``seed`` is that of the halves and of the bootstrap over clusters. Empty for fewer than two
    recipes, or fewer than `FEWEST` clusters in a half.
    """
    runs = recipes(choices, values)
    count = int(matrix.clusters.max(initial=-1)) + 1
    if len(runs) < 2 or count < 2 * FEWEST:
        return []
    order = list(range(count))
    sample_rng(seed, "halves").shuffle(order)
    halves = [
        run_means(matrix.of_clusters(part)) for part in (order[: count // 2], order[count // 2 :])
    ]
    told = []
    for means in halves:
        draws = means.draws(resamples, seed)
        told.append({key: _half(means, draws, of, scale) for key, of in runs.items()})
    first, second = told
    # The spread of a single run is unknown, which is no merit.
    most = max(map(len, runs.values()))
    fair = [key for key, of in runs.items() if len(of) > 1 or most == 1]
    ranked = sorted(
        fair, key=lambda key: (first[key][1].value or 0.0) - (first[key][0].value or 0.0)
    )
    best = ranked[0]
    front = _front({key: second[key] for key in fair})
    lead = _lead(halves[1], runs[best], runs[ranked[1]], scale) if len(fair) > 1 else None
    found = [
        Stability(
            dict(zip(choices, key, strict=True)),
            second[key][0],
            second[key][1].value or 0.0,
            chosen=key == best,
            interval=second[key][1] if len(of) > 1 else None,
            first_half=first[key][0].value,
            on_front=key in front,
            lead=lead if key == best else None,
            runs=len(of),
        )
        for key, of in runs.items()
    ]
    return sorted(
        found,
        key=lambda item: (
            item.runs == 1 and most > 1,
            item.spread - (item.accuracy.value or 0.0),
        ),
    )


def fall(found: Sequence[Stability]) -> float | None:
    """How far the chosen recipe falls from the first half to the second, in points; or None.

    Against the mean of all recipes, so that it does not count if one half is more difficult.
    """
    pairs = [
        (item.first_half - item.accuracy.value, item.chosen)
        for item in found
        if item.first_half is not None and item.accuracy.value is not None
    ]
    own = [change for change, chosen in pairs if chosen]
    return own[0] - sum(change for change, _ in pairs) / len(pairs) if own else None


def _half(
    means: RunMeans, drawn: Array, runs: Sequence[int], scale: float
) -> tuple[Estimate, Estimate]:
    """Accuracy and spread of a recipe on one half of the samples."""
    count = len(means.means)
    mean = np.zeros(count)
    mean[list(runs)] = 1 / len(runs)
    centred = (np.eye(count)[list(runs)] - mean) / math.sqrt(len(runs))
    part = component("spread", centred, means.means, means.covariance, drawn)
    low, high = variance_interval(part)
    value = math.sqrt(max(0.0, part.variance))
    spread = Estimate(
        value,
        means.samples,
        low=min(value, math.sqrt(low)),
        high=max(value, math.sqrt(high)),
        method="bootstrap, clustered",
        higher_is_better=False,
    )
    accuracy = score(means, mean, scale)
    return accuracy, spread.scaled(scale, "points")


def _lead(means: RunMeans, first: Sequence[int], second: Sequence[int], scale: float) -> Estimate:
    """By how much the first recipe's mean exceeds the second's, on the same samples."""
    weights = np.zeros(len(means.means))
    weights[list(first)] += 1 / len(first)
    weights[list(second)] -= 1 / len(second)
    return points(means, weights, scale)


def _front(found: Mapping[Key, tuple[Estimate, Estimate]]) -> set[Key]:
    """Recipes that no other beats in accuracy or spread without being worse in the other."""
    pairs = {key: (item[0].value or 0.0, -(item[1].value or 0.0)) for key, item in found.items()}

    def is_beaten(own: tuple[float, float]) -> bool:
        return any(
            other != own and other[0] >= own[0] and other[1] >= own[1] for other in pairs.values()
        )

    return {key for key, pair in pairs.items() if not is_beaten(pair)}
