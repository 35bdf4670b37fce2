"""The variance of each main effect and interaction, of the means of the runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.suite.sweep.bounds import Component
from chef.suite.sweep.design import Design, Term, matrix_of
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans

if TYPE_CHECKING:
    import numpy as np

    from chef.suite.sweep.matrix import Array

#: What is between runs and in no term: interactions of three factors and more, and those that the
#: design cannot tell apart.
OTHER = "other interactions"
#: What is less of the squares of the means is rounding.
_TINY = 1e-24


def components(
    means: RunMeans, layout: Design, *, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Component]:
    """The variance of each term over the full grid, then that of `OTHER` if there can be any."""
    import numpy as np

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
    import numpy as np

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
    import numpy as np

    model = layout.model
    start = 1 + sum(item.freedom for item in model[: model.index(term)])
    solved = np.linalg.pinv(matrix_of(model, layout.runs))[start : start + term.freedom]
    linear: Array = term.cells @ solved
    return linear


def _residual(columns: Array) -> tuple[Array, int]:
    """What makes residuals of the means, and their degrees of freedom."""
    import numpy as np

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
    import numpy as np

    part = len(term.cells) / layout.cells
    solved = term.cells @ np.linalg.pinv(term.cells.T @ term.cells)
    whole = part * solved @ term.columns.T
    difference = effects(term, layout) - whole
    error: Array = difference @ difference.T + part * solved @ term.cells.T - whole @ whole.T
    return error


def _normal(covariance: Array, draws: int, rng: np.random.Generator) -> Array:
    """``(draws, k)`` normal numbers with this covariance."""
    import numpy as np

    values, vectors = np.linalg.eigh(covariance)
    numbers = rng.standard_normal((draws, len(values)))
    normal: Array = numbers * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    return normal


def _unexplained(means: RunMeans, residual: Array, freedom: int) -> float:
    """The variance of runs that the model leaves, without the noise of samples."""
    import numpy as np

    left = residual @ means.means
    noise = float(np.trace(residual @ means.covariance @ residual))
    return max(0.0, float(left @ left) - noise) / freedom
