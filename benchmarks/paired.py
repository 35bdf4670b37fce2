"""Measure how often the intervals and tests of comparisons are right, on simulated runs.

    python benchmarks/paired.py                # every table; figures takes longest
    python benchmarks/paired.py mean --runs 500

Tables: ``mean`` (coverage of the interval of a difference of means), ``test`` (how often equal runs
are called different at the 5% level, and power at the detectable effect), ``figures`` (coverage for
F1 and for circular accuracy), ``several`` (how often a family of equal runs has a pair that is
called different, and how many pairs are found where one run is worse), ``order`` (how often the
places of several runs are right, and the interval of the best of them), ``time``. The truth is
known, as runs are drawn from a model of right and wrong, or of scores, with effects of samples and
clusters.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from unittest import mock

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import norm
from tabulate import tabulate

import chef.stats.paired
from chef.stats.estimate import Estimate
from chef.stats.figures import share
from chef.stats.halves import Figures, paired_figures
from chef.stats.influence import ClusterSums
from chef.stats.paired import (
    PairedDifference,
    best_of,
    joint,
    paired_mean,
    rank_intervals,
    single_mean,
)
from chef.stats.power import mcnemar

Array = NDArray[np.float64]
LIKE = {"x": Estimate(None, 0, unit="0-1")}
SIZES = (40, 150, 500)
#: The share that is right in the first run.
RIGHT = 0.6
#: How much more can be right in the second one; nothing is left to be better at 1.
_MOST_BETTER = 0.39


def clusters_of(rng: np.random.Generator, n: int, size: int) -> NDArray[np.intp]:
    """The cluster of each of n samples: 1 to ``2 size - 1`` samples each, or 1."""
    sizes = rng.integers(1, 2 * size, size=n)
    return np.repeat(np.arange(n), sizes)[:n]


def runs_of(
    rng: np.random.Generator, kind: str, n: int, size: int, difference: float
) -> tuple[Array, Array, NDArray[np.intp]]:
    """The scores of two runs whose means truly differ by ``difference``, and their clusters."""
    clusters = clusters_of(rng, n, size)
    shared = rng.normal(size=n)
    if kind == "right or wrong":
        # A sample is as hard for both runs; what the runs make of an image differs by image.
        effects = [0.5 * rng.normal(size=n)[clusters] + 0.5 * rng.normal(size=n) for _ in "12"]
        levels = [ndtri(share) * np.sqrt(1.5) for share in (RIGHT, RIGHT + difference)]
        first, second = (
            (shared + effect < level).astype(float)
            for effect, level in zip(effects, levels, strict=True)
        )
        return first, second, clusters
    noise = rng.normal(size=n) if kind == "normal" else rng.exponential(size=n) - 1
    first = 0.5 + shared
    of_cluster = 0.2 * rng.normal(size=n)[clusters] if size > 1 else 0.0
    return first, first + difference + 0.3 * noise + of_cluster, clusters


def holds(found: Estimate, true: float) -> bool:
    """Whether the interval holds the truth."""
    assert found.low is not None
    assert found.high is not None
    return found.low - 1e-12 <= true <= found.high + 1e-12


def width_of(found: Estimate) -> float:
    """How wide the interval is."""
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def different(found: PairedDifference) -> bool:
    """Whether the test says that the runs differ."""
    return found.p_value is not None and found.p_value <= 0.05


def mean_table(runs: int) -> list[dict[str, object]]:
    """Coverage of the interval of the difference of means."""
    rows: list[dict[str, object]] = []
    for kind in ("right or wrong", "normal", "exponential"):
        for size in (1, 4):
            for n in SIZES:
                # Other scores than right and wrong cover a shifted truth as they do 0.
                for true in (0.0, 0.1) if kind == "right or wrong" else (0.1,):
                    rng = np.random.default_rng(1)
                    hits = width = 0.0
                    for _ in range(runs):
                        first, second, clusters = runs_of(rng, kind, n, size, true)
                        found = paired(first, second, clusters).estimate
                        hits += holds(found, true)
                        width += width_of(found)
                    rows.append(
                        {
                            "scores": kind,
                            "samples in a cluster": "1" if size == 1 else "1-7",
                            "n": n,
                            "difference": true,
                            "coverage %": 100 * hits / runs,
                            "width": width / runs,
                        }
                    )
    return rows


def paired(first: Array, second: Array, clusters: NDArray[np.intp]) -> PairedDifference:
    """The difference that is measured."""
    return paired_mean(first, second, clusters.tolist(), unit="0-1", higher_is_better=True)


def test_table(runs: int) -> list[dict[str, object]]:
    """How often equal runs are called different at the 5% level, and the power."""
    rows: list[dict[str, object]] = []
    for kind in ("right or wrong", "normal"):
        for size in (1, 4):
            for n in SIZES:
                rng = np.random.default_rng(2)
                true = detectable_effect(rng, kind, n, size)
                false = known = naive = same = 0
                for _ in range(runs):
                    first, second, clusters = runs_of(rng, kind, n, size, 0.0)
                    found = paired(first, second, clusters)
                    false += different(found)
                    same += different(found) != holds(found.estimate, 0.0)
                    if kind == "right or wrong":
                        naive += mcnemar(list(first > 0), list(second > 0)).p_value <= 0.05
                    known += different(paired(*runs_of(rng, kind, n, size, true)))
                rows.append(
                    {
                        "scores": kind,
                        "samples in a cluster": "1" if size == 1 else "1-7",
                        "n": n,
                        "sign flips: size %": 100 * false / runs,
                        "McNemar: size %": 100 * naive / runs if kind == "right or wrong" else None,
                        "agrees with the interval %": 100 * same / runs,
                        "detectable effect": true,
                        "power there %": 100 * known / runs,
                    }
                )
    return rows


def detectable_effect(rng: np.random.Generator, kind: str, n: int, size: int) -> float:
    """The true difference that is as large as the effect which runs of that difference state."""
    true = 0.15
    for count in (50, 100, 200):
        pilots = [paired(*runs_of(rng, kind, n, size, true)) for _ in range(count)]
        stated = [found.detectable for found in pilots if found.detectable]
        true = min(float(np.mean(stated)), _MOST_BETTER)
    return true


def f1_of(truth: Array, answers: Array) -> Figures:
    """A run's F1 on some samples."""

    def figures(places: Sequence[int]) -> Mapping[str, float | None]:
        here = np.asarray(places)
        right = float((truth[here] * answers[here]).sum())
        said = float(truth[here].sum() + answers[here].sum())
        return {"x": 2 * right / said if said else None}

    return figures


def circular_of(right: Array) -> Figures:
    """The share of groups of four rotations that a run has all right."""

    def figures(places: Sequence[int]) -> Mapping[str, float | None]:
        groups = right[np.asarray(places)].reshape(-1, 4)  # whole groups, in order
        return {"x": float(groups.all(axis=1).mean())}

    return figures


def figures_case(
    rng: np.random.Generator, figure: str, count: int, size: int
) -> tuple[Figures, Figures, list[int]]:
    """Two runs on ``count`` clusters of ``size`` samples, and their clusters."""
    n = count * size
    clusters = np.repeat(np.arange(count), size)
    shared = rng.normal(size=count)[clusters]
    noise = [0.6 * shared + 0.8 * rng.normal(size=n) for _ in "12"]
    right = [norm.cdf(z) < level for z, level in zip(noise, (0.85, 0.75), strict=True)]
    if figure == "circular accuracy":
        return circular_of(right[0]), circular_of(right[1]), clusters.tolist()
    truth = (rng.random(n) < 0.4).astype(float)
    first, second = (np.where(hit, truth, 1 - truth) for hit in right)
    return f1_of(truth, first), f1_of(truth, second), clusters.tolist()


def figures_table(runs: int) -> list[dict[str, object]]:
    """Coverage of half-samples."""
    rows: list[dict[str, object]] = []
    for figure, size in (("F1", 1), ("F1", 4), ("circular accuracy", 4)):
        rng = np.random.default_rng(3)
        first, second, clusters = figures_case(rng, figure, 500_000, size)
        everything = range(len(clusters))
        before, after = first(everything)["x"], second(everything)["x"]
        assert before is not None
        assert after is not None
        for count in (10, 40, 150, 500):
            hits = 0.0
            for _ in range(runs):
                case = figures_case(rng, figure, count, size)
                found = paired_figures(*case, LIKE)["x"].estimate
                hits += found.low is None or holds(found, after - before)
            row = {"figure": figure, "samples in a cluster": size, "clusters": count}
            rows.append({**row, "coverage %": 100 * hits / runs})
    return rows


def no_effect(_table: ClusterSums) -> None:
    """Detectable effects are simulated, which takes most of the time where no table shows them."""


without_effects = mock.patch.object(chef.stats.paired, "detectable", no_effect)


@without_effects
def several_table(runs: int) -> list[dict[str, object]]:
    """Families of runs: errors of the whole family, and how many differences are found."""
    rows: list[dict[str, object]] = []
    for size, count in ((1, 3), (1, 6), (4, 3), (4, 6)):
        rng = np.random.default_rng(6)
        wrong = {"joint": 0, "single": 0}
        shown = {"joint": 0, "bonferroni": 0}
        for _ in range(runs):
            items = family(rng, count, size, 0.0)
            wrong["joint"] += any(p <= 0.05 for _, p in joint(items) if p is not None)
            wrong["single"] += any(map(different, items))
            worse = family(rng, count, size, 0.15)[: count - 1]
            whole = [p for _, p in joint(worse) if p is not None]
            shown["joint"] += sum(p <= 0.05 for p in whole)
            shown["bonferroni"] += sum((item.p_value or 0) * len(worse) <= 0.05 for item in worse)
        row = {"runs": count, "samples in a cluster": "1" if size == 1 else "1-7"}
        errors = {f"wrong, {name} %": 100 * item / runs for name, item in wrong.items()}
        power = {f"shown, {key} %": 100 * n / runs / (count - 1) for key, n in shown.items()}
        rows.append({**row, **errors, **power})
    return rows


def family(
    rng: np.random.Generator, count: int, size: int, difference: float
) -> list[PairedDifference]:
    """All pairs of runs on 200 samples, the first of which is worse than the others."""
    runs, clusters = drawn_runs(rng, np.array([RIGHT, *[RIGHT + difference] * (count - 1)]), size)
    return [paired(one, other, np.asarray(clusters)) for one, other in combinations(runs, 2)]


@without_effects
def order_table(runs: int) -> list[dict[str, object]]:
    """Families of runs: whether all places are right, and how the best run's score is covered."""
    rows: list[dict[str, object]] = []
    for count, size, spread in product((3, 8), (1, 4), (0.0, 0.3)):
        rng = np.random.default_rng(7)
        right = {"places": 0, "best alone": 0, "best, chosen": 0}
        wider = []
        truths = RIGHT + np.linspace(0, spread, count)
        for _ in range(runs):
            scores, clusters = drawn_runs(rng, truths, size)
            items = {
                place: single_mean(item, clusters, share(item.tolist(), clusters, "0-1"))
                for place, item in enumerate(scores)
            }
            pairs = list(combinations(range(count), 2))
            found = joint([paired(scores[a], scores[b], np.asarray(clusters)) for a, b in pairs])
            better = [
                (str(b), str(a)) if (item.value or 0) > 0 else (str(a), str(b))
                for (a, b), (item, p) in zip(pairs, found, strict=True)
                if p is not None and p <= 0.05
            ]
            places = rank_intervals([str(place) for place in range(count)], better)
            # Equal runs share all places.
            right["places"] += all(
                len(item) == count if not spread else count - int(name) in item
                for name, item in places.items()
            )
            best, chosen = best_of({str(place): item for place, item in items.items()}) or (
                "0",
                None,
            )
            single = items[int(best)].estimate
            assert chosen is not None
            for key, item in (("best alone", single), ("best, chosen", chosen)):
                right[key] += covers(item, truths[int(best)])
            wider.append(width(chosen) / width(single))
        row = {"runs": count, "samples in a cluster": "1" if size == 1 else "1-7", "apart": spread}
        shares = {f"{key}, %": 100 * item / runs for key, item in right.items()}
        rows.append({**row, **shares, "times as wide": float(np.mean(wider))})
    return rows


def drawn_runs(rng: np.random.Generator, truths: Array, size: int) -> tuple[list[Array], list[int]]:
    """Runs on the same 200 samples, and the clusters of these."""
    clusters = clusters_of(rng, 200, size)
    shared = rng.normal(size=200)
    runs = [
        (shared + 0.5 * rng.normal(size=200)[clusters] + 0.5 * rng.normal(size=200) < level)
        for level in ndtri(truths) * np.sqrt(1.5)
    ]
    return [item.astype(float) for item in runs], clusters.tolist()


def covers(item: Estimate, truth: float) -> bool:
    """Whether an interval has the truth."""
    return item.low is not None and item.high is not None and item.low <= truth <= item.high


def width(item: Estimate) -> float:
    """How long an interval is."""
    return (item.high or 0.0) - (item.low or 0.0)


def time_table(runs: int) -> list[dict[str, object]]:
    """Seconds for 20,000 samples, the least of three."""
    del runs
    rows: list[dict[str, object]] = []
    for kind in ("right or wrong", "normal"):
        for size in (1, 4):
            case = runs_of(np.random.default_rng(5), kind, 20_000, size, 0.01)
            seconds = min(timed(partial(paired, *case)) for _ in range(3))
            clusters = "1" if size == 1 else "1-7"
            rows.append({"scores": kind, "samples in a cluster": clusters, "seconds": seconds})
    return rows


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


#: Each table and its usual number of simulated comparisons.
TABLES: dict[str, tuple[Callable[[int], list[dict[str, object]]], int]] = {
    "mean": (mean_table, 2000),
    "test": (test_table, 2000),
    "figures": (figures_table, 1000),
    "several": (several_table, 400),
    "order": (order_table, 400),
    "time": (time_table, 1),
}


def main() -> None:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}")
    parser.add_argument("--runs", type=int, help="simulated comparisons for each row")
    given = parser.parse_args()
    if unknown := set(given.tables) - set(TABLES):
        parser.error(f"no table {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    for name in given.tables or TABLES:
        table, runs = TABLES[name]
        print(f"\n{name}, {given.runs or runs} runs for each row")
        print(
            tabulate(table(given.runs or runs), headers="keys", tablefmt="github", floatfmt=".3g")
        )


if __name__ == "__main__":
    main()
