"""Embeddings of samples, and nearest neighbours: FAISS finds candidates, NumPy orders them.

FAISS computes many inner products at once in float32, and their last bits depend on how many. So
it only finds candidates, more than are needed. Their order comes from float64 products of one pair
at a time, with ties broken by position. So nearest neighbours are independent of batch composition.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from chef.common.logs import logger
from chef.common.printing import progress_bar
from chef.embedding.encoders import Encoder
from chef.errors import DependencyError

if TYPE_CHECKING:
    import numpy as np
    from tqdm import tqdm

    from chef.embedding.encoders.base import Vectors

    Rows: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

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


IndexKind: TypeAlias = Literal["exact", "hnsw", "ivf"]

_log = logger(__name__)
#: Float32 inner products of unit vectors are off by less than this.
NOISE = 1e-5
#: How many queries are searched at once, and how many rows are compared at once in float64.
BLOCK, SLICE = 1024, 65536
#: HNSW: links per vertex, search effort while building, minimum search effort.
LINKS, BUILD_EFFORT, SEARCH_EFFORT = 32, 80, 128
#: IVF: how many vectors each centre is trained on.
TRAINED_ON = 40
#: On how many queries the recall of an approximate index is measured, and below which recall a
#: warning is logged.
PROBES, POOR_RECALL = 100, 0.95


class Neighbours:
    """A table of unit vectors that can be searched.

    Args:
        vectors: ``[n, d]`` float32, rows of length 1 (or 0 for a sample without a vector); rows
            of other lengths are compared by inner product.
        kind: ``exact``; or, for pools over a million, ``ivf`` (lists around 4 sqrt(n) centres) or
            ``hnsw`` (a graph, built by one thread, as several threads do not build the same graph
            twice).
        seed: random seed of the centres.

    Attributes:
        vectors: the table, valid as long as this object exists.
        recall: the share of the true neighbours that an approximate index finds; None before
            `measure_recall`, and always 1 for an exact index.
    """

    def __init__(self, vectors: Vectors, kind: IndexKind = "exact", seed: int = 0) -> None:
        self.kind = kind
        self.recall: float | None = 1.0 if kind == "exact" else None
        self._noise = NOISE * max(1.0, _largest_square(vectors))
        self._index = _build(vectors, kind, seed)
        # FAISS stores a copy of the vectors. Except for IVF it is a plain table, which is used
        # here, so that a large pool is in memory only once.
        self.vectors = vectors if kind == "ivf" else _stored(self._index, kind, vectors.shape)

    def candidates(self, queries: Vectors, number: int) -> Rows:
        """The rows that are probably nearest, ``[q, number]``; -1 where none was found."""
        import numpy as np

        number = min(number, len(self.vectors))
        found = [np.zeros((0, number), np.int64)]
        for start in range(0, len(queries), BLOCK):
            _search_effort(self._index, self.kind, number)
            block = np.ascontiguousarray(queries[start : start + BLOCK], dtype=np.float32)
            found.append(self._index.search(block, number)[1])
        return np.concatenate(found)

    def order(self, query: Any, candidates: Rows) -> Iterator[int]:
        """All rows, the nearest first, equally near ones by position; approximate finds lead."""
        import numpy as np

        known = candidates[candidates >= 0]
        given: set[int] = set()
        if len(known):
            scores = self._scores(query, known)
            # A row that FAISS left out may be as near as the last candidates, within its noise.
            certain = self.kind != "exact" or len(known) == len(self.vectors)
            least = -np.inf if certain else scores.min() + self._noise
            for place in np.lexsort((known, -scores)):
                if scores[place] < least:
                    break
                given.add(int(known[place]))
                yield int(known[place])
        if len(given) < len(self.vectors):
            rows = np.arange(len(self.vectors))
            for row in np.lexsort((rows, -self._scores(query, rows))):
                if int(row) not in given:
                    yield int(row)

    def measure_recall(self, queries: Vectors, number: int) -> float:
        """The share of the ``number`` nearest rows that the index finds, over some queries."""
        import numpy as np

        if self.kind == "exact":
            return 1.0
        probes = queries[:: max(1, len(queries) // PROBES)][:PROBES]
        candidates = self.candidates(probes, number)
        hits = 0
        for probe, found_rows in zip(probes, candidates, strict=True):
            truth = np.argpartition(self.vectors @ -probe, found_rows.size - 1)[: found_rows.size]
            hits += np.intersect1d(found_rows, truth).size
        self.recall = hits / max(1, candidates.size)
        _log.log(
            logging.INFO if self.recall >= POOR_RECALL else logging.WARNING,
            "the %s index finds %.1f%% of the %d nearest of %d vectors (%d queries)",
            self.kind, 100 * self.recall, number, len(self.vectors), len(probes),
        )  # fmt: skip
        return self.recall

    def _scores(self, query: Any, rows: Rows) -> Any:
        """Inner products in float64, ``[len(rows)]``; each depends only on its pair."""
        import numpy as np

        wide = np.asarray(query, np.float64)
        slices = range(0, len(rows), SLICE)
        parts = [self.vectors[rows[at : at + SLICE]].astype(np.float64) * wide for at in slices]
        return np.concatenate([part.sum(axis=1) for part in parts])


def _largest_square(vectors: Vectors) -> float:
    import numpy as np

    return float(np.einsum("nd,nd->n", vectors, vectors).max(initial=0.0))


def _build(vectors: Vectors, kind: IndexKind, seed: int) -> Any:
    import numpy as np

    try:
        import faiss
    except ImportError:
        raise DependencyError("the search needs FAISS", hint="pip install faiss-cpu") from None
    number, width = vectors.shape
    table = np.ascontiguousarray(vectors, dtype=np.float32)
    if kind == "exact":
        index: Any = faiss.IndexFlatIP(width)
    elif kind == "hnsw":
        index = faiss.IndexHNSWFlat(width, LINKS, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = BUILD_EFFORT
    else:
        centres = max(1, min(int(4 * number**0.5), number // TRAINED_ON))
        index = faiss.IndexIVFFlat(
            faiss.IndexFlatIP(width), width, centres, faiss.METRIC_INNER_PRODUCT
        )
        index.cp.seed, index.cp.max_points_per_centroid = seed, TRAINED_ON
        index.train(table)
    threads = faiss.omp_get_max_threads()
    if kind == "hnsw":
        faiss.omp_set_num_threads(1)
    index.add(table)
    faiss.omp_set_num_threads(threads)
    return index


def _stored(index: Any, kind: IndexKind, shape: tuple[int, ...]) -> Vectors:
    import faiss

    flat: Any = index if kind == "exact" else faiss.downcast_index(index.storage)
    table: Vectors = faiss.rev_swig_ptr(flat.get_xb(), shape[0] * shape[1]).reshape(shape)
    return table


def _search_effort(index: Any, kind: IndexKind, number: int) -> None:
    if kind == "hnsw":
        index.hnsw.efSearch = max(SEARCH_EFFORT, 2 * number)
    elif kind == "ivf":
        index.nprobe = max(8, index.nlist // 32)
