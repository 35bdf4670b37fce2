"""Position bias: how often each option letter is chosen, against how often it is right.

An answer counts where its letter could be read and exactly one letter is right. Intervals are
cluster-robust: the answers of all runs about one question or image belong together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chef.common.options import letters
from chef.metric.estimate import Estimate
from chef.metric.statistics import RESAMPLES, SEED
from chef.suite.sweep.components import component
from chef.suite.sweep.estimates import points, score
from chef.suite.sweep.matrix import RunMeans
from chef.suite.sweep.result import Position, PositionBias

if TYPE_CHECKING:
    from chef.suite.sweep.matrix import Array

#: With more options than this the place of one means little.
MOST = 26
#: A factor changes the bias if the test says so at this level, divided by the number of factors.
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Choices:
    """What a run chose.

    Attributes:
        values: by factor.
        chosen, right: indices of options, one entry for each sample; None where unknown.
        clusters: of the samples.
    """

    values: Mapping[str, str]
    chosen: Sequence[int | None]
    right: Sequence[int | None]
    clusters: Sequence[str]


def position_biases(
    runs: Sequence[Choices],
    factors: Mapping[str, Sequence[str]],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[PositionBias]:
    """The bias over all runs, then by the values of each factor that changes it.

    Args:
        runs: what each run chose.
        factors: the values of each factor, by its name.
        resamples: of the permutation and the bootstrap.
        seed: of both.

    Returns:
        Empty where no answer counts, or questions have one option or more than `MOST`.
    """
    counts = _counts(runs)
    if counts is None:
        return []
    found = [_bias(counts.sum(axis=0), "", "", resamples, seed)]
    known = {
        name: [value for value in values if any(run.values[name] == value for run in runs)]
        for name, values in factors.items()
    }
    for name, values in known.items():
        tables = [
            counts[[place for place, run in enumerate(runs) if run.values[name] == value]].sum(0)
            for value in values
        ]
        if len(values) < 2 or any(not table[..., -1].sum() for table in tables):
            continue
        if _p_of_change(tables, resamples, seed) < _LEVEL / len(factors):
            found += [
                _bias(table, name, value, resamples, seed)
                for value, table in zip(values, tables, strict=True)
            ]
    return found


def _counts(runs: Sequence[Choices]) -> Array | None:
    """``(runs, clusters, 2 * letters + 1)``: how often chosen, how often right, answers."""
    import numpy as np

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
    import numpy as np

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

    def mean(hits: Array) -> tuple[float, float]:
        share = float(hits.sum()) / total
        return share, _stderr(hits - share * answers, total)

    chosen, right = table[:, place], table[:, many + place]
    return Position(
        letters(many)[place],
        chosen=_neither(score(*mean(chosen), total, 100.0)),
        right=_neither(score(*mean(right), total, 100.0)),
        bias=points(*mean(chosen - right), total, 100.0),
    )


def _stderr(residuals: Array, total: int) -> float:
    """Of a ratio of sums, from what each cluster adds to it."""
    count = len(residuals)
    return float(((residuals**2).sum() * count / max(1, count - 1)) ** 0.5) / total


def _p_of_change(tables: Sequence[Array], resamples: int, seed: int) -> float:
    """Of equal biases in all tables, which are of the same clusters."""
    import numpy as np

    many = tables[0].shape[1] // 2
    means, influence = [], []
    for table in tables:
        answers = table[:, -1].sum()
        differences = table[:, :many] - table[:, many:-1]
        bias = differences.sum(axis=0) / answers
        means.append(bias)
        influence.append((differences - table[:, -1:] * bias) / answers)
    found = RunMeans(np.concatenate(means), np.hstack(influence), len(tables[0]))
    centring = np.eye(len(tables)) - 1 / len(tables)
    rows: Array = np.kron(centring, np.eye(many)).astype(np.float64)
    drawn = found.draws(resamples, seed)
    return component("change", rows, found.means, found.covariance, drawn).p_value


def _neither(item: Estimate) -> Estimate:
    """How often a letter is chosen is neither good nor bad."""
    from dataclasses import replace

    return replace(item, higher_is_better=None)
