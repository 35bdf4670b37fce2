"""Measure how often the 95% intervals of figures hold the truth, on simulated samples.

    python benchmarks/coverage.py                     # the whole grid, some minutes on one core
    python benchmarks/coverage.py --figures F1 --sizes 20 100 --rounds 4000

For each figure, number of samples and kind of clusters: how many in a hundred intervals hold the
value that very many samples have, and the mean width of the interval. Samples of one cluster share
a part of what decides whether they are right (``--shared``, the share of its variance). Of the test
of calibration the table has how often it leaves a calibrated model alone. Seeds are those of the
name, the number and the kind, so a part of the grid has the figures that it has in the whole.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtr
from tabulate import tabulate

from chef.common.boxes import Box
from chef.metric.detection.matching import average_precision
from chef.stats.agreement import kappa_of_sums
from chef.stats.calibration import calibration_error
from chef.stats.estimate import Estimate
from chef.stats.figures import f1, mean, of_sums, ratio, share, without_intervals
from chef.suite.sweep.levels import score
from chef.suite.sweep.matrix import ScoreMatrix, run_means

Array = NDArray[np.float64]
Clusters = NDArray[np.intp]
SIZES = (5, 20, 100, 1000)
KINDS = ("none", "4 each", "1 to 7", "one large", "five")
#: How many samples the true value is computed of.
TRUTH = 400_000


def sizes_of(kind: str, n: int, rng: np.random.Generator) -> list[int]:
    """The sizes of the clusters of n samples: one holds half of them in ``one large``."""
    if kind == "none":
        return [1] * n
    if kind == "4 each":
        return [4] * max(2, n // 4)
    if kind == "one large":
        return [n // 2, *[1] * (n - n // 2)]
    if kind == "five":
        return [max(1, n // 5)] * 5
    sizes: list[int] = []
    while sum(sizes) < n:
        sizes.append(int(rng.integers(1, 8)))
    return sizes


@dataclass(frozen=True)
class Draw:
    """Samples that were drawn: the cluster of each, and normal numbers that decide what it is."""

    clusters: Clusters
    shared: float
    rng: np.random.Generator

    def level(self) -> Array:
        """A number in 0..1 for each sample, alike within a cluster."""
        count = int(self.clusters.max()) + 1
        common = self.rng.normal(size=count)[self.clusters]
        own = self.rng.normal(size=len(self.clusters))
        return ndtr(math.sqrt(self.shared) * common + math.sqrt(1 - self.shared) * own)


Figure = Callable[[Draw], Estimate]


def proportion(p: float) -> Figure:
    """Right or wrong answers."""
    return lambda draw: share((draw.level() < p).astype(float).tolist(), draw.clusters.tolist())


def fractional(draw: Draw) -> Estimate:
    """Scores as of ANLS: most are 1, the others spread from 0 to 0.6."""
    level = draw.level()
    scores = np.where(level > 0.35, 1.0, level / 0.35 * 0.6)
    return share(scores.tolist(), draw.clusters.tolist())


def grade(draw: Draw) -> Estimate:
    """Grades from 1 to 10 of a judge, most of them 8 to 10."""
    grades = np.clip(np.rint(10 - 2.2 * -np.log(draw.level())), 1, 10)
    return mean(grades.tolist(), draw.clusters.tolist(), least=1, most=10)


def error(draw: Draw) -> Estimate:
    """Absolute errors of counts."""
    errors = np.floor(-1.5 * np.log(draw.level()))
    return mean(errors.tolist(), draw.clusters.tolist(), "count", least=0)


def f1_of(right: float) -> Figure:
    """The F1 score of yes/no answers, half of them yes."""

    def figure(draw: Draw) -> Estimate:
        truth = draw.rng.random(len(draw.clusters)) < 0.5
        said = truth == (draw.level() < right)
        counts = (said & truth, said & ~truth, ~said & truth)
        return f1(*(item.astype(float).tolist() for item in counts), draw.clusters.tolist())

    return figure


def precision(draw: Draw) -> Estimate:
    """The precision of boxes: none to six on an image."""
    boxes = np.minimum(6, draw.rng.poisson(2, size=len(draw.clusters)))
    right = draw.rng.binomial(boxes, 0.3 + 0.65 * draw.level())
    return ratio(right.tolist(), boxes.tolist(), draw.clusters.tolist())


def bleu(draw: Draw) -> Estimate:
    """BLEU-4 of captions of about ten words."""
    length = draw.rng.integers(8, 14, size=len(draw.clusters))
    chance = 0.45 + 0.45 * draw.level()
    columns = []
    for order in range(4):
        total = length - order
        columns += [draw.rng.binomial(total, chance ** (0.5 * order + 1)), total]
    rows = np.column_stack([*columns, length, np.rint(length * 1.05)]).astype(float)

    def figure(sums: Array) -> Array:
        logs = np.log(sums[:, :8:2] / sums[:, 1:8:2]).mean(axis=1)
        return 100 * np.exp(logs + np.minimum(0, 1 - sums[:, 9] / sums[:, 8]))

    return of_sums(rows, figure, draw.clusters.tolist(), "0-100", least=0, most=100)


def cider(draw: Draw) -> Estimate:
    """A mean of scores without an upper end, many of them near 0."""
    scores = gammaincinv(0.8, draw.level())
    return mean(scores.tolist(), draw.clusters.tolist(), least=0)


def points(draw: Draw) -> Estimate:
    """A sum of accuracies in points, over two parts, and of pairs, as of MME."""
    right = (draw.level() < 0.8).astype(float)
    part = draw.rng.random(len(right)) < 0.4
    both = right * (draw.rng.random(len(right)) < 0.7)
    rows = np.column_stack([right * part, both * part, part, right * ~part, both * ~part, ~part])

    def figure(sums: Array) -> Array:
        with np.errstate(all="ignore"):
            first = (sums[:, 0] + sums[:, 1]) / sums[:, 2]
            return 100 * (first + (sums[:, 3] + sums[:, 4]) / sums[:, 5])

    return of_sums(rows, figure, draw.clusters.tolist(), "points", least=0, most=400)


def kappa(draw: Draw) -> Estimate:
    """Cohen's kappa of two raters, about .88."""
    first = draw.rng.random(len(draw.clusters)) < 0.5
    second = first == (draw.level() < 0.94)
    rows = np.column_stack(
        [first == second, first, ~first, second, ~second, np.ones(len(first))]
    ).astype(float)
    return of_sums(rows, kappa_of_sums, draw.clusters.tolist(), least=-1, most=1)


def average(draw: Draw) -> Estimate:
    """COCO's average precision of boxes that are off by some part of their width."""
    places = [(0.1, 0.1), (0.5, 0.1), (0.1, 0.5)]
    true = [[Box("a", (x, y, x + 0.3, y + 0.3)) for x, y in places]] * len(draw.clusters)
    level = draw.level()
    predicted = [
        [
            Box("a", (x + off, y, x + off + 0.3, y + 0.3))
            for (x, y), off in zip(places, row, strict=True)
        ]
        for row in 0.3 * level[:, None] * draw.rng.random((len(level), 3))
    ]
    return average_precision(predicted, true, draw.clusters.tolist())["COCO_AP"]


def calibrated(draw: Draw) -> Estimate:
    """The test of a calibrated model: 0 [0, 0] where it is not rejected, else 0 [1, 1]."""
    probs = 0.3 + 0.7 * draw.rng.random(len(draw.clusters))
    rights = (draw.level() < probs).astype(float)
    found = calibration_error(probs.tolist(), rights.tolist(), draw.clusters.tolist())
    assert found is not None
    if found.p_value is None:  # too few clusters for a test
        return Estimate(0.0, len(probs))
    end = float(found.p_value <= 0.05)
    return Estimate(0.0, len(probs), low=end, high=end)


def level_of_sweep(draw: Draw) -> Estimate:
    """The score of a value of a factor: the mean of two of four runs on the same samples."""
    scores = np.stack([(draw.level() < p).astype(float) for p in (0.7, 0.8, 0.75, 0.85)])
    weights = np.array([0.5, 0.5, 0.0, 0.0])
    return score(run_means(ScoreMatrix(scores, draw.clusters)), weights, 100.0)


FIGURES: dict[str, Figure] = {
    "proportion .6": proportion(0.6),
    "proportion .95": proportion(0.95),
    "fractional": fractional,
    "grade": grade,
    "error of counts": error,
    "F1 .7": f1_of(0.7),
    "F1 .97": f1_of(0.97),
    "precision of boxes": precision,
    "BLEU-4": bleu,
    "CIDEr": cider,
    "points": points,
    "kappa .88": kappa,
    "average precision": average,
    "level of a sweep": level_of_sweep,
    "test of ECE": calibrated,
}


def cell(
    name: str, n: int, kind: str, *, rounds: int, shared: float, truth: float
) -> tuple[float, float, float]:
    """Coverage in %, the mean width, and the share of rounds in % that have an interval."""
    rng = np.random.default_rng(zlib.crc32(f"{name} {n} {kind}".encode()))
    held = widths = known = 0.0
    for _ in range(rounds):
        sizes = sizes_of(kind, n, rng)
        clusters = np.repeat(np.arange(len(sizes)), sizes)
        found = FIGURES[name](Draw(clusters, 0.0 if kind == "none" else shared, rng))
        if found.low is None or found.high is None:
            continue
        known += 1
        held += found.low - 1e-9 <= truth <= found.high + 1e-9
        widths += found.high - found.low
    if not known:
        return math.nan, math.nan, 0.0
    return 100 * held / known, widths / known, 100 * known / rounds


def truth_of(name: str) -> float:
    """The value of the figure over very many independent samples."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    count = TRUTH // (20 if name == "average precision" else 1)
    with without_intervals():
        value = FIGURES[name](Draw(np.arange(count), 0.0, rng)).value
    assert value is not None
    return value


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table: a row for each figure and kind of clusters, a column for each n."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--figures", nargs="+", choices=FIGURES, default=list(FIGURES))
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--clusters", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--shared", type=float, default=0.4)
    chosen = parser.parse_args(arguments)
    rows = []
    for name in chosen.figures:
        truth = truth_of(name)
        for kind in chosen.clusters:
            row: list[object] = [name, kind]
            for n in chosen.sizes:
                covered, width, known = cell(
                    name, n, kind, rounds=chosen.rounds, shared=chosen.shared, truth=truth
                )
                lacking = "" if known > 99.5 else f" of {known:.0f} %"
                row.append(f"{covered:.1f} ({width:.3g}){lacking}")
            rows.append(row)
            print(tabulate([row], tablefmt="plain"), flush=True)
    print()
    headers = ["figure", "clusters", *(f"n = {n}" for n in chosen.sizes)]
    print(tabulate(rows, headers=headers, tablefmt="github"))


if __name__ == "__main__":
    main()
