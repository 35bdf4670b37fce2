"""A judge's mean score made right by the labels of people on some of the samples.

A judge scores all samples, people a part that was drawn at random, from all or from each stratum.
The mean of the labels is right but rests on few of them; the mean of the judge's scores rests on
all, and may be biased. The rectified mean is right whatever the judge does, and the more exact, the
more the judge agrees. With strata h that hold a share ``W_h`` of the samples:

    slope * mean of the scores of all + sum_h W_h * mean of (label - slope * score) of h's labelled

Of one stratum, with the slope of the labels on the scores, that is the regression estimator of
double sampling (Cochran 1977, "Sampling Techniques", 12.6) and the mean of PPI++ (Angelopoulos,
Duchi and Zrnic 2023, "PPI++: Efficient Prediction-Powered Inference"), with the labelled samples
among those that the judge has scored. Of several it is stratified PPI with a common slope (Fisch et
al. 2024, "Stratified Prediction-Powered Inference for Hybrid Language Model Evaluation"): each
label counts by the inverse of the probability that it was drawn with.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from chef.frozen import Frozen
from chef.stats.arrays import Array, ArrayLike, Places, np, special
from chef.stats.estimate import Estimate
from chef.stats.figures import between, with_bounds
from chef.stats.influence import ClusterSpread, ClusterSums, numbered, of_influence
from chef.stats.scales import student, unbounded, unseen

#: Of fewer labels the slope is not known well enough for an interval; of a stratum, the spread.
FEWEST, FEWEST_OF_STRATUM = 10, 2
#: The most that one label's leverage takes off what its residual is divided by.
_LEVERAGE = 0.9


@dataclass(frozen=True, slots=True)
class Rectified:
    """What labels say about a score.

    Attributes:
        estimate: the rectified mean with its 95% interval, which holds for any judge.
        labels: the mean of the labels alone, with its interval.
        slope: how far the judge's scores are followed: 0 where they say nothing about the labels.
        worth: how many labels without scores, drawn from all samples, each one counts for: a ratio
            of variances; None where unknown. Of many scores that correlate with the labels by r it
            is ``1 / (1 - r^2)``.
        moves: by how much each cluster moves the mean, and its share of the labels.
        unseen: the part of the variance that is there for what no label has shown yet.
        width: of the scale.
    """

    estimate: Estimate
    labels: Estimate
    slope: float
    worth: float | None
    moves: Mapping[Hashable, tuple[float, float]] = field(default_factory=dict, repr=False)
    unseen: float = 0.0
    width: float = 1.0
    strata: int = 1


class _Drawn(Frozen):
    """``(n,)`` scores and strata, ``(m,)`` places of the labels and labels of people, and of each
    stratum its share of the samples and its number of labels.
    """

    scores: Array
    places: Places
    people: Array
    strata: Places
    weights: Array
    counts: Places

    def centred(self, values: Array) -> tuple[Array, Array]:
        """Values of the labelled samples less the mean of their stratum, and these means."""
        at = self.strata[self.places]
        means = np.bincount(at, values, len(self.counts)) / self.counts
        return values - means[at], means

    @property
    def each(self) -> Array:
        """``(m,)``: how much of the mean each label is; the sum is 1."""
        shares: Array = (self.weights / self.counts)[self.strata[self.places]]
        return shares


def rectified_mean(
    scores: Sequence[float],
    labels: Mapping[int, float],
    clusters: Sequence[Hashable],
    *,
    unit: str,
    least: float,
    most: float,
    strata: Sequence[Hashable] | None = None,
) -> Rectified:
    """The mean score by people, of whom only some samples were asked.

    ``scores`` is the judge's of each sample, ``(n,)``; ``labels`` are those by people by the
    sample's place, drawn at random from each of the ``strata``, None: from all alike. Raises
    ValueError for fewer labels than `FEWEST`, or `FEWEST_OF_STRATUM` of a stratum.

    >>> same = [1.0, 0.0] * 20
    >>> exact = rectified_mean(same, dict(enumerate(same[:20])), range(40), unit="0-1",
    ...                        least=0, most=1)
    >>> round(exact.estimate.value, 3), round(exact.slope, 3)
    (0.5, 1.0)
    """
    if len(labels) < FEWEST:
        raise ValueError(f"{len(labels)} labels are too few; {FEWEST} are needed")
    drawn = _drawn(scores, labels, strata)
    slope, leverage = _slope(drawn)
    bare = Estimate(None, len(drawn.scores), unit=unit)
    exact = _mean(drawn, slope, leverage, clusters, bare, least=least, most=most)
    alone = _mean(drawn, 0.0, 0 * leverage, clusters, bare, least=least, most=most)
    worth, free = None, _free_variance(drawn, alone)
    if exact.estimate.stderr and free:
        worth = free / exact.estimate.stderr**2
    marked = len({clusters[place] for place in labels})
    own = replace(alone.estimate, n=len(labels), clusters=marked)
    return replace(exact, labels=own, worth=worth)


def _free_variance(drawn: _Drawn, alone: Rectified) -> float | None:
    """The variance of the mean of so many labels without any score: drawn from all samples."""
    if len(drawn.counts) == 1:
        return None if alone.estimate.stderr is None else alone.estimate.stderr**2
    mean = float((drawn.each * drawn.people).sum())
    spread = float((drawn.each * (drawn.people - mean) ** 2).sum())
    return spread / (len(drawn.people) - 1)


def _drawn(
    scores: Sequence[float], labels: Mapping[int, float], strata: Sequence[Hashable] | None
) -> _Drawn:
    names, of = numbered([0] * len(scores) if strata is None else strata)
    places = np.array(sorted(labels), dtype=np.intp)
    sizes = np.bincount(of, minlength=len(names))
    counts = np.bincount(of[places], minlength=len(names))
    for number, name in enumerate(names):
        if counts[number] < min(FEWEST_OF_STRATUM, sizes[number]):
            raise ValueError(
                f"{counts[number]} of the {sizes[number]} samples of the stratum {name!r} have a "
                f"label; {FEWEST_OF_STRATUM} are needed"
            )
    people = np.array([labels[int(place)] for place in places], dtype=np.float64)
    judged = np.asarray(scores, dtype=np.float64)
    return _Drawn(judged, places, people, of, sizes / len(judged), counts)


def _slope(drawn: _Drawn) -> tuple[float, Array]:
    """The slope of labels on scores within strata with the least variance, 0 where scores do not
    vary, and the leverage of each label on it.
    """
    judged, _ = drawn.centred(drawn.scores[drawn.places])
    people, _ = drawn.centred(drawn.people)
    counts = drawn.each**2
    spread = float((counts * judged**2).sum())
    if spread <= 1e-12 * float(counts.sum()):
        return 0.0, 0.0 * judged
    return float((counts * judged * people).sum()) / spread, counts * judged**2 / spread


def _mean(
    drawn: _Drawn,
    slope: float,
    leverage: Array,
    clusters: Sequence[Hashable],
    bare: Estimate,
    *,
    least: float,
    most: float,
) -> Rectified:
    """The mean for one slope, with what each cluster moves it by.

    The influence of a sample is that of two-phase sampling (Särndal, Swensson and Wretman 1992,
    "Model Assisted Survey Sampling", 9.3): ``(slope * score + mean residual of its stratum - mean)
    / n``, and of a labelled one also its weight times its residual, which is divided by the root of
    one less its leverage on the mean of the stratum and on the slope, and once more by that of one
    less the latter (between HC2 and HC3 of MacKinnon and White 1985), as few labels tell a slope.
    """
    n, width = len(drawn.scores), most - least
    left, means = drawn.centred(drawn.people - slope * drawn.scores[drawn.places])
    fitted = slope * drawn.scores + means[drawn.strata]
    value = float(fitted.mean())
    names, where = numbered(clusters)
    marked, at = where[drawn.places], drawn.strata[drawn.places]
    shares = np.bincount(marked, drawn.each, len(names))
    within, effective = _within(marked, at, drawn.counts)
    room = np.maximum((1 - within - leverage) * (1 - leverage), 1 - _LEVERAGE)
    influence = (fitted - value) / n
    influence[drawn.places] += drawn.each * left * np.sqrt((1 - shares[marked]) / room)
    moved = np.bincount(where, influence, len(names))
    extra = _unseen(left, at, drawn.weights, effective) * width**2
    spread = _spread(np.column_stack([moved, shares]), extra, value, len(drawn.counts))
    estimate = replace(bare, value=min(most, max(least, value)), clusters=len(names))
    estimate = between(estimate, spread, least, most)
    moves = dict(zip(names, zip(moved.tolist(), shares.tolist(), strict=True), strict=True))
    return Rectified(estimate, estimate, slope, None, moves, extra, width, len(drawn.counts))


def _within(marked: Places, at: Places, counts: Places) -> tuple[Array, Array]:
    """The share of each label's cluster in the labels of its stratum; how many equally large
    clusters would tell as much (`chef.stats.influence.ClusterSpread`). ``marked`` and ``at``,
    ``(m,)``, number them.
    """
    _, key, sizes = np.unique(
        np.stack([at, marked]), axis=1, return_inverse=True, return_counts=True
    )
    shares = sizes[key.reshape(-1)] / counts[at]  # the sum of them over labels is that of squares
    squares = np.bincount(at, shares / counts[at], len(counts))
    return np.minimum(shares, _LEVERAGE), 1 / squares


def _unseen(left: Array, at: Places, weights: Array, effective: Array) -> float:
    """The variance, on a scale of width 1, for strata in which no label contradicts the scores,
    where what was not seen may (`chef.stats.scales.unseen`).
    """
    reach = student(math.inf)
    extra = 0.0
    for stratum, weight in enumerate(weights.tolist()):
        residuals = left[at == stratum]
        if float(abs(residuals).max()) < 1e-9:
            extra += (weight * unseen(0.0, 0.0, 1.0, float(effective[stratum]))[1] / reach) ** 2
    return extra


def _spread(moves: ArrayLike, extra: float, value: float, strata: int) -> ClusterSpread | None:
    """The spread of what clusters move, in an order that samples do not decide."""
    table = ClusterSums.of(moves, None).sums
    spread = of_influence(table[:, 0], table[:, 1], value**2)
    if spread is None:
        return None
    # One degree of freedom went to each mean, and one to the slope.
    freedom = max(0.5, min(spread.freedom, spread.effective - strata - 1))
    return replace(spread, variance=spread.variance + extra, freedom=freedom)


def rectified_difference(
    first: Rectified, second: Rectified, *, higher_is_better: bool | None
) -> tuple[Estimate, float | None]:
    """The rectified mean of a second run less that of a first one, with its 95% interval, and the
    two-sided p-value of no difference, None if unknown. Both are of the same samples and scale,
    whose clusters have the same names; what a cluster moves in both runs is taken together.
    """
    before, after = first.estimate, second.estimate
    value = (after.value or 0.0) - (before.value or 0.0)
    bare = Estimate(value, after.n, unit=after.unit, higher_is_better=higher_is_better)
    moves = [
        (second.moves[name][0] - move, (share + second.moves[name][1]) / 2)
        for name, (move, share) in first.moves.items()
    ]
    spread = _spread(moves, first.unseen + second.unseen, value, max(first.strata, second.strata))
    bounds = None if spread is None else unbounded(value, spread)
    if spread is None or bounds is None:
        return replace(bare, clusters=len(moves)), None
    stderr = math.sqrt(spread.variance)
    bounds = max(bounds[0], -first.width), min(bounds[1], first.width)
    estimate = with_bounds(replace(bare, clusters=len(moves)), spread, bounds, "student")
    return estimate, float(2 * special.stdtr(spread.freedom, -abs(value) / stderr))


Stratum = TypeVar("Stratum", bound=Hashable)
#: So many are drawn from each stratum before any has more.
FIRST = 2


def dealt(sizes: Mapping[Stratum, int]) -> Iterator[Stratum]:
    """The stratum of the first drawn sample, of the second one, and so on, by the sizes of strata.

    After `FIRST` of each, strata get samples in proportion to the root of their sizes, by highest
    averages, so that however early a person stops, the labels are shared out well. The root stands
    between equal numbers, which know each stratum alike, and proportional ones, which know the
    whole best where strata are alike. Source: Bankier 1988, "Power Allocations".

    >>> "".join(dealt({"a": 9, "b": 3}))
    'aabbaaabaaaa'
    """
    left = dict(sizes)
    counts = dict.fromkeys(sizes, 0)
    while any(left.values()):
        name = min(
            (name for name, number in left.items() if number),
            key=lambda name: (
                (0, 0.0)
                if counts[name] < FIRST
                else (1, -math.sqrt(sizes[name]) / (counts[name] + 1))
            ),
        )
        left[name] -= 1
        counts[name] += 1
        yield name
