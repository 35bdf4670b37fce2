"""The score of each value of a factor, all else being equal; and what moving the options does."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chef.stats.arrays import Array, np
from chef.stats.estimate import PERCENT, Estimate, method_of
from chef.stats.figures import share
from chef.stats.influence import ClusterSpread, ClusterSums, of_influence, of_ratio
from chef.stats.scales import bounded, unbounded, unseen
from chef.suite.sweep.components import effects
from chef.suite.sweep.design import Design
from chef.suite.sweep.matrix import RunMeans
from chef.suite.sweep.result import Level

#: What two weights may differ by.
_ROUNDING = 1e-12


def points(means: RunMeans, weights: Array, scale: float) -> Estimate:
    """A difference between runs, weights ``(runs,)`` of sum 0, in points, with Student's interval.

    Where all clusters say the same, it is `chef.stats.scales.unseen` of scores from 0 to 1.
    """
    value = float(weights @ means.means)
    spread = of_influence(means.influence @ weights, means.shares, value**2)
    bare = Estimate(value, means.samples, clusters=len(means.influence), higher_is_better=None)
    return _difference(bare, spread, scale)


def difference(tops: Array, bottoms: Array, n: int, scale: float) -> Estimate:
    """A ratio of sums that may be negative, in points, with Student's interval; n is shown.

    ``tops`` and ``bottoms`` are ``(clusters,)``: sums of differences, and numbers they are over.
    """
    table = ClusterSums(np.column_stack([tops, bottoms]), bottoms)
    bare = Estimate(
        float(tops.sum() / bottoms.sum()), n, clusters=len(table), higher_is_better=None
    )
    return _difference(bare, of_ratio(table), scale)


def score(means: RunMeans, weights: Array, scale: float) -> Estimate:
    """A mean over runs: in percent with the interval that a run's own score has.

    Scores that are not from 0 to 1 (``scale`` is not 100) are in points, with Student's interval.

    Args:
        means: of the runs.
        weights: ``(runs,)``, of their means; their sum is 1.
        scale: what makes a score points.
    """
    if scale != PERCENT["0-1"]:
        return points(means, weights, scale)
    matrix = means.matrix
    if matrix.is_complete and (weights >= -_ROUNDING).all():
        values = weights.clip(0) @ matrix.scores
        return share(values.clip(0, 1).tolist(), matrix.clusters.tolist())
    value = min(1.0, max(0.0, float(weights @ means.means)))
    spread = of_influence(means.influence @ weights, means.shares, value**2)
    bare = Estimate(value, means.samples, unit="0-1", clusters=len(means.influence))
    if spread is not None:
        low, high = bounded(value, spread)
        method = method_of("wilson", bare.clusters, bare.n)
        bare = replace(bare, stderr=math.sqrt(spread.variance), low=low, high=high, method=method)
    return bare.scaled(scale, "%")


def _difference(bare: Estimate, spread: ClusterSpread | None, scale: float) -> Estimate:
    """A difference with its interval, in points."""
    if spread is None or bare.value is None:
        return bare.scaled(scale, "points")
    if spread.variance:
        bounds, method = unbounded(bare.value, spread), "student"
    else:
        is_share = scale == PERCENT["0-1"] and abs(bare.value) <= 1
        bounds = unseen(bare.value, -1.0, 1.0, spread.effective) if is_share else None
        method = "unseen"
    if bounds is None:
        return bare.scaled(scale, "points")
    item = replace(
        bare, stderr=math.sqrt(spread.variance), low=bounds[0], high=bounds[1],
        method=method_of(method, bare.clusters, bare.n),
    )  # fmt: skip
    return item.scaled(scale, "points")


def levels(
    means: RunMeans, layout: Design, factors: Mapping[str, Sequence[str]], scale: float
) -> list[Level]:
    """The score of each value of each factor that can be told from the others.

    Where the grid has gaps, the scores are adjusted for the other factors, as in `components`.
    """
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
    tops, bottoms = (
        np.array([float(of(changes)) for changes in sums.values()]) for of in (sum, len)
    )
    return difference(tops, bottoms, len(sums), scale)
