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
by the finite population of the combinations (`missing_error`).

The *variance of single answers* is that over all runs and samples: between the runs, ``samples``
(the covariance of two runs on one sample: how far one run's answer tells another's) and ``rest``
(what neither run nor sample tells: interactions of factors with samples, and chance).

Intervals of variances and of their shares cannot be negative. A bootstrap of a variance is wrong
near 0: the variance of resampled means is larger than that of the means, for they carry the noise
of the samples twice. The test is inverted instead (Carpenter 1999, "Test inversion bootstrap
confidence intervals"): the interval holds the values under which the variance that was observed is
not among the 2.5% most extreme on either side. Under each candidate the effects that were found are
shrunk or stretched until they have it, and the deviations of the bootstrap are added to them.
"""

from __future__ import annotations

import math

from chef.frozen import Frozen
from chef.stats.arrays import Array, np
from chef.stats.estimate import Estimate, undefined
from chef.stats.scales import CONFIDENCE
from chef.suite.sweep.design import Design, Term, matrix_of
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans, ScoreMatrix, cluster_sums, draw_sums
from chef.suite.sweep.result import Share

_TAIL = (1 - CONFIDENCE) / 2
_GRID = 401


class Component(Frozen):
    """A variance between runs: the squared length of effects, less what noise adds to it.

    Attributes:
        name: of the term.
        length: squared length of the estimated effects.
        noise: what the noise of samples (and of missing runs) adds to it on average.
        along: ``(draws,)``: product of the effects and their bootstrap deviations.
        across: ``(draws,)``: squared length of the bootstrap deviations.
    """

    name: str
    length: float
    noise: float
    along: Array
    across: Array

    @property
    def variance(self) -> float:
        """Unbiased; below 0 where there is less than noise alone would show."""
        return self.length - self.noise

    @property
    def p_value(self) -> float:
        """Of no effect at all: how often noise alone has at least this length."""
        reached = int((self.across >= self.length).sum())
        return (reached + 1) / (len(self.across) + 1)


def variance_interval(item: Component) -> tuple[float, float]:
    """The 95% interval of a variance, in its unit; both ends are at least 0."""
    size = float(np.sqrt(item.length))
    if not size:
        return 0.0, 0.0
    reach = size + 4 * float(np.sqrt(item.across.mean()))
    sizes = np.linspace(0.0, reach, _GRID)[:, None]
    drawn = sizes**2 + 2 * sizes / size * item.along + item.across
    return _accepted(sizes[:, 0] ** 2, drawn, np.full(_GRID, item.length))


def share_interval(item: Component, others: list[Component]) -> tuple[float, float]:
    """The 95% interval of the share of a variance in a sum of variances, 0 to 1.

    A share is tested as Fieller 1954 tests a ratio: ``(1 - share) * variance - share * others`` is
    0 on average if it is the share.
    """
    total = sum(part.variance for part in [item, *others])
    if not item.length and not item.across.any():
        return 0.0, 0.0  # runs that ask the same: there is neither an effect nor noise
    if total <= 0:
        return 0.0, 1.0
    shares = np.linspace(0.0, 1.0, _GRID)[:, None]
    scale = np.sqrt(total * shares / item.length) if item.length else 0 * shares
    own = shares * total + 2 * scale * item.along + item.across - item.noise
    weights = [max(0.0, part.variance) for part in others]
    if not sum(weights):
        weights = [part.length for part in others]
    along, across = np.zeros(len(item.along)), np.zeros(len(item.along))
    for part, weight in zip(others, weights, strict=True):
        across += part.across - part.noise
        if weight:
            along += part.along * np.sqrt(total * weight / sum(weights) / part.length)
    rest = (1 - shares) * total * bool(sum(weights)) + 2 * np.sqrt(1 - shares) * along + across
    observed = (1 - shares) * item.variance - shares * sum(part.variance for part in others)
    return _accepted(shares[:, 0], (1 - shares) * own - shares * rest, observed[:, 0])


def _accepted(candidates: Array, drawn: Array, observed: Array) -> tuple[float, float]:
    """The first and the last candidate under which what was observed is not extreme."""
    seen = observed[:, None]
    low = (drawn >= seen).mean(axis=1) >= _TAIL
    high = (drawn <= seen).mean(axis=1) >= _TAIL
    first = int(low.argmax()) if low.any() else len(candidates) - 1
    last = len(high) - 1 - int(high[::-1].argmax()) if high.any() else 0
    ends = sorted((float(candidates[first]), float(candidates[last])))
    return ends[0], ends[1]


#: What is between runs and in no term: interactions of three factors and more, and those that the
#: design cannot tell apart.
OTHER = "other interactions"
#: What is less of the squares of the means is rounding.
_TINY = 1e-24


def components(
    means: RunMeans, layout: Design, *, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Component]:
    """The variance of each term over the full grid, then that of `OTHER` if there can be any."""
    covariance, drawn = means.covariance, means.draws(resamples, seed)
    residual, freedom = _residual(matrix_of(layout.model, layout.runs))
    # Over the full grid it is no error of any effect.
    has_gaps = freedom and not layout.is_full
    unexplained = _unexplained(means, residual, freedom) if has_gaps else 0.0
    rng = np.random.default_rng([seed, 1])
    components = []
    for term in layout.terms:
        # Their squared length is the variance of the effects over the full grid.
        own = effects(term, layout) / np.sqrt(len(term.cells))
        missing = None
        if unexplained:
            # Its own uncertainty: a variance of few degrees of freedom is hardly known.
            sizes = np.sqrt(unexplained * freedom / rng.chisquare(freedom, (resamples, 1)))
            error = missing_error(term, layout) / len(term.cells)
            missing = unexplained * float(np.trace(error)), sizes * _normal(error, resamples, rng)
        components.append(
            component(term.name, own, means.means, covariance, drawn, missing=missing)
        )
    if freedom:
        # Its part of the full grid: what is left when the terms of the model are taken off.
        part = 1 - (layout.runs - freedom) / layout.cells
        residual = residual * np.sqrt(part / freedom)
        components.append(component(OTHER, residual, means.means, covariance, drawn))
    return components


def component(
    name: str,
    linear: Array,
    means: Array,
    noise: Array,
    drawn: Array,
    *,
    missing: tuple[float, Array] | None = None,
) -> Component:
    """The squared length of a linear form of the means of runs.

    ``linear`` is ``(rows, runs)``, ``means`` ``(runs,)``, ``noise`` ``(runs, runs)`` their
    covariance, ``drawn`` ``(draws, runs)`` their deviations in resamples. ``missing`` is what
    missing runs add to the squared length on average, and ``(draws, rows)`` deviations by them.
    """
    found, moved = linear @ means, drawn @ linear.T
    expected = float(np.trace(linear @ noise @ linear.T))
    if missing is not None:
        expected, moved = expected + missing[0], moved + missing[1]
    across = (moved**2).sum(axis=1)
    rounding = _TINY * (1.0 + float(means @ means))
    sizes = float(found @ found), expected
    length, expected = (size if size > rounding else 0.0 for size in sizes)
    return Component(
        name,
        length=length,
        noise=expected,
        along=moved @ found,
        across=np.where(across > rounding, across, 0.0),
    )


def effects(term: Term, layout: Design) -> Array:
    """``(cells, runs)``: what makes the effects of a term on each of its cells of the means.

    They are least-squares estimates in the model of all terms (type III), and have the sum 0.
    """
    model = layout.model
    start = 1 + sum(item.freedom for item in model[: model.index(term)])
    solved = np.linalg.pinv(matrix_of(model, layout.runs))[start : start + term.freedom]
    linear: Array = term.cells @ solved
    return linear


def _residual(columns: Array) -> tuple[Array, int]:
    """What makes residuals of the means, and their degrees of freedom."""
    runs = len(columns)
    freedom = runs - int(np.linalg.matrix_rank(columns))
    return np.eye(runs) - columns @ np.linalg.pinv(columns), freedom


def missing_error(term: Term, layout: Design) -> Array:
    """``(cells, cells)``: how far effects are from those of the full grid by what no term explains.

    The runs are some of a finite number of combinations. What the model leaves of each moves the
    estimated effects, but also those of the full grid, which are what is asked for: only the
    difference is error. This is its covariance for a variance of 1 of each combination; over the
    full grid it is 0. Source: the finite population correction (Cochran 1977, "Sampling
    Techniques", chapter 2).
    """
    part = len(term.cells) / layout.cells
    solved = term.cells @ np.linalg.pinv(term.cells.T @ term.cells)
    whole = part * solved @ term.columns.T
    difference = effects(term, layout) - whole
    error: Array = difference @ difference.T + part * solved @ term.cells.T - whole @ whole.T
    return error


def _normal(covariance: Array, draws: int, rng: np.random.Generator) -> Array:
    """``(draws, k)`` normal numbers with this covariance."""
    values, vectors = np.linalg.eigh(covariance)
    numbers = rng.standard_normal((draws, len(values)))
    normal: Array = numbers * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    return normal


def _unexplained(means: RunMeans, residual: Array, freedom: int) -> float:
    """The variance of runs that the model leaves, without the noise of samples."""
    left = residual @ means.means
    noise = float(np.trace(residual @ means.covariance @ residual))
    return max(0.0, float(left @ left) - noise) / freedom


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
    found = []
    for part in parts:
        others = [item for item in parts if item is not part]
        variance = max(0.0, part.variance)
        has_bounds = len(means.influence) > 1
        ends = variance_interval(part) if has_bounds else None
        of_runs = share_interval(part, others) if has_bounds else None
        roots = None if ends is None else (math.sqrt(ends[0]), math.sqrt(ends[1]))
        deviation = _estimate(math.sqrt(variance), count, roots, "0-1").scaled(scale, "points")
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
