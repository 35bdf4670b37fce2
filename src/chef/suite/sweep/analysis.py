"""What the runs of a sweep say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.stats.estimate import PERCENT, Estimate
from chef.suite.sweep.design import design
from chef.suite.sweep.levels import circular_change, levels, rotation_change
from chef.suite.sweep.matrix import RunMeans, ScoreMatrix, run_means
from chef.suite.sweep.positions import PositionChoices, position_biases
from chef.suite.sweep.result import Stability, SweepResult
from chef.suite.sweep.samples import CombinationScores, matrix_of_runs
from chef.suite.sweep.stability import fall, stability
from chef.suite.sweep.variance import shares

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
        found = replace(found, **_of_letters(factors, combinations))
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


def _of_letters(
    factors: Mapping[str, Sequence[str]], combinations: Sequence[CombinationScores]
) -> dict[str, Any]:
    choices = [
        PositionChoices(item.run.values, item.samples.chosen, item.samples.right, item.clusters)
        for item in combinations
        if item.samples.chosen and item.samples.right
    ]
    found = position_biases(choices, factors)
    return {"biases": found, "positions": found[0].letters if found else ()}


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
