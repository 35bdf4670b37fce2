"""Measure how often scores that labels make right hold, on simulated judges and people.

    python benchmarks/labels.py --runs 400

The judge and the person follow one normal variable each, which correlate as the first column says;
the judge is ten points too kind. The person labels some samples, drawn at random. The truth is
known. Printed are how often the intervals have it, of the labels alone and of the rectified score,
and how long the second is as a share of the first.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from tabulate import tabulate

from chef.stats.estimate import Estimate
from chef.stats.rectified import rectified_mean

#: All samples, the labelled ones, and how many stand in a cluster.
SIZES = ((1000, 20, 1), (1000, 50, 1), (1000, 200, 1), (1000, 500, 1), (1000, 100, 4))
Array = NDArray[np.float64]


def drawn(
    rng: np.random.Generator, share: float, correlation: float, size: tuple[int, int, int]
) -> tuple[Array, dict[int, float], list[int]]:
    """The judge's scores, the labels of people, and the clusters."""
    total, labels, each = size
    clusters = np.repeat(np.arange(total // each), each)
    image = rng.normal(size=total // each)[clusters] * (0.6 if each > 1 else 0.0)
    person = (image + rng.normal(size=total)) / np.sqrt(1 + (0.36 if each > 1 else 0.0))
    judge = correlation * person + np.sqrt(1 - correlation**2) * rng.normal(size=total)
    people = (person < norm.ppf(share)).astype(float)
    scores = (judge < norm.ppf(min(0.97, share + 0.1))).astype(float)
    picked = rng.choice(total // each, size=labels // each, replace=False)
    places = np.flatnonzero(np.isin(clusters, picked)).tolist()
    return scores, {place: float(people[place]) for place in places}, clusters.tolist()


def has(item: Estimate, truth: float) -> bool:
    """Whether an interval has the truth."""
    return item.low is not None and item.high is not None and item.low <= truth <= item.high


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=400, help="simulated studies for each row")
    runs = parser.parse_args().runs
    rows = []
    for share, correlation, size in product((0.7, 0.95), (0.0, 0.3, 0.8), SIZES):
        rng = np.random.default_rng(3)
        alone = exact = 0
        lengths = []
        for _ in range(runs):
            scores, labels, clusters = drawn(rng, share, correlation, size)
            found = rectified_mean(scores.tolist(), labels, clusters, unit="0-1", least=0, most=1)
            alone += has(found.labels, share)
            exact += has(found.estimate, share)
            ends = [(item.high or 0) - (item.low or 0) for item in (found.estimate, found.labels)]
            lengths.append(ends[0] / ends[1])
        shares = (100 * alone / runs, 100 * exact / runs)
        rows.append((share, correlation, size[1], size[2], *shares, float(np.mean(lengths))))
    headers = (
        "right",
        "correlation",
        "labels",
        "in a cluster",
        "alone, %",
        "rectified, %",
        "length",
    )
    print(tabulate(rows, headers=headers, tablefmt="github", floatfmt=".3g"))


if __name__ == "__main__":
    main()
