"""Paired differences of any figures, such as F1, mAP, calibration, totals: by half-samples.

A bootstrap draws samples more than once, and a metric that joins samples by their id or question
cannot tell the copies apart. A half-sample has no copies: half of the clusters, drawn without
replacement, and the other half.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from chef.stats.arrays import Array, np, special
from chef.stats.estimate import Estimate, method_of
from chef.stats.figures import OfRows, without_intervals
from chef.stats.paired import PairedDifference, with_own_interval
from chef.stats.power import POWER, SEED
from chef.stats.scales import CONFIDENCE

#: Gives the figures of a run, computed on the samples at these places; in rising order.
Figures: TypeAlias = Callable[[Sequence[int]], Mapping[str, float | None]]
Halves: TypeAlias = tuple[list[int], list[int]]

#: The most and the least splits into halves, and how many samples are looked at in all.
MOST, LEAST, SAMPLES = 500, 30, 600_000
#: The largest differences of figures in units that have ends.
_SPANS = {"0-1": 1.0, "0-100": 100.0}
#: A figure that is undefined in more of the splits has no interval.
_UNDEFINED = 0.1


def splits(samples: int) -> int:
    """The number of splits into halves: by the number of samples alone, never by time.

    >>> splits(100), splits(4000), splits(20_000)
    (500, 150, 30)
    """
    return max(LEAST, min(MOST, SAMPLES // max(1, samples)))


def paired_figures(
    first: Figures,
    second: Figures,
    clusters: Sequence[Hashable],
    like: Mapping[str, Estimate],
    *,
    own: tuple[Mapping[str, Estimate], Mapping[str, Estimate]] = ({}, {}),
    on_split: Callable[[], None] | None = None,
) -> dict[str, PairedDifference]:
    """The differences of the figures of two runs on the same samples, second minus first.

    The clusters are split at random into halves of h and C - h, again and again. With ``d`` half of
    the difference between the halves' values of ``second - first``, the squared standard error is
    the mean of ``d^2 * 4 h (C - h) / C^2``: for a mean of equal clusters that is exactly its
    squared standard error, and the bias of a figure that depends on the number of samples, which
    both halves have, drops out. The interval is Student's, and so is the p-value; the inverse
    of the degrees of freedom is that of the effective number of clusters less one, and of the
    number of splits, added. Sources: McCarthy 1969,
    "Pseudo-replication: Half Samples"; Saigo, Shao and Sitter 2001, "A Repeated Half-Sample
    Bootstrap and Balanced Repeated Replications for Randomly Imputed Data".

    If no split changes a figure (as of a run with itself), it has no interval: how far a figure of
    any kind moves with samples that were not seen cannot be told. The p-value of a difference of 0
    is then 1.

    Where the figure of one run is 0 on all samples and in every half, as of a run that has nothing
    right, the difference is the other run's own figure, and has its interval. If no split changes
    it, the p-value is that of the sign-flip test of clusters that all say the same.

    Both runs give their figures of whole clusters, within `without_intervals`, twice in each of
    `splits`; figures of sums over rows (`OfRows`, where the number of a cluster is the place of a
    sample in it) only twice, and then their rows tell them. Samples that a figure joins, such as
    the rotations of a question, must share a cluster. ``like`` has the figures that are wanted,
    with unit and direction; ``own`` those of all samples with their intervals, as far as they are
    known. A value is None where a run has none.
    """
    places = range(len(clusters))
    with without_intervals():
        first, second = (_FromRows(run, len(places), like) for run in (first, second))
        whole = _values(first, second, places, like)
        halves = []
        for split in _halves(clusters):
            halves.append([_values(first, second, half, like) for half in split])
            if on_split is not None:
                on_split()
    sizes = _sizes(clusters)
    pairs = {}
    for key, both in whole.items():
        parts = [[values[key] for values in split] for split in halves]
        gains = [(_gain(one), _gain(other)) for one, other in parts]
        pairs[key] = _difference(_gain(both), gains, sizes, like[key])
        is_zero = [
            both[run] == 0 and not any(half[run] for split in parts for half in split)
            for run in (0, 1)
        ]
        if all(key in figures for figures in own) and is_zero[0] != is_zero[1]:
            pairs[key] = _alone(pairs[key], own[0][key], own[1][key], is_first=is_zero[1])
    return pairs


class _FromRows:
    """The figures of a run: of some samples from the rows of the whole, where these tell them.

    They do if they tell those of both halves of the first split as the run does. A figure that has
    no value there, as where a part of the data is missing, is always asked of the run.
    """

    def __init__(self, run: Figures, count: int, keys: Iterable[str]) -> None:
        self._run, self._count, self._checks = run, count, 2
        with without_intervals(keep_rows=True):
            whole = run(range(count))
        rows = {key: whole.get(key) for key in keys}
        self._whole = {
            key: item.value if isinstance(item, OfRows) else item for key, item in rows.items()
        }
        numbers = [item for item in rows.values() if item is not None]
        self._rows = rows if all(isinstance(item, OfRows) for item in numbers) else None

    def __call__(self, places: Sequence[int]) -> Mapping[str, float | None]:
        if len(places) == self._count:
            return self._whole
        values = self._told(places)
        if values is not None and not self._checks:
            return values
        figures = self._run(places)
        if values is not None:
            self._checks -= 1
            if any(figures.get(key) != value for key, value in values.items()):
                self._rows = None
        return figures

    def _told(self, places: Sequence[int]) -> dict[str, float | None] | None:
        if self._rows is None:
            return None
        inside = np.zeros(self._count, dtype=bool)
        inside[places] = True
        values: dict[str, float | None] = {}
        for key, item in self._rows.items():
            values[key] = item.of(inside) if isinstance(item, OfRows) else None
            if item is not None and values[key] is None:
                return None
        return values


#: A figure of two runs on the same samples.
Both: TypeAlias = tuple[float | None, float | None]


def _values(
    first: Figures, second: Figures, places: Sequence[int], keys: Mapping[str, Estimate]
) -> dict[str, Both]:
    """Each figure of both runs on some samples; None where it has no finite value."""
    runs = first(places), second(places)
    return {key: (_finite(runs[0].get(key)), _finite(runs[1].get(key))) for key in keys}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _gain(both: Both) -> float | None:
    """Second less first; None where one of them has no value."""
    before, after = both
    return None if before is None or after is None else after - before


def _alone(
    found: PairedDifference, first: Estimate, second: Estimate, *, is_first: bool
) -> PairedDifference:
    """The difference to a run whose figure is always 0."""
    estimate = with_own_interval(found.estimate, first, second, is_first=is_first)
    if estimate is found.estimate or estimate.low is None or estimate.high is None:
        return found
    p_value = found.p_value
    if p_value is None and estimate.clusters is not None:
        p_value = min(1.0, 2.0 ** (1 - estimate.clusters))
    if p_value is not None and p_value > 1 - CONFIDENCE:
        estimate = estimate.holding_zero()
    return replace(found, estimate=estimate, p_value=p_value)


def _sizes(clusters: Sequence[Hashable]) -> Array:
    return np.array(list(Counter(clusters).values()), dtype=np.float64)


def _halves(clusters: Sequence[Hashable]) -> Iterator[Halves]:
    """The samples of both halves of each split, each in rising order."""
    names = sorted(set(clusters), key=str)  # so that the order of samples has no effect
    if len(names) < 2:
        return
    numbers = {name: number for number, name in enumerate(names)}
    where = np.array([numbers[name] for name in clusters])
    rng = np.random.default_rng(SEED)
    for _ in range(splits(len(clusters))):
        chosen = np.zeros(len(names), dtype=bool)
        chosen[rng.permutation(len(names))[: len(names) // 2]] = True
        inside = chosen[where]
        yield np.flatnonzero(inside).tolist(), np.flatnonzero(~inside).tolist()


def _difference(
    value: float | None,
    halves: Sequence[tuple[float | None, float | None]],
    sizes: Array,
    like: Estimate,
) -> PairedDifference:
    """The difference with what the halves say about it."""
    count, n = len(sizes), int(sizes.sum())
    plain = Estimate(value, n, unit=like.unit, higher_is_better=like.higher_is_better)
    moves = {
        (n, count, place): (a - b) / 2
        for place, (a, b) in enumerate(halves)
        if a is not None and b is not None
    }
    known = list(moves.values())
    if value is None or not known or len(known) < (1 - _UNDEFINED) * len(halves):
        return PairedDifference(plain, count, None)
    small = count // 2
    scale = 4 * small * (count - small) / count**2
    stderr = math.sqrt(scale * sum(d * d for d in known) / len(known))
    if stderr <= 1e-12 * max(1.0, abs(value)):
        return PairedDifference(plain, count, 1.0 if abs(value) < 1e-12 else None)
    # The standard error of few splits is itself uncertain, beside what few clusters leave open.
    degrees = 1 / (1 / (sizes.sum() ** 2 / (sizes**2).sum() - 1) + 1 / len(known))
    reach, power = (
        float(special.stdtrit(degrees, level)) for level in ((1 + CONFIDENCE) / 2, POWER)
    )
    span = _SPANS.get(like.unit, math.inf)
    estimate = Estimate(
        value,
        n,
        stderr,
        max(value - reach * stderr, -span),
        min(value + reach * stderr, span),
        like.unit,
        method_of("half-samples", count, n),
        like.higher_is_better,
    )
    p_value = float(2 * special.stdtr(degrees, -abs(value) / stderr))
    effect = (reach + power) * stderr
    return PairedDifference(
        estimate, count, p_value, "half-samples", effect, freedom=degrees, moves=moves, span=span
    )
