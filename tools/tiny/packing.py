"""Trees into batches: several trees share a row, and none sees another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tiny.growing import Grower
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


def pack(grower: Grower, rows: int) -> Batch:
    """A packed batch: each tree goes to the first row with room for it."""
    packed: list[list[Tree]] = [[] for _ in range(rows)]
    # Without a picture the eye has no gradients, and the team could not average them.
    packed[0].append(next(tree for tree in iter(grower.grow, None) if tree.images))
    misses = 0
    # Some trees that fit nowhere tell that the batch is nearly full; they are dropped.
    while misses < 16:
        tree = grower.grow()
        room = (row for row in packed if sum(map(len, row)) + len(tree) <= ROW)
        row = next(room, None)
        if row is None:
            misses += 1
        else:
            row.append(tree)
    return _collate(packed)


def _collate(packed: list[list[Tree]]) -> Batch:
    import numpy as np

    shape = (len(packed), ROW)
    pictures = [image for row in packed for tree in row for image in tree.images]
    # Padding belongs to tree 0, which has no loss and which no other tree sees.
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
