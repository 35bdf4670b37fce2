"""Draws of the bootstrap: how often each sample counts in each of them.

The Poisson bootstrap (Hanley and MacGibbon 2006, "Creating non-parametric bootstrap samples using
Poisson frequencies"): a cluster counts k times, k drawn from a Poisson distribution of mean 1.
A cluster counts the same in every data set of the sheet: the questions of the variants of a data
set (with text alone, with an image, with unrelated images) are the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from chef.common.seeding import sample_rng
from chef.stats.clusters import components
from chef.suite.trust.columns import LogColumns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def clusters_of(data: Mapping[str, LogColumns]) -> dict[str, list[int]]:
    """The cluster of each sample of several data sets, numbered from 0.

    Samples that share an image or a question, in whichever of the data sets, are in one cluster.
    """
    shared: list[list[str]] = []
    for name, columns in data.items():
        shared += [
            [f"{name} {item}" if item.startswith("sample") else item for item in items]
            for items in columns.clusters("unrelated" in name)
        ]
    numbers = iter(components(shared))
    return {name: [next(numbers) for _ in range(len(columns))] for name, columns in data.items()}


def weights(
    clusters: Mapping[str, Sequence[int]], draws: int, seed: int, name: str, many: int
) -> dict[str, NDArray[np.float32]]:
    """How often each sample counts, ``(draws, samples)`` for each data set; for 0 draws once.

    ``name`` is that of the random stream, ``many`` the number of all clusters of all data sets.
    """
    import numpy as np

    if not draws:
        return {name: np.ones((1, len(of)), np.float32) for name, of in clusters.items()}
    rng = np.random.default_rng(sample_rng(seed, name).getrandbits(64))
    counts = rng.poisson(1.0, (draws, many)).astype(np.float32)
    return {name: counts[:, list(of)] for name, of in clusters.items()}
