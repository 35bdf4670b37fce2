"""Measure how often scores that labels make right hold, on simulated judges and people.

    python benchmarks/labels.py --runs 1000 --seed 3
    python benchmarks/labels.py --runs 1000 --seed 3 --differences

The judge and the person follow one normal variable each, which correlate as a column says; the
judge is too kind by ten points (of ratings from 1 to 10 by one). The person labels some of 1000
samples, drawn at random from all or from each verdict of the judge (of ratings from each third).
The truth is known. Printed are how often the intervals have it, of the labels alone and of the
rectified score, how long the second is as a share of the first, and for how many labels each one
counts. With ``--differences`` two models are compared, of which the second is three points better.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from tabulate import tabulate

from chef.stats.estimate import Estimate
from chef.stats.rectified import Rectified, dealt, rectified_difference, rectified_mean

TOTAL = 1000
#: What is asked: right or wrong, with the share of right answers; or a rating.
KINDS = (0.7, 0.95, "rating")
#: The labelled samples, and how many stand in a cluster.
SIZES = ((20, 1), (50, 1), (200, 1), (500, 1), (100, 4))
CORRELATIONS = (0.0, 0.3, 0.8)
#: By how much more a second model has right.
BETTER = 0.03
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Study:
    """One simulated study: what is asked, and how."""

    kind: float | str
    correlation: float
    labels: int
    each: int
    is_stratified: bool

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the scale."""
        return (1.0, 10.0) if self.kind == "rating" else (0.0, 1.0)

    def people(self, person: Array, more: float = 0.0) -> Array:
        """What the person says."""
        if isinstance(self.kind, str):
            return np.clip(np.rint(6 + 2 * person), 1, 10)
        return (person < norm.ppf(self.kind + more)).astype(float)

    def judge(self, judge: Array, more: float = 0.0) -> Array:
        """What the judge says."""
        if isinstance(self.kind, str):
            return np.clip(np.rint(7 + 2 * judge), 1, 10)
        return (judge < norm.ppf(min(0.97, self.kind + more + 0.1))).astype(float)

    @property
    def truth(self) -> float:
        """The mean of what the person would say of all samples that there could be."""
        if not isinstance(self.kind, str):
            return self.kind
        steps = np.arange(1, 10) + 0.5
        return float(10 - norm.cdf(steps, 6, 2).sum())

    def strata(self, scores: Array) -> list[int]:
        """The stratum of each sample."""
        if not self.is_stratified:
            return [0] * len(scores)
        ends = np.quantile(scores, (1 / 3, 2 / 3)) if isinstance(self.kind, str) else [0.5]
        return np.searchsorted(ends, scores).tolist()

    def drawn(self, rng: np.random.Generator, strata: Sequence[int]) -> list[int]:
        """The samples that are labelled; of clusters all samples."""
        if self.each > 1:
            picked = rng.choice(TOTAL // self.each, size=self.labels // self.each, replace=False)
            return np.flatnonzero(np.isin(np.arange(TOTAL) // self.each, picked)).tolist()
        held = {name: rng.permutation(np.flatnonzero(np.equal(strata, name))).tolist()
                for name in sorted(set(strata))}  # fmt: skip
        order = dealt({name: len(places) for name, places in held.items()})
        return [held[next(order)].pop() for _ in range(self.labels)]

    @property
    def clusters(self) -> list[int]:
        """The cluster of each sample."""
        return (np.arange(TOTAL) // self.each).tolist()

    def normal(self, rng: np.random.Generator) -> Array:
        """How hard each sample is: a normal variable, of clusters shared in part."""
        if self.each == 1:
            return rng.normal(size=TOTAL)
        shared = 0.6 * np.repeat(rng.normal(size=TOTAL // self.each), self.each)
        return (shared + rng.normal(size=TOTAL)) / np.sqrt(1.36)

    def with_(self, rng: np.random.Generator, other: Array, correlation: float) -> Array:
        """A normal variable that correlates with another one."""
        return correlation * other + np.sqrt(1 - correlation**2) * rng.normal(size=TOTAL)

    def score(self, scores: Array, people: Array, places: Sequence[int]) -> Rectified:
        """The rectified score."""
        least, most = self.ends
        labels = {place: float(people[place]) for place in places}
        return rectified_mean(
            scores.tolist(), labels, self.clusters, unit="", least=least, most=most,
            strata=self.strata(scores),
        )  # fmt: skip


def studies() -> Iterator[Study]:
    """All that are simulated; clusters are drawn whole, and from all samples."""
    for kind, correlation, is_stratified, (labels, each) in product(
        KINDS, CORRELATIONS, (False, True), SIZES
    ):
        if not (is_stratified and each > 1):
            yield Study(kind, correlation, labels, each, is_stratified)


def has(item: Estimate, truth: float) -> bool:
    """Whether an interval has the truth."""
    return item.low is not None and item.high is not None and item.low <= truth <= item.high


def length(item: Estimate) -> float:
    """How long an interval is."""
    return (item.high or 0.0) - (item.low or 0.0)


def scores(study: Study, runs: int, seed: int) -> tuple[float, ...]:
    """Coverage of labels alone and rectified, in %; the share of the length; the worth."""
    rng = np.random.default_rng(seed)
    alone = exact = 0
    shares, worth = [], []
    for _ in range(runs):
        person = study.normal(rng)
        judged = study.judge(study.with_(rng, person, study.correlation))
        places = study.drawn(rng, study.strata(judged))
        item = study.score(judged, study.people(person), places)
        alone += has(item.labels, study.truth)
        exact += has(item.estimate, study.truth)
        shares.append(length(item.estimate) / length(item.labels))
        worth.append(item.worth or 1.0)
    return 100 * alone / runs, 100 * exact / runs, float(np.mean(shares)), float(np.median(worth))


def differences(study: Study, runs: int, seed: int) -> tuple[float, ...]:
    """Coverage of the difference of two models, in %, and how often one is shown, in %."""
    rng = np.random.default_rng(seed)
    holds = shown = 0
    lengths = []
    for _ in range(runs):
        hard = study.normal(rng)
        found = []
        places = None
        for more in (0.0, BETTER):
            person = study.with_(rng, hard, 0.7)
            judged = study.judge(study.with_(rng, person, study.correlation), more)
            if places is None or study.is_stratified:
                places = study.drawn(rng, study.strata(judged))
            found.append(study.score(judged, study.people(person, more), places))
        estimate, _ = rectified_difference(found[0], found[1], higher_is_better=True)
        holds += has(estimate, BETTER)
        shown += not has(estimate, 0.0)
        lengths.append(length(estimate))
    return 100 * holds / runs, 100 * shown / runs, 100 * float(np.mean(lengths))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000, help="simulated studies for each row")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--differences", action="store_true", help="of two models")
    given = parser.parse_args()
    headers = ["asked", "correlation", "drawn", "labels", "in a cluster"]
    headers += ["differences, %", "shown, %", "length"] if given.differences else [
        "alone, %", "rectified, %", "length", "worth",
    ]  # fmt: skip
    rows = []
    for study in studies():
        if given.differences and (study.kind == "rating" or study.labels < 50):
            continue
        simulate = differences if given.differences else scores
        asked = study.kind if isinstance(study.kind, str) else f"{100 * study.kind:.0f} % right"
        how = "by verdict" if study.is_stratified else "from all"
        found = simulate(study, given.runs, given.seed)
        rows.append((asked, study.correlation, how, study.labels, study.each, *found))
    print(tabulate(rows, headers=headers, tablefmt="github", floatfmt=".3g"))


if __name__ == "__main__":
    main()
