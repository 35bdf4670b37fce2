"""The variance of each main effect and interaction, of the means of the runs, and its intervals.

Intervals of variances and of their shares cannot be negative. A bootstrap of a variance is wrong
near 0: the variance of resampled means is larger than that of the means, for they carry the noise
of the samples twice. The test is inverted instead (Carpenter 1999, "Test inversion bootstrap
confidence intervals"): the interval holds the values under which the variance that was observed is
not among the 2.5% most extreme on either side. Under each candidate the effects that were found are
shrunk or stretched until they have it, and the deviations of the bootstrap are added to them.
"""

from __future__ import annotations

from chef.frozen import Frozen
from chef.stats.arrays import Array, np
from chef.stats.scales import CONFIDENCE
from chef.suite.sweep.design import Design, Term, matrix_of
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans

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


def sums_of_squares(means: Array, layout: Design) -> dict[str, float]:
    """The type III sum of squares of each term, of the means of runs.

    Times the number of samples it is that of the analysis of variance of the samples' scores.
    """

    def unexplained(terms: list[Term]) -> float:
        left = _residual(matrix_of(terms, layout.runs))[0] @ means
        return float(left @ left)

    sums, whole = {}, unexplained(layout.model)
    for term in layout.terms:
        without = [item for item in layout.model if item is not term]
        sums[term.name] = max(0.0, unexplained(without) - whole)
    return sums


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
