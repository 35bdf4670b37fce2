"""How much of the variance each factor of a sweep decides.

The score of a sample in a run is ``run + sample + rest``. The *variance between the runs* is that
of the runs' true scores, those over endless samples of the kind asked, over all combinations of
the values of the factors, each counted once. It is the sum of the variances of its main effects and
interactions, which are orthogonal over the full grid; a factor's share is its part of the sum. The
root of its variance is its *deviation*: by how much a run's score differs, as a standard deviation,
when only the factor changes.

The means of runs over finitely many samples differ by chance even where no factor does anything, so
sums of squares alone overstate every factor. The expected noise, which the products of factor and
sample tell, is subtracted (expected mean squares; Searle, Casella and McCulloch 1992, "Variance
Components", chapter 4), with whole clusters in the place of samples. Variances that are below 0
after that are shown as 0; the sum that shares are of has them as they are, so that the shares of
the others are not too small.

Where the grid has gaps (it was sampled, or runs are missing), effects are estimated by least
squares with sum-to-zero contrasts, each adjusted for all others, interactions that the runs can
tell included (type III, so the order of factors does not matter; Yates 1934). What no term explains
makes estimates differ from the effects over the full grid, and counts as noise as far as it does:
by the finite population of the combinations (`components.missing_error`).

The *variance of single answers* is that over all runs and samples: between the runs, ``samples``
(the covariance of two runs on one sample: how far one run's answer tells another's) and ``rest``
(what neither run nor sample tells: interactions of factors with samples, and chance).
"""

from __future__ import annotations

import math

from chef.frozen import Frozen
from chef.stats.arrays import Array, np
from chef.stats.estimate import Estimate, undefined
from chef.stats.scales import CONFIDENCE
from chef.suite.sweep.components import (
    OTHER,
    components,
    share_interval,
    sums_of_squares,
    variance_interval,
)
from chef.suite.sweep.design import Design
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans, ScoreMatrix, cluster_sums, draw_sums
from chef.suite.sweep.result import Share

#: Terms that are no factor.
SAMPLES, REST = "samples", "rest"
_METHOD = "bootstrap, clustered"


def shares(
    matrix: ScoreMatrix,
    means: RunMeans,
    layout: Design,
    *,
    scale: float = 100.0,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Share]:
    """The share of each term, the largest first, then `OTHER`, `SAMPLES` and `REST`.

    It takes at least two runs and one sample; ``scale`` makes a score points, and the seed is that
    of the bootstrap over clusters.
    """
    parts = components(means, layout, resamples=resamples, seed=seed)
    inside = within(matrix, resamples=resamples, seed=seed)
    # Not of clipped variances, whose sum is too large: all shares would be too small.
    between = max(0.0, sum(part.variance for part in parts))
    total = between + inside.samples + inside.rest
    count = matrix.scores.shape[1]
    squares = sums_of_squares(means.means, layout)
    found = []
    for part in parts:
        others = [item for item in parts if item is not part]
        variance = max(0.0, part.variance)
        has_bounds = len(means.influence) > 1
        ends = variance_interval(part) if has_bounds else None
        of_runs = share_interval(part, others) if has_bounds else None
        roots = None if ends is None else (math.sqrt(ends[0]), math.sqrt(ends[1]))
        deviation = _estimate(math.sqrt(variance), count, roots, "0-1").scaled(scale, "points")
        rows = squares.get(part.name)
        found.append(
            Share(
                part.name,
                _share(variance, between, count, of_runs),
                deviation,
                of_answers=_share(
                    variance,
                    total,
                    count,
                    # All answers of all runs may have the same score.
                    (ends[0] / total, ends[1] / total) if ends and total else None,
                ),
                p_value=part.p_value if has_bounds else None,
                squares=None if rows is None else rows * count,
            )
        )
    found.sort(key=lambda item: (item.term == OTHER, -_size(item)))
    return [*found, *_answers(inside, between, count)]


def _answers(inside: Within, between: float, count: int) -> list[Share]:
    """The shares of `SAMPLES` and `REST`, which are of single answers only."""
    total = between + inside.samples + inside.rest
    drawn = inside.drawn / np.maximum(between + inside.drawn.sum(axis=1, keepdims=True), 1e-300)
    answers = []
    for place, (name, value) in enumerate(((SAMPLES, inside.samples), (REST, inside.rest))):
        ends = _ends(drawn[:, place]) if len(drawn) else None
        nothing = undefined("0-1", count, higher_is_better=None)
        answers.append(Share(name, nothing, of_answers=_share(value, total, count, ends)))
    return answers


def _ends(drawn: Array) -> tuple[float, float]:
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(drawn, [tail, 100 - tail])
    return float(low), float(high)


def _size(item: Share) -> float:
    return 0.0 if item.deviation is None else item.deviation.value or 0.0


def _share(part: float, total: float, n: int, ends: tuple[float, float] | None) -> Estimate:
    if total <= 0:
        return undefined("0-1", n, higher_is_better=None)
    return _estimate(min(1.0, part / total), n, ends and (ends[0], min(1.0, ends[1])), "0-1")


def _estimate(value: float, n: int, ends: tuple[float, float] | None, unit: str) -> Estimate:
    """An estimate whose interval contains it."""
    if ends is None:
        return Estimate(value, n, unit=unit, higher_is_better=None)
    low, high = min(ends[0], value), max(ends[1], value)
    return Estimate(value, n, low=low, high=high, unit=unit, method=_METHOD, higher_is_better=None)


class Within(Frozen):
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
    """The variances of single answers within at least two runs."""
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
