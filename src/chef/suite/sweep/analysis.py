"""What the runs of a sweep say together, and which of its recipes is the most stable."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from chef.common.seeding import sample_rng
from chef.stats.arrays import Array, np
from chef.stats.estimate import PERCENT, Estimate
from chef.suite.sweep.components import component, shares, variance_interval
from chef.suite.sweep.design import design
from chef.suite.sweep.levels import (
    PositionChoices,
    circular_change,
    levels,
    points,
    position_biases,
    rotation_change,
    score,
)
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans, ScoreMatrix, run_means
from chef.suite.sweep.result import PositionBias, Stability, SweepResult
from chef.suite.sweep.samples import CombinationScores, matrix_of_runs

#: The factor whose values word the question.
WORDING = "wording"
#: Figures and means that differ by less, in points, are the same.
_ROUNDING = 0.06
_TOO_LITTLE = "Fewer than two runs have scores: there is nothing to compare."


def analyse(
    name: str,
    folder: Path,
    factors: Mapping[str, Sequence[str]],
    combinations: Sequence[CombinationScores],
    *,
    roles: Mapping[str, str] | None = None,
    rotation: str | None = None,
) -> SweepResult:
    """Analyse the runs of a sweep, of whose grid some may be missing.

    A factor without a role is a choice. ``rotation`` is the factor that moves the options to other
    letters, its first value the order of the data.
    """
    given = roles or {}
    values = [item.run.values for item in combinations]
    notes: list[str] = []
    found = SweepResult(name, folder, factors, [item.run for item in combinations])
    if combinations:
        found = replace(found, biases=_biases(factors, combinations))
    matrix = matrix_of_runs(combinations)
    if len(combinations) < 2 or not matrix.scores.size:
        return replace(found, notes=[_TOO_LITTLE])
    scale = _scale(combinations)
    notes += _notes_of_scores(combinations, matrix, scale)
    means, layout = run_means(matrix), design(factors, values)
    notes += layout.notes
    stable, told = _stable(matrix, factors, values, given, scale)
    return replace(
        found,
        shares=shares(matrix, means, layout, scale=scale),
        levels=levels(means, layout, factors, scale),
        stable=stable,
        fall=fall(stable),
        rotation=_rotation(combinations, means, factors, rotation, scale),
        notes=[*notes, *told],
    )


def _stable(
    matrix: ScoreMatrix,
    factors: Mapping[str, Sequence[str]],
    values: Sequence[Mapping[str, str]],
    roles: Mapping[str, str],
    scale: float,
) -> tuple[list[Stability], list[str]]:
    """The recipes, and what a reader has to know of them."""
    several = [name for name in factors if len({run[name] for run in values}) > 1]
    conditions = {name for name in several if roles.get(name, "choice") == "nuisance"}
    notes = []
    if not conditions and len(several) > 1 and WORDING in several:
        conditions = {WORDING}
        notes.append("No factor is a nuisance: the spread of recipes is that over the wordings.")
    elif not conditions and several:
        notes.append(
            "No factor is a nuisance, so nothing is known of the spread of a recipe: recipes are "
            "compared by accuracy alone. Add a factor such as wording, seed or rotation."
        )
    choices = [name for name in several if name not in conditions]
    found = stability(matrix, choices, values, scale=scale) if choices else []
    if found and len({item.runs for item in found}) > 1:
        notes.append(
            "Not all recipes were run under the same conditions, as the grid has gaps; compare "
            "with care."
        )
    return found, notes


def _biases(
    factors: Mapping[str, Sequence[str]], combinations: Sequence[CombinationScores]
) -> list[PositionBias]:
    choices = [
        PositionChoices(item.run.values, item.samples.chosen, item.samples.right, item.clusters)
        for item in combinations
        if item.samples.chosen and item.samples.right
    ]
    return position_biases(choices, factors)


def _rotation(
    combinations: Sequence[CombinationScores],
    means: RunMeans,
    factors: Mapping[str, Sequence[str]],
    rotation: str | None,
    scale: float,
) -> Estimate | None:
    values = [item.run.values for item in combinations]
    if rotation is not None and rotation in factors:
        return rotation_change(means, values, rotation, factors[rotation][0], scale)
    rotated = [item for item in combinations if any(item.samples.rotations)]
    return circular_change(
        [item.samples.rotations for item in rotated],
        [item.samples.scores for item in rotated],
        [item.clusters for item in rotated],
        scale,
    )


def _scale(combinations: Sequence[CombinationScores]) -> float:
    """What makes a score points: 100 for scores from 0 to 1."""
    known = [value for item in combinations for value in item.samples.scores if value is not None]
    return PERCENT["0-1"] if min(known) >= 0 and max(known) <= 1 else 1.0


def _notes_of_scores(
    combinations: Sequence[CombinationScores], matrix: ScoreMatrix, scale: float
) -> list[str]:
    notes = []
    every = matrix.left_out + matrix.scores.shape[1]
    if matrix.left_out:
        notes.append(
            f"{matrix.left_out} of {every} samples are left out of the analysis, as not every run "
            "has a score of them."
        )
    if not matrix.is_complete:
        notes.append(
            "Few samples have a score in every run. Those that some runs lack are used as well: "
            "runs are compared by least squares on the samples that they share."
        )
    kinds = sorted({item.run.report.primary for item in combinations})
    if len(kinds) > 1:
        notes.append(
            f"The main figures are of {len(kinds)} kinds ({', '.join(kinds)}): a factor that "
            "changes the figure is told by the scores of different metrics."
        )
    if any(_differs(item, scale) for item in combinations):
        notes.append(
            "The main figure is not the mean of the samples' scores. Shares, recipes and effects "
            "are of that mean."
        )
    return notes


def _differs(item: CombinationScores, scale: float) -> bool:
    """Whether the main figure is another than the mean of the samples' scores."""
    known = [value for value in item.samples.scores if value is not None]
    figure = item.run.figure
    if figure.value is None or not known:
        return False
    value = figure.value * PERCENT.get(figure.unit, 1.0)
    return abs(value - scale * sum(known) / len(known)) > _ROUNDING


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
