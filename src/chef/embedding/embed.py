"""Embed samples: several threads open them, and large batches are encoded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from chef.common.printing import progress_bar
from chef.embedding.encoders import Encoder

if TYPE_CHECKING:
    from tqdm import tqdm

    from chef.embedding.encoders.base import Vectors

Item = TypeVar("Item")

#: How many threads open samples; how many batches of opened samples are held at once.
READERS, BATCHES = 4, 8
#: A progress bar appears after this many seconds.
PROGRESS_DELAY = 2.0


def embed(
    encoder: Encoder[Item],
    open_items: Callable[[int], Sequence[Item]],
    indices: Sequence[int],
    label: str,
) -> Vectors:
    """One vector a sample, ``[n, d]`` float32: the mean direction of its items (0 for none)."""
    import numpy as np

    found: list[Any] = []
    step = BATCHES * encoder.batch_size
    with ThreadPoolExecutor(READERS) as readers, progress(label, len(indices)) as bar:
        for start in range(0, len(indices), step):
            opened = list(readers.map(open_items, indices[start : start + step]))
            vectors = iter(encoder.encode([item for items in opened for item in items]))
            found += [_mean([next(vectors) for _ in items]) for items in opened]
            bar.update(len(opened))
    width = next((len(vector) for vector in found if vector is not None), 1)
    rows = np.zeros((len(found), width), np.float32)
    for row, vector in zip(rows, found, strict=True):
        if vector is not None:
            row[:] = vector
    return rows


def _mean(vectors: Sequence[Any]) -> Any:
    """The direction of the mean, ``[d]`` of length 1; None if there are no vectors."""
    import numpy as np

    if len(vectors) <= 1:
        return vectors[0] if vectors else None
    mean = np.mean(vectors, axis=0, dtype=np.float64)
    length = np.linalg.norm(mean)
    # Opposite vectors have no mean direction; the first one is taken.
    return (mean / length).astype(np.float32) if length > 1e-6 else vectors[0]


def progress(label: str, total: int) -> tqdm[Any]:
    """A progress bar on standard error, updated rarely if that is no terminal."""
    bar: tqdm[Any] = progress_bar(label, total, "sample", delay=PROGRESS_DELAY)
    return bar
