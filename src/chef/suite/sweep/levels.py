"""The score of each value of a factor; what moving the options does; position bias."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from chef.common.options import letters
from chef.frozen import Frozen
from chef.stats.arrays import Array, np
from chef.stats.estimate import PERCENT, Estimate, method_of
from chef.stats.figures import ratio, share, with_bounds
from chef.stats.influence import ClusterSpread, ClusterSums, of_influence, of_ratio
from chef.stats.scales import bounded, unbounded, unseen
from chef.suite.sweep.components import component, effects
from chef.suite.sweep.design import Design, design
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans, ScoreMatrix
from chef.suite.sweep.result import Level, Position, PositionBias

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
        bare = with_bounds(bare, spread, bounded(value, spread), "wilson")
    return bare.scaled(scale, "%")


def _difference(bare: Estimate, spread: ClusterSpread | None, scale: float) -> Estimate:
    """A difference with its interval, in points."""
    if spread is None or bare.value is None:
        return bare.scaled(scale, "points")
    is_share = scale == PERCENT["0-1"] and abs(bare.value) <= 1
    if spread.variance:
        bounds, method = unbounded(bare.value, spread), "student"
        if is_share and bounds is not None:
            bounds = max(-1.0, bounds[0]), min(1.0, bounds[1])
    else:
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


#: With more options than this the place of one means little.
MOST_LETTERS = 26
#: A factor changes the bias if the test says so at this level, divided by the number of factors.
_LEVEL = 0.05


class PositionChoices(Frozen):
    """What a run chose: indices of options, one for each sample; None where unknown."""

    values: Mapping[str, str]
    chosen: Sequence[int | None]
    right: Sequence[int | None]
    clusters: Sequence[str]


def position_biases(
    runs: Sequence[PositionChoices],
    factors: Mapping[str, Sequence[str]],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[PositionBias]:
    """The bias over all runs, then by the values of each factor that changes it.

    Empty where no answer counts, or questions have one option or more than `MOST_LETTERS`.
    ``resamples`` and ``seed`` are those of the permutation and the bootstrap.
    """
    counts = _counts(runs)
    if counts is None:
        return []
    biases = [_bias(counts.sum(axis=0), "", "", resamples, seed)]
    layout = design(factors, [run.values for run in runs])
    mains = [term for term in layout.terms if len(term.factors) == 1]
    for term in mains:
        # Adjusted for the other factors, as the runs of one value may differ in these as well.
        if _p_of_change(counts, effects(term, layout), resamples, seed) >= _LEVEL / len(mains):
            continue
        tables = {}
        for value in term.values:
            own = [place for place, run in enumerate(runs) if run.values[term.name] == value]
            table = counts[own].sum(axis=0)
            if table[:, -1].any():  # else these runs have no letters
                tables[value] = table
        if len(tables) > 1:
            biases += [
                _bias(table, term.name, value, resamples, seed) for value, table in tables.items()
            ]
    return biases


def _counts(runs: Sequence[PositionChoices]) -> Array | None:
    """``(runs, clusters, 2 * letters + 1)``: how often chosen, how often right, answers."""
    rows = [
        (place, cluster, chosen, right)
        for place, run in enumerate(runs)
        for cluster, chosen, right in zip(run.clusters, run.chosen, run.right, strict=True)
        if chosen is not None and right is not None
    ]
    many = max((max(row[2:]) for row in rows), default=0) + 1
    if not 2 <= many <= MOST_LETTERS:
        return None
    names = {name: place for place, name in enumerate(sorted({row[1] for row in rows}))}
    counts = np.zeros((len(runs), len(names), 2 * many + 1))
    for run, name, chosen, right in rows:
        counts[run, names[name], [chosen, many + right, 2 * many]] += 1.0
    return counts


def _bias(table: Array, factor: str, value: str, resamples: int, seed: int) -> PositionBias:
    """The bias of the answers of a table ``(clusters, 2 * letters + 1)``."""
    many = table.shape[1] // 2
    differences = table[:, :many] - table[:, many:-1]
    answers = float(table[:, -1].sum())
    sums = differences.sum(axis=0)
    distance = np.abs(sums).sum() / 2 / answers
    # Without bias the letters chosen and right in a cluster could as well be exchanged.
    rng = np.random.default_rng(seed)
    signs = rng.integers(0, 2, (resamples, len(table))) * 2.0 - 1.0
    drawn = np.abs(signs @ differences).sum(axis=1) / 2 / answers
    reached = int((drawn >= distance - 1e-12).sum())
    return PositionBias(
        factor,
        value,
        distance=100 * float(distance),
        by_chance=100 * float(drawn.mean()),
        p_value=(reached + 1) / (resamples + 1),
        letters=[_position(table, place, many) for place in range(many)],
    )


def _position(table: Array, place: int, many: int) -> Position:
    answers = table[:, -1]
    total = int(answers.sum())

    def share(hits: Array) -> Estimate:
        # How often a letter is chosen is neither good nor bad.
        item = ratio(hits.tolist(), answers.tolist(), None, higher_is_better=None)
        return replace(item, n=total)

    chosen, right = table[:, place], table[:, many + place]
    return Position(
        letters(many)[place],
        chosen=share(chosen),
        right=share(right),
        bias=difference(chosen - right, answers, total, 100.0),
    )


def _p_of_change(counts: Array, rows: Array, resamples: int, seed: int) -> float:
    """Of equal biases under all values of a factor; ``rows`` is ``(values, runs)``."""
    many = counts.shape[2] // 2
    answers = np.maximum(counts[..., -1].sum(axis=1), 1.0)
    differences = counts[..., :many] - counts[..., many:-1]
    biases = differences.sum(axis=1) / answers[:, None]
    moved = (differences - counts[..., -1:] * biases[:, None]) / answers[:, None, None]
    influence = np.moveaxis(moved, 1, 0).reshape(counts.shape[1], -1)
    nothing = ScoreMatrix(np.zeros((1, counts.shape[1])), np.arange(counts.shape[1]))
    found = RunMeans(biases.reshape(-1), influence, counts.shape[1], nothing)
    wide: Array = np.kron(rows, np.eye(many)).astype(np.float64)
    draws = found.draws(resamples, seed)
    return component("change", wide, found.means, found.covariance, draws).p_value
