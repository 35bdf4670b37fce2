"""The score of each value of a factor, all else being equal; and what moving the options does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.stats.estimate import Estimate
from chef.suite.sweep.components import effects
from chef.suite.sweep.design import Design
from chef.suite.sweep.estimates import difference, points, score
from chef.suite.sweep.matrix import RunMeans
from chef.suite.sweep.result import Level


def levels(
    means: RunMeans, layout: Design, factors: Mapping[str, Sequence[str]], scale: float
) -> list[Level]:
    """The score of each value of each factor that can be told from the others.

    Where the grid has gaps, the scores are adjusted for the other factors, as in `components`.
    """
    import numpy as np

    average = np.full(layout.runs, 1 / layout.runs)
    found = []
    for term in layout.terms:
        if len(term.factors) > 1:
            continue
        for value, row in zip(term.values, effects(term, layout), strict=True):
            effect = points(means, row, scale)
            mean = score(means, row + average, scale)
            found.append(Level(term.name, value, mean, effect))
    order = {
        (name, value): place for name, known in factors.items() for place, value in enumerate(known)
    }
    names = list(factors)
    return sorted(
        found, key=lambda item: (names.index(item.factor), order[item.factor, item.value])
    )


def rotation_change(
    means: RunMeans, values: Sequence[Mapping[str, str]], factor: str, original: str, scale: float
) -> Estimate | None:
    """How the score changes when options are moved, in points: moved minus original.

    Paired: each run with the original order is compared with the runs that differ in nothing else;
    None where no run has its counterpart.
    """
    import numpy as np

    groups: dict[tuple[str, ...], list[int]] = {}
    for run, given in enumerate(values):
        key = tuple(value for name, value in sorted(given.items()) if name != factor)
        groups.setdefault(key, []).append(run)
    weights = np.zeros(len(values))
    pairs = 0
    for runs in groups.values():
        base = [run for run in runs if values[run][factor] == original]
        moved = [run for run in runs if values[run][factor] != original]
        if base and moved:
            weights[base] -= 1 / len(base)
            weights[moved] += 1 / len(moved)
            pairs += 1
    if not pairs:
        return None
    return points(means, weights / pairs, scale)


def circular_change(
    rotations: Sequence[Sequence[int]],
    scores: Sequence[Sequence[float | None]],
    clusters: Sequence[Sequence[str]],
    scale: float,
) -> Estimate | None:
    """The same within circular runs: the mean of the rotated rows of a question minus its own row.

    Each argument has the samples of each run: ``rotations`` (0: the order of the data), scores, and
    the question as ``clusters``. None where no question has a score both ways.
    """
    sums: dict[str, list[float]] = {}
    for places, values, names in zip(rotations, scores, clusters, strict=True):
        rows: dict[str, tuple[list[float], list[float]]] = {}
        for place, value, name in zip(places, values, names, strict=True):
            if value is not None:
                rows.setdefault(name, ([], []))[place != 0].append(value)
        for name, (base, moved) in rows.items():
            if base and moved:
                change = sum(moved) / len(moved) - sum(base) / len(base)
                sums.setdefault(name, []).append(change)
    if not sums:
        return None
    import numpy as np

    tops, bottoms = (
        np.array([float(of(changes)) for changes in sums.values()]) for of in (sum, len)
    )
    return difference(tops, bottoms, len(sums), scale)
