"""The variance of single answers within runs: what of it the sample tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chef.suite.sweep.matrix import RESAMPLES, SEED, ScoreMatrix, cluster_sums, draw_sums

if TYPE_CHECKING:
    from chef.suite.sweep.matrix import Array


@dataclass(frozen=True, slots=True)
class Within:
    """Variances of single answers within runs.

    Attributes:
        samples: the covariance of the scores of two runs on one sample, over all pairs of runs; at
            least 0.
        rest: the mean variance of a run's scores, less ``samples``.
        drawn: ``(draws, 2)``: both in resamples of whole clusters; empty for a single cluster.
    """

    samples: float
    rest: float
    drawn: Array


def within(matrix: ScoreMatrix, *, resamples: int = RESAMPLES, seed: int = SEED) -> Within:
    """The variances of single answers within runs.

    Args:
        matrix: of at least two runs.
        resamples: of the bootstrap over clusters.
        seed: of the bootstrap.
    """
    import numpy as np

    count = matrix.scores.shape[1]
    observed = np.isfinite(matrix.scores)
    centred = matrix.scores - np.nanmean(matrix.scores, axis=1, keepdims=True)
    centred = np.where(observed, centred, 0.0)
    squares = (centred**2).sum(axis=0)
    runs = observed.sum(axis=0)
    sums = np.stack([squares, runs, centred.sum(axis=0) ** 2 - squares, runs * (runs - 1)])
    table = cluster_sums(sums, matrix.clusters).T

    def variances(drawn: Array) -> Array:
        all_ = drawn[:, 0] / drawn[:, 1]
        shared = np.clip(drawn[:, 2] / np.maximum(drawn[:, 3], 1), 0.0, all_)
        found: Array = np.stack([shared, all_ - shared], axis=1) * (count / max(1, count - 1))
        return found

    samples, rest = variances(table.sum(axis=0)[None])[0]
    drawn = draw_sums(table, resamples, seed) if len(table) > 1 else np.zeros((0, 4))
    return Within(float(samples), float(rest), variances(drawn))
