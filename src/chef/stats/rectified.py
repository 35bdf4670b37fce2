"""A judge's mean score made right by the labels of people on some of the samples.

A judge scores all samples, people a part that was drawn at random. The mean of the labels is right
but rests on few of them; the mean of the judge's scores rests on all, and may be biased. The
rectified mean is right whatever the judge does, and the more exact, the more the judge agrees:

    mean of labels + slope * (mean of the judge's scores on all - on the labelled ones)

with the slope of the labels on the judge's scores. Sources: Cochran 1977, "Sampling Techniques",
12.6 (the regression estimator of double sampling); Angelopoulos, Duchi and Zrnic 2023, "PPI++:
Efficient Prediction-Powered Inference", of which it is the mean with the labelled samples among
those that the judge has scored.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chef.stats.estimate import Estimate
from chef.stats.figures import mean, of_sums
from chef.stats.scales import unseen

if TYPE_CHECKING:
    from chef.stats.influence import Array

#: Of fewer labels the slope is not known well enough for an interval.
FEWEST = 10


@dataclass(frozen=True, slots=True)
class Rectified:
    """What labels say about a score.

    Attributes:
        estimate: the rectified mean with its 95% interval, which holds for any judge.
        labels: the mean of the labels alone, with its interval.
        slope: how far the judge's scores are followed: 0 where they say nothing about the labels.
        worth: how many labels each one counts for, as a ratio of variances; None where unknown.
    """

    estimate: Estimate
    labels: Estimate
    slope: float
    worth: float | None


def rectified_mean(
    scores: Sequence[float],
    labels: Mapping[int, float],
    clusters: Sequence[Hashable],
    *,
    unit: str,
    least: float,
    most: float,
) -> Rectified:
    """The mean score by people, of whom only some samples were asked.

    Args:
        scores: ``(n,)``, the judge's score of each sample.
        labels: the scores by people, by the place of the sample; drawn at random.
        clusters: ``(n,)``, the cluster of each sample.
        unit: the unit of both.
        least: the lower end of the scale.
        most: the upper one.

    Raises:
        ValueError: fewer than `FEWEST` samples have a label.

    >>> same = [1.0, 0.0] * 20
    >>> found = rectified_mean(same, dict(enumerate(same[:20])), range(40), unit="0-1",
    ...                        least=0, most=1)
    >>> round(found.estimate.value, 3), round(found.slope, 3)
    (0.5, 1.0)
    """
    import numpy as np

    if len(labels) < FEWEST:
        raise ValueError(f"{len(labels)} labels are too few; {FEWEST} are needed")
    judged = np.asarray(scores, dtype=np.float64)
    has, people = np.zeros(len(judged)), np.zeros(len(judged))
    for place, label in labels.items():
        has[place], people[place] = 1.0, label
    rows = np.column_stack(
        [np.ones(len(judged)), judged, has, has * judged, people, has * judged**2, judged * people]
    )
    estimate = of_sums(rows, _rectified, clusters, unit, least=least, most=most)
    slope = float(_slope(rows.sum(axis=0)[None, :])[0])
    places = sorted(labels)
    marked = [clusters[place] for place in places]
    alone = mean([labels[place] for place in places], marked, unit, least=least, most=most)
    left = people[places] - slope * judged[places]
    if float(np.ptp(left)) < 1e-9:
        estimate = _unseen(estimate, len(set(marked)), least, most)
    worth = None
    if estimate.stderr and alone.stderr:
        worth = (alone.stderr / estimate.stderr) ** 2
    return Rectified(estimate, alone, slope, worth)


def _unseen(estimate: Estimate, clusters: int, least: float, most: float) -> Estimate:
    """The interval where the judge was right about all labels: elsewhere it may be wrong."""
    reach = unseen(0.0, 0.0, most - least, clusters)[1]
    low, high = (estimate.low or least) - reach, (estimate.high or most) + reach
    return replace(estimate, low=max(least, low), high=min(most, high))


def _slope(sums: Array) -> Array:
    """The slope of the labels on the judge's scores; 0 where these do not vary."""
    import numpy as np

    n, judged, people = sums[:, 2], sums[:, 3], sums[:, 4]
    spread = n * sums[:, 5] - judged**2
    together = n * sums[:, 6] - judged * people
    slopes: Array = np.where(spread > 1e-9, together / np.where(spread > 1e-9, spread, 1.0), 0.0)
    return slopes


def _rectified(sums: Array) -> Array:
    everywhere, there = sums[:, 1] / sums[:, 0], sums[:, 3] / sums[:, 2]
    means: Array = sums[:, 4] / sums[:, 2] + _slope(sums) * (everywhere - there)
    return means
