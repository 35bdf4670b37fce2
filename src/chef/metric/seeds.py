"""The mean score of one recipe under several seeds, with what seeds and samples contribute."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chef.stats.estimate import Estimate, undefined
from chef.metric.paired_interval import freedom, unseen
from chef.metric.statistics import CONFIDENCE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from chef.metric.statistics import Array


@dataclass(frozen=True, slots=True)
class AcrossSeeds:
    """Scores of runs that differ in their seed alone.

    Attributes:
        estimate: the mean of the seeds' means, with the 95% interval of what other seeds and other
            samples would give. ``n`` counts samples, each once. No interval if there is a single
            cluster.
        means: ``(seeds,)``, the mean of each seed over the samples that it has.
        between: the standard deviation of these means; None of a single seed.
        of_seeds: what is left of it without the noise of single answers and, where the seeds have
            other samples, of these; at least 0. None of a single seed.
    """

    estimate: Estimate
    means: tuple[float, ...]
    between: float | None
    of_seeds: float | None


def across_seeds(
    scores: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    unit: str = "0-1",
    higher_is_better: bool | None = True,
) -> AcrossSeeds:
    """The mean score over seeds, with an interval that accounts for seeds and samples.

    Seeds k and clusters of samples c are crossed random effects: a score is
    ``mean + a_k + b_c + e_kc``. The three variances are found by the method of moments (Henderson
    1953, "Estimation of Variance and Covariance Components"): the sums of squares of the residuals
    by seed, by cluster and by cell are set equal to what the model expects of them, with no
    variance below 0. So cells may be missing, as where each seed asks other samples. The interval
    is Student's, with Satterthwaite's degrees of freedom (1946, "An Approximate Distribution of
    Estimates of Variance Components"). With two or three seeds that differ it is wide, as so few
    say little about others.

    Args:
        scores: ``(seeds, samples)``; NaN where a seed has not asked a sample.
        clusters: ``(samples,)``, the cluster of each sample.
        unit: the unit of the scores.
        higher_is_better: as in `Estimate`.

    Raises:
        ValueError: the shape is another one, a score is infinite, or a seed has no score.

    >>> found = across_seeds([[1, 1, 0, 0], [1, 0, 0, 0]], list("abcd"))
    >>> found.estimate.value, found.means
    (0.375, (0.5, 0.25))
    """
    import numpy as np

    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != len(clusters):
        raise ValueError(f"scores of shape {table.shape}, and {len(clusters)} samples")
    if np.isinf(table).any():
        raise ValueError("a score is not a finite number")
    if not table.size:
        none = undefined(unit, higher_is_better=higher_is_better)
        return AcrossSeeds(none, (), None, None)
    there = ~np.isnan(table)
    asked = there.sum(axis=1, keepdims=True)
    if not asked.all():
        raise ValueError("a seed has no score")
    # Every seed has the same weight, however many samples it has asked.
    given = np.where(there, table, 0.0)
    means = given.sum(axis=1) / asked[:, 0]
    sums = _by_cluster(given / asked, clusters)
    sizes = _by_cluster(there / asked, clusters)
    kept = sizes.sum(axis=0) > 0
    sums, sizes = sums[:, kept], sizes[:, kept]
    value = float(means.mean())
    parts = _components(sums - value * sizes, sizes)
    bounds = _bounds(value, parts, sizes, table[there])
    low, high = bounds or (None, None)
    stderr = math.sqrt(parts.variance) if bounds else None
    count = int(there.any(axis=0).sum())
    method = "seeds and samples" if bounds else "none"
    several = len(means) > 1
    return AcrossSeeds(
        Estimate(value, count, stderr, low, high, unit, method, higher_is_better),
        tuple(float(mean) for mean in means),
        float(means.std(ddof=1)) if several else None,
        parts.of_seeds if several else None,
    )


def _by_cluster(cells: Array, clusters: Sequence[Hashable]) -> Array:
    """Sums over the samples of each cluster: ``(seeds, clusters)``."""
    import numpy as np

    places = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    sums = np.zeros((len(places), len(cells)))
    np.add.at(sums, [places[name] for name in clusters], cells.T)
    return sums.T


@dataclass(frozen=True, slots=True)
class _Components:
    """What the variance of the mean is made of.

    Attributes:
        variance: of the mean.
        by_seed, by_cluster: what the means of seeds, and those of clusters, would each say that it
            is: they hold the noise that decides how well the variance is known.
        of_seeds: the standard deviation between seeds alone.
    """

    variance: float
    by_seed: float
    by_cluster: float
    of_seeds: float


def _components(rest: Array, sizes: Array) -> _Components:
    """The variance of the mean, by the method of moments.

    Args:
        rest: ``(seeds, clusters)``, sums of the residuals.
        sizes: ``(seeds, clusters)``, the weights of the cells; those of each seed add up to 1.
    """
    import numpy as np
    from scipy.optimize import nnls

    total = sizes.sum()
    seeds, columns = sizes.sum(axis=1), sizes.sum(axis=0)
    squares = sizes**2
    crossed = float(((sizes - np.outer(seeds, columns) / total) ** 2).sum())

    def own(by: Array) -> float:  # how effects of rows (columns, cells) move their own sums
        return float((by**2 * (1 - 2 * by / total)).sum() + (by**2).sum() ** 2 / total**2)

    def single(by: Array, inner: Array) -> float:  # how those of rows and of cells move each other
        return float((inner * (1 - 2 * by / total)).sum() + inner.sum() * (by**2).sum() / total**2)

    of_seed, of_column = single(seeds, squares.sum(axis=1)), single(columns, squares.sum(axis=0))
    # Rows: the sums of squares by seed, by cluster and by cell; columns: the three variances.
    expected = np.array(
        [
            [own(seeds), crossed, of_seed],
            [crossed, own(columns), of_column],
            [of_seed, of_column, own(sizes)],
        ]
    )
    found = np.array(
        [(rest.sum(axis=1) ** 2).sum(), (rest.sum(axis=0) ** 2).sum(), (rest**2).sum()]
    )
    weights = np.array([(seeds**2).sum(), (columns**2).sum(), squares.sum()]) / total**2
    scale = expected.max(axis=1)
    usable = scale > 1e-12 * scale.max()  # a single seed says nothing about seeds
    variances = np.zeros(3)
    if usable.any():
        variances = nnls(expected[usable] / scale[usable, None], found[usable] / scale[usable])[0]
    said = expected @ variances / np.where(usable, np.diag(expected), 1.0) * weights
    return _Components(
        float(variances @ weights), float(said[0]), float(said[1]), float(np.sqrt(variances[0]))
    )


def _bounds(
    value: float, parts: _Components, sizes: Array, scores: Array
) -> tuple[float, float] | None:
    """The 95% interval; that of scores in 0..1 does not go beyond these."""
    from scipy.stats import t

    if sizes.shape[1] < 2:
        return None
    within = bool(scores.min() >= 0 and scores.max() <= 1)
    if parts.variance <= 1e-24 * max(1.0, value**2):
        return unseen(value, 0.0, 1.0, sizes.shape[1]) if within else None
    noise = parts.by_cluster**2 / freedom(sizes.sum(axis=0))
    if len(sizes) > 1:
        noise += parts.by_seed**2 / (len(sizes) - 1)
    quantile = float(t.ppf((1 + CONFIDENCE) / 2, parts.variance**2 / noise))
    low, high = (value + sign * quantile * math.sqrt(parts.variance) for sign in (-1, 1))
    return (max(0.0, low), min(1.0, high)) if within else (low, high)
