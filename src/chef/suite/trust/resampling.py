"""Draws of the bootstrap: how often each sample counts in each of them.

The Poisson bootstrap (Hanley and MacGibbon 2006, "Creating non-parametric bootstrap samples using
Poisson frequencies"): a cluster counts k times, k drawn from a Poisson distribution of mean 1.
A cluster counts the same in every data set of a task: the questions of the variants of a data set
(with text alone, with an image, with unrelated images) are the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from chef.common.seeding import sample_rng
from chef.suite.trust.columns import Columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def clusters_of(data: Mapping[str, Columns]) -> dict[str, list[int]]:
    """The cluster of each sample of several data sets, numbered from 0.

    Samples that share an image or a question, in whichever of the data sets, are in one cluster.
    """
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    firsts: dict[str, list[str]] = {}
    for name, columns in data.items():
        is_unrelated = "unrelated" in name
        firsts[name] = []
        for shared in columns.clusters(is_unrelated):
            named = [f"{name} {item}" if item.startswith("sample") else item for item in shared]
            for item in named:
                parent[root(item)] = root(named[0])
            firsts[name].append(named[0])
    numbers: dict[str, int] = {}
    return {
        name: [numbers.setdefault(root(item), len(numbers)) for item in items]
        for name, items in firsts.items()
    }


def weights(
    clusters: Mapping[str, Sequence[int]], draws: int, seed: int, name: str
) -> dict[str, NDArray[np.float32]]:
    """How often each sample counts, ``(draws, samples)`` for each data set.

    Args:
        clusters: of the samples of each data set, as `clusters_of` numbers them.
        draws: how many draws; 0 gives the one in which each sample counts once.
        seed: of the random stream.
        name: what the stream is named by.
    """
    import numpy as np

    if not draws:
        return {name: np.ones((1, len(of)), np.float32) for name, of in clusters.items()}
    many = max((number for of in clusters.values() for number in of), default=-1) + 1
    rng = np.random.default_rng(sample_rng(seed, name).getrandbits(64))
    counts = rng.poisson(1.0, (draws, many)).astype(np.float32)
    return {name: counts[:, list(of)] for name, of in clusters.items()}
