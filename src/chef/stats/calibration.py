"""Calibration: how far confidence is from the share that is right, and what chance makes of it.

The error of a calibrated model is above 0, too, as every bin has an error of chance: with few
answers per bin it is large. So a test and a debiased value stand beside it, and no interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chef.frozen import Frozen
from chef.stats.arrays import Array, Places, np, special
from chef.stats.figures import Clusters, intervals_skipped
from chef.stats.influence import ClusterSums, numbered, of_ratio
from chef.stats.power import FEWEST

BINS = 10
_SEED, _DRAWS = 0, 1999
#: Up to so many answers or clusters, each is drawn; beyond, their sums in a bin are normal enough.
_DRAWN = 1000


class CalibrationError(Frozen):
    """The expected calibration error of some answers; errors, confidences and shares are in 0..1.

    Attributes:
        debiased: with what chance adds to it taken off.
        calibrated: the mean error of a perfectly calibrated model with these confidences; None
            within `chef.stats.figures.without_intervals`.
        p_value: of the hypothesis that the model is calibrated; None likewise, and of few clusters.
        confidences: the mean confidence of each bin, rising.
        rights: the share that is right in each bin.
    """

    error: float
    debiased: float
    calibrated: float | None
    p_value: float | None
    confidences: Sequence[float]
    rights: Sequence[float]
    sizes: Sequence[int]


def calibration_error(
    probs: Sequence[float],
    corrects: Sequence[float],
    clusters: Clusters = None,
    *,
    splits_ties: bool = False,
) -> CalibrationError | None:
    """The expected calibration error over up to ten bins of nearly equal size.

    ``ECE = sum_b |b| / n * |mean prob of b - mean correct of b|``. Source: Nixon et al. 2019,
    "Measuring Calibration in Deep Learning" (adaptive bins). Answers of one confidence stand in one
    bin, that of their middle one.

    The debiased value takes off the expected excess of each bin, ``E|N(gap, v)| - |gap|`` with the
    variance v of its gap (Kumar, Liang and Ma 2019, "Verified Uncertainty Calibration"). The test
    compares the error with those of draws in which the model is calibrated: each answer is right
    with the probability of its confidence; where answers stand in clusters, the signs of the gaps
    of whole clusters are drawn instead. Of fewer than six clusters (in effect, where one is large)
    no choice of signs is rare enough, and there is no test.

    ``splits_ties`` leaves answers of one confidence in the order of the data, which may part them.
    None of no answers.
    """
    if not len(probs):
        return None
    confidences, rights = (
        np.asarray(probs, dtype=np.float64),
        np.asarray(corrects, dtype=np.float64),
    )
    bins = _bins(confidences, splits_ties=splits_ties)
    sizes = np.bincount(bins).astype(np.float64)
    gaps = (np.bincount(bins, confidences) - np.bincount(bins, rights)) / sizes
    error, weights = float(np.abs(gaps) @ sizes / sizes.sum()), sizes / sizes.sum()
    calibrated, p_value = None, None
    if not intervals_skipped():
        draws = _draws(confidences, rights, bins, clusters)
        calibrated = float(draws.mean())
        if _are_enough(clusters):
            p_value = float((1 + (draws >= error - 1e-12).sum()) / (1 + len(draws)))
    return CalibrationError(
        error,
        max(0.0, float(weights @ _debiased(confidences - rights, bins, gaps, clusters))),
        calibrated,
        p_value,
        (np.bincount(bins, confidences) / sizes).tolist(),
        (np.bincount(bins, rights) / sizes).tolist(),
        sizes.astype(int).tolist(),
    )


def _bins(probs: Array, *, splits_ties: bool) -> Places:
    """The bin of each answer, from 0 without gaps: ``(n,)``."""
    n = len(probs)
    count = min(BINS, n)
    ends = np.cumsum([n // count + (place < n % count) for place in range(count)])
    if splits_ties:
        ranks = np.argsort(np.argsort(probs, kind="stable"), kind="stable").astype(np.float64)
    else:  # the middle of the places of equal ones
        _, place, ties = np.unique(probs, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(ties) - (ties + 1) / 2)[place]
    places: Places = np.unique(np.searchsorted(ends, ranks, "right"), return_inverse=True)[1]
    return places


def _debiased(gaps: Array, bins: Places, means: Array, clusters: Clusters) -> Array:
    """The absolute gap of each bin without what chance adds to it: ``(bins,)``."""
    names = np.arange(len(gaps)) if clusters is None else numbered(clusters)[1]
    values = np.abs(means)
    for place in range(len(means)):
        inside = bins == place
        rows = np.column_stack([gaps[inside], np.ones(inside.sum())])
        spread = of_ratio(ClusterSums.of(rows, names[inside].tolist()))
        if spread is None or not spread.variance:
            continue
        ratio, scale = values[place] / spread.variance**0.5, spread.variance**0.5
        density = np.exp(-(ratio**2) / 2) / np.sqrt(2 * np.pi)
        folded = scale * (2 * density + ratio * (1 - 2 * special.ndtr(-ratio)))
        values[place] -= folded - values[place]
    return values


def _are_enough(clusters: Clusters) -> bool:
    """Whether signs of whole clusters can be rare enough for a test."""
    sizes = Counter(clusters or ()).values()
    squares = sum(size**2 for size in sizes)
    return squares == len(sizes) or sum(sizes) ** 2 >= FEWEST * squares


def _draws(probs: Array, rights: Array, bins: Places, clusters: Clusters) -> Array:
    """The errors of calibrated models with these confidences: ``(draws,)``."""
    n, count = len(probs), int(bins.max()) + 1
    rng = np.random.default_rng(_SEED)
    if clusters is None or len(set(clusters)) == n:
        # In an order that the data does not decide, as draws go to places.
        order = np.argsort(probs, kind="stable")
        probs, bins = probs[order], bins[order]
        if n <= _DRAWN:
            drawn = probs - (rng.random((_DRAWS, n)) < probs)
            sums = drawn @ np.eye(count)[bins]
        else:
            sums = rng.normal(size=(_DRAWS, count))
            sums = sums * np.sqrt(np.bincount(bins, probs * (1 - probs)))
    else:
        rows = np.eye(count)[bins] * (probs - rights)[:, None]
        table = ClusterSums.of(rows, clusters).sums
        if len(table) <= _DRAWN:
            sums = rng.choice((-1.0, 1.0), size=(_DRAWS, len(table))) @ table
        else:
            sums = rng.multivariate_normal(np.zeros(count), table.T @ table, size=_DRAWS)
    errors: Array = np.abs(sums).sum(axis=1) / n
    return errors
