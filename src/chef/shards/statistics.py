"""What is told of a shard: exact sums of its scores that add up over shards, and what they show."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from fractions import Fraction
from functools import cache, reduce
from operator import add
from typing import TYPE_CHECKING, Any, cast

import msgspec

from chef.errors import DataError
from chef.metric import Coverage, Metric, Report
from chef.metric.groups import LIMIT, NONE, Group, ScoredSamples, natural
from chef.metric.mean_scores import has_mean, mean_scores
from chef.stats.clusters import DIGESTS, links
from chef.stats.estimate import PERCENT, Estimate, undefined
from chef.stats.influence import ClusterSpread
from chef.stats.scales import Bounds, bounded, unbounded, unseen
from chef.types import Prediction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: Replicates of the bootstrap; a multiple of 4, as one 64-bit word gives four weights.
REPLICATES = 200
#: Scores are whole multiples of ``1 / UNIT`` in the replicates, so that these add up exactly.
UNIT = 2**30
#: So many clusters are weighted at once.
_AT_ONCE = 4096


class Sums(msgspec.Struct, frozen=True):
    """The scores of some samples, as exact sums that add up in any order with those of others.

    ``total`` is a fraction, ``units`` rounded in `UNIT`; ``tops`` and ``bottoms`` (``(200,)``) are
    the weighted sums and the sums of weights of each replicate.
    """

    n: int
    total: str
    units: int
    tops: tuple[int, ...]
    bottoms: tuple[int, ...]
    is_counted: bool = True

    @classmethod
    def of(cls, scores: Sequence[float], clusters: Sequence[str], seed: int = 0) -> Sums:
        """The sums of at most 2^20 scores ``(n,)`` in -1..1 with the names of their clusters.

        A weight is drawn for each cluster and replicate from the Poisson distribution with mean 1,
        by a hash of the seed and the cluster's name, so that shards that share one weigh it alike.
        """
        import numpy as np

        values = np.asarray(scores, dtype=np.float64)
        if len(values) > 2**20 or not (np.abs(values) <= 1).all():
            raise ValueError("scores of a shard are at most 2^20 numbers from -1 to 1")
        different, counts = np.unique(values, return_counts=True)
        pairs = zip(different.tolist(), counts.tolist(), strict=True)
        total = sum((Fraction(value) * count for value, count in pairs), Fraction(0))
        places: dict[str, int] = {}
        where = np.array([places.setdefault(name, len(places)) for name in clusters], np.intp)
        units = np.rint(values * UNIT)
        sums = np.stack(
            [np.bincount(where, column, len(places)) for column in (units, np.ones(len(values)))]
        )
        names, replicates = list(places), np.zeros((2, REPLICATES))
        for start in range(0, len(names), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            # Whole numbers below 2^53 in doubles: exact, in any order of addition.
            replicates += sums[:, part] @ weights(names[part], seed)
        tops, bottoms = replicates.astype(np.int64).tolist()
        is_counted = bool(np.isin(different, (0.0, 1.0)).all())
        return cls(
            len(values), str(total), int(units.sum()), tuple(tops), tuple(bottoms), is_counted
        )

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.n + other.n,
            str(Fraction(self.total) + Fraction(other.total)),
            self.units + other.units,
            tuple(map(add, self.tops, other.tops)),
            tuple(map(add, self.bottoms, other.bottoms)),
            self.is_counted and other.is_counted,
        )

    def mean(self, unit: str, *, higher_is_better: bool | None = True) -> Estimate:
        """The mean of scores in 0..1, with the interval of `chef.stats.scales.bounded`."""
        if not self.n:
            return undefined(unit, higher_is_better=higher_is_better)
        p, spread = float(Fraction(self.total)) / self.n, self._spread()
        bare = Estimate(p, self.n, unit="0-1", higher_is_better=higher_is_better)
        if spread is not None:
            trials = float(self.n) if self.is_counted else None
            bare = _with(bare, spread, bounded(p, spread, trials))
            varies = p * (1 - p) / spread.variance if spread.variance else spread.effective
            bare = replace(bare, effective_n=varies if trials is None else min(varies, trials))
        return bare.scaled(100 / PERCENT[unit], unit)

    def difference(self) -> Estimate:
        """The mean of paired differences, in points of percent; Student's interval of clusters."""
        if not self.n:
            return undefined("%")
        value, spread = float(Fraction(self.total)) / self.n, self._spread()
        bare = Estimate(value, self.n, unit="0-1")
        if spread is not None:
            bounds = unbounded(value, spread) or unseen(value, -1.0, 1.0, spread.effective)
            bare = _with(bare, spread, bounds)
        return bare.scaled(100, "%")

    def _spread(self) -> ClusterSpread | None:
        """How much the mean varies; None for fewer than two clusters.

        With the sums T_b and N_b of replicate b and the mean m of n scores, the variance is the
        mean of ``(T_b - m N_b)^2 / n^2`` over the replicates. Of the weights, which have mean and
        variance 1, it expects ``sum r_c^2 / n^2`` with the residuals r_c of the clusters, which is
        the variance of a ratio of sums. It is corrected by ``C / (C - 1)`` for the effective
        number C of clusters; N_b tells that, as its variance is the sum of the squared sizes.
        Sources: Hanley and MacGibbon 2006, "Creating non-parametric bootstrap samples using
        Poisson frequencies"; Chamandy et al. 2012, "Estimating Uncertainty for Massive Data
        Streams".
        """
        squares = sum((bottom - self.n) ** 2 for bottom in self.bottoms) / REPLICATES
        effective = min(float(self.n), self.n**2 / squares if squares else 1.0)
        if effective < 1.5:
            return None
        residuals = (
            top * self.n - self.units * bottom
            for top, bottom in zip(self.tops, self.bottoms, strict=True)
        )
        whole = math.fsum((item / (UNIT * self.n**2)) ** 2 for item in residuals)
        variance = whole / REPLICATES * effective / (effective - 1)
        freedom = max(0.5, 1 / (1 / (effective - 1) + 1 / REPLICATES))
        return ClusterSpread(variance, freedom, round(effective), effective)


#: The sums of no scores.
NOTHING = Sums(0, "0", 0, (0,) * REPLICATES, (0,) * REPLICATES)


def _with(bare: Estimate, spread: ClusterSpread, bounds: Bounds) -> Estimate:
    low, high = bounds
    return replace(bare, stderr=math.sqrt(spread.variance), low=low, high=high, method="bootstrap")


def weights(names: Sequence[str], seed: int) -> NDArray[np.float64]:
    """How often each cluster is in each replicate, ``(len(names), 200)``; seed in 0..2^64 - 1.

    The words of SplitMix64 (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number
    Generators"), begun at BLAKE2b of a cluster's name with the seed as the key, are cut into 16
    bits each, which choose a weight by the distribution function of Poisson's distribution.
    """
    import numpy as np

    key = seed.to_bytes(8, "little")
    digests = b"".join(
        hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, key=key).digest()
        for name in names
    )
    steps = np.arange(1, REPLICATES // 4 + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    words = np.frombuffer(digests, "<u8")[:, None] + steps
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    words ^= words >> np.uint64(31)
    counts: NDArray[np.float64] = _table()[words.astype("<u8").view("<u2")]
    return counts


@cache
def _table() -> NDArray[np.float64]:
    """The weight that each number of 16 bits chooses."""
    import numpy as np

    shares = [math.exp(-1) / math.factorial(weight) for weight in range(12)]
    ends = np.rint(np.cumsum(shares) * 2**16)
    return np.searchsorted(ends, np.arange(2**16), side="right").astype(np.float64)


#: What names the cluster of a sample where it has several links: what most samples share first.
_COARSE = (DIGESTS, "image_path", "image_row", "main_id", "sampled_from", "circular_group")


class CountedSums(msgspec.Struct, frozen=True):
    """The scores of some samples, and what became of the samples."""

    sums: Sums
    coverage: Coverage

    def __add__(self, other: CountedSums) -> CountedSums:
        each = zip(astuple(self.coverage), astuple(other.coverage), strict=True)
        return CountedSums(self.sums + other.sums, Coverage(*map(sum, each)))


#: The counts of the groups of each field, by the name of the field and its value.
Groups = Mapping[str, Mapping[str, CountedSums]]


class ShardStatistics(msgspec.Struct, frozen=True):
    """The answers of one shard or several by one metric, which add up; ``no_mean`` says why not."""

    metric: str
    figure: str
    unit: str
    higher_is_better: bool | None
    chance_for: tuple[str, ...]
    no_mean: str
    whole: CountedSums
    groups: Groups

    def __add__(self, other: ShardStatistics) -> ShardStatistics:
        # A shard without a single score names neither figure nor unit.
        named = max(self, other, key=lambda item: (item.unit, item.figure))
        return ShardStatistics(
            self.metric,
            named.figure,
            named.unit,
            named.higher_is_better,
            max(self.chance_for, other.chance_for),
            max(self.no_mean, other.no_mean),
            self.whole + other.whole,
            {
                name: _added(self.groups.get(name, {}), other.groups.get(name, {}))
                for name in sorted({*self.groups, *other.groups})
            },
        )

    def report(self, expected: int) -> Report:
        """Figure, interval, coverage and groups without samples; `DataError` for no mean."""
        if self.no_mean:
            raise DataError(self.no_mean, hint="chef score URL reads every part, and computes it")
        groups = {name: self._groups(of) for name, of in self.groups.items() if {*of} != {NONE}}
        coverage = self.whole.coverage
        return Report(
            metrics={self.figure: self._mean(self.whole.sums)},
            coverage=replace(coverage, total=max(coverage.total, expected)),
            samples=(),
            primary=self.figure,
            chance_for=self.chance_for,
            by=groups,
            left_out={
                name: len(self.groups[name]) - LIMIT
                for name in groups
                if len(self.groups[name]) > LIMIT
            },
        )

    def _groups(self, groups: Mapping[str, CountedSums]) -> dict[str, Group]:
        largest = sorted(groups, key=lambda name: (-groups[name].coverage.total, natural(name)))
        ordered = sorted(largest[:LIMIT], key=lambda name: (name == NONE, natural(name)))
        return {
            name: Group({self.figure: self._mean(groups[name].sums)}, groups[name].coverage)
            for name in ordered
        }

    def _mean(self, sums: Sums) -> Any:
        return sums.mean(self.unit or "%", higher_is_better=self.higher_is_better)


def _added(
    one: Mapping[str, CountedSums], other: Mapping[str, CountedSums]
) -> dict[str, CountedSums]:
    empty = CountedSums(NOTHING, Coverage(0, 0))
    return {
        label: one.get(label, empty) + other.get(label, empty) for label in sorted({*one, *other})
    }


def merged(items: Iterable[ShardStatistics]) -> ShardStatistics:
    """The statistics of several shards together; there is at least one."""
    return reduce(ShardStatistics.__add__, items)


def statistics_of(
    metric: Metric,
    name: str,
    report: Report,
    predictions: Iterable[Prediction],
    groupings: Mapping[str, str],
    *,
    seed: int,
) -> ShardStatistics:
    """The statistics of the answers of a shard; ``seed`` is of the weights of the bootstrap."""
    records = {item.sample_id: {"id": item.sample_id, **item.to_record()} for item in predictions}
    scores, no_mean = _scores(metric, name, report)
    clusters = {key: cluster_name(records[key], metric.drawn_with) for key in scores}

    def counts(entries: Sequence[Mapping[str, Any]]) -> CountedSums:
        names = [entry["id"] for entry in entries if entry["id"] in scores]
        sums = Sums.of([scores[key] for key in names], [clusters[key] for key in names], seed)
        return CountedSums(sums, Coverage.count(entries))

    samples = ScoredSamples(records, report.samples, {}, metric.scored_with, lambda _: {})
    groups = {
        grouping: {
            label: counts(entries)
            for label, entries in sorted(
                (samples.members(field) or {NONE: [*report.samples]}).items()
            )
        }
        for grouping, field in groupings.items()
    }
    figure = report.metrics.get(report.primary)
    return ShardStatistics(
        metric=name,
        figure=report.primary,
        unit="" if figure is None else figure.unit,
        higher_is_better=True if figure is None else figure.higher_is_better,
        chance_for=tuple(report.chance_for),
        no_mean=no_mean,
        whole=counts(report.samples),
        groups=groups,
    )


def _scores(metric: Metric, name: str, report: Report) -> tuple[dict[str, float], str]:
    """The score of each scored sample by id, or why their mean is not the figure."""
    if not has_mean(metric):
        figure = metric.primary or report.primary
        return {}, f"{figure} of the metric {name} is no mean of the scores of samples"
    try:
        return mean_scores(report), ""
    except DataError as error:
        return {}, f"{error.what}; so the metric {name} is no mean of the scores of samples"


def cluster_name(
    record: Mapping[str, Any], unit: Callable[[dict[str, Any]], object] = lambda one: one["id"]
) -> str:
    """The name of a sample's cluster, told from it alone: its image, question or group.

    Shards do not see each other, so the coarsest counts; `chef.stats.clusters.clusters_of` also
    joins clusters that a sample with several of these links.
    """
    shared: dict[object, object] = {}
    for link in links(record):
        key, value = cast("tuple[object, object]", link)
        shared.setdefault(key, value)
    key = next((key for key in _COARSE if key in shared), "unit")
    return f"{key} {shared[key] if key in shared else unit(dict(record))}"
