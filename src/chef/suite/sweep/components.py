"""The variance of each main effect and interaction, of the means of the runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.suite.sweep.bounds import Component
from chef.suite.sweep.design import Design, Term, matrix_of
from chef.suite.sweep.matrix import RESAMPLES, SEED, RunMeans

if TYPE_CHECKING:
    from chef.suite.sweep.matrix import Array

#: What is between runs and in no term: interactions of three factors and more, and those that the
#: design cannot tell apart.
OTHER = "other interactions"
#: What is less of the squares of the means is rounding.
_TINY = 1e-24


def components(
    means: RunMeans, layout: Design, *, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Component]:
    """The variance of each term over the full grid, then that of `OTHER` if there can be any.

    Args:
        means: of the runs.
        layout: of the same runs.
        resamples: of the bootstrap over clusters.
        seed: of the bootstrap.
    """
    import numpy as np

    covariance, drawn = means.covariance, means.draws(resamples, seed)
    rng = np.random.default_rng([seed, 1])
    found = []
    for term in layout.terms:
        # Their squared length is the variance of the effects over the full grid.
        own = effects(term, layout) / np.sqrt(len(term.cells))
        noise, moved = covariance, drawn
        if not layout.is_full:
            unexplained, freedom = _unexplained(means, matrix_of(layout.model(term), layout.runs))
            noise = covariance + unexplained * np.eye(layout.runs)
            # Its own uncertainty: a variance of few degrees of freedom is hardly known.
            known = rng.chisquare(max(1, freedom), (resamples, 1)) / max(1, freedom)
            chance = rng.standard_normal((resamples, layout.runs))
            moved = drawn + chance * np.sqrt(unexplained / known)
        found.append(component(term.name, own, means.means, noise, moved))
    residual, freedom = _residual(matrix_of(layout.model(), layout.runs))
    if freedom:
        residual = residual / np.sqrt(layout.runs if layout.is_full else freedom)
        found.append(component(OTHER, residual, means.means, covariance, drawn))
    return found


def sums_of_squares(means: Array, layout: Design) -> dict[str, float]:
    """The type II sum of squares of each term, of the means of runs.

    Times the number of samples it is that of the analysis of variance of the samples' scores.
    """

    def unexplained(terms: list[Term]) -> float:
        left = _residual(matrix_of(terms, layout.runs))[0] @ means
        return float(left @ left)

    found = {}
    for term in layout.terms:
        model = layout.model(term)
        without = [item for item in model if item is not term]
        found[term.name] = max(0.0, unexplained(without) - unexplained(model))
    return found


def component(name: str, linear: Array, means: Array, noise: Array, drawn: Array) -> Component:
    """The squared length of a linear form of the means of runs.

    Args:
        name: of the component.
        linear: ``(rows, runs)``.
        means: ``(runs,)``.
        noise: ``(runs, runs)``, the covariance of the means.
        drawn: ``(draws, runs)``, deviations of the means in resamples.
    """
    import numpy as np

    found, moved = linear @ means, drawn @ linear.T
    across = (moved**2).sum(axis=1)
    rounding = _TINY * (1.0 + float(means @ means))
    sizes = float(found @ found), float(np.trace(linear @ noise @ linear.T))
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

    They are least-squares estimates in the model of the term, and have the sum 0.
    """
    import numpy as np

    model = layout.model(term)
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


def _unexplained(means: RunMeans, columns: Array) -> tuple[float, int]:
    """The variance of runs that a model leaves, without the noise of samples, and its freedom."""
    import numpy as np

    residual, freedom = _residual(columns)
    if not freedom:
        return 0.0, 0
    left = residual @ means.means
    noise = float(np.trace(residual @ means.covariance @ residual))
    return max(0.0, float(left @ left) - noise) / freedom, freedom
