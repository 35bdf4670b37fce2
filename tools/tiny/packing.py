"""Packing trees into batches: several trees share a row, and none attends to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiny.curriculum import TreeSampler
from tiny.trees import ROW, Tree

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Batch:
    """Arrays of a packed batch, ``[rows, ROW]`` but for the images ``[n, side, side, 3]`` uint8."""

    ids: np.ndarray
    weights: np.ndarray
    positions: np.ndarray
    trees: np.ndarray
    branches: np.ndarray
    images: np.ndarray


def pack(sampler: TreeSampler, rows: int) -> Batch:
    """A packed batch: each tree goes to the first row that has space for it."""
    packed: list[list[Tree]] = [[] for _ in range(rows)]
    # Without a picture the vision encoder has no gradients, and the processes could not average
    # them.
    packed[0].append(next(tree for tree in iter(sampler.sample, None) if tree.images))
    misses = 0
    # Trees that fit in no row are dropped. After enough of them the batch counts as full.
    while misses < 16:
        tree = sampler.sample()
        fitting = (row for row in packed if sum(map(len, row)) + len(tree) <= ROW)
        row = next(fitting, None)
        if row is None:
            misses += 1
        else:
            row.append(tree)
    return _collate(packed)


def _collate(packed: list[list[Tree]]) -> Batch:
    import numpy as np

    shape = (len(packed), ROW)
    pictures = [image for row in packed for tree in row for image in tree.images]
    # Padding belongs to tree 0, which has no loss and to which no other tree attends.
    batch = Batch(
        ids=np.zeros(shape, np.int64),
        weights=np.zeros(shape, np.float32),
        positions=np.zeros(shape, np.int64),
        trees=np.zeros(shape, np.int32),
        branches=np.zeros(shape, np.int32),
        images=np.stack([np.asarray(picture) for picture in pictures]),
    )
    for i, row in enumerate(packed):
        at = 0
        for number, tree in enumerate(row, 1):
            to = at + len(tree)
            batch.ids[i, at:to], batch.weights[i, at:to] = tree.ids, tree.weights
            batch.positions[i, at:to], batch.branches[i, at:to] = tree.positions, tree.branches
            batch.trees[i, at:to] = number
            at = to
    return batch
