"""Position bias: how often each option letter is chosen, against how often it is right.

An answer counts where its letter could be read and exactly one letter is right. Intervals are
cluster-robust: the answers of all runs about one question or image belong together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chef.common.options import letters
from chef.frozen import Frozen
from chef.stats.arrays import Array, np
from chef.stats.estimate import Estimate
from chef.stats.figures import ratio
from chef.suite.sweep.components import component, effects
from chef.suite.sweep.design import design
from chef.suite.sweep.levels import difference
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans, ScoreMatrix
from chef.suite.sweep.result import Position, PositionBias

#: With more options than this the place of one means little.
MOST = 26
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

    Empty where no answer counts, or questions have one option or more than `MOST`. ``resamples``
    and ``seed`` are those of the permutation and the bootstrap.
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
        for value in term.values:
            own = [place for place, run in enumerate(runs) if run.values[term.name] == value]
            biases.append(_bias(counts[own].sum(axis=0), term.name, value, resamples, seed))
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
    if not 2 <= many <= MOST:
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
