"""Retrievers by similarity: they embed the pool once, then take the nearest examples.

Similarity is the cosine of two vectors. Samples with the same content (the same question, the same
image) share one vector, and come in the order of the pool.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from msgspec import field

from chef.common.digest import content_digest, stream_digest
from chef.common.keys import flat_keywords
from chef.embedding import cache
from chef.embedding.encoders import Encoder, Features, image_encoder, text_encoder
from chef.embedding.neighbours import IndexKind, Neighbours, embed
from chef.errors import ConfigError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.instruction.retriever.base import AT, ExamplePool, Retriever, Selection
from chef.scenario.base import Scenario
from chef.types import Sample

if TYPE_CHECKING:
    from chef.embedding.encoders.base import Vectors

Item = TypeVar("Item")
#: Identifies the content of a sample; samples with the same key have the same vector.
Key: TypeAlias = tuple[str, ...]

#: Neighbours that are searched in addition, in case the nearest are not allowed as examples.
SPARE = 32


class Search(Frozen):
    """The keys of ``incontext_cfg`` on how a pool is embedded and searched.

    Attributes:
        batch_size: items encoded together.
        device: where the encoder runs: ``auto``, ``cpu``, ``cuda``, ...
        index: ``exact``; or ``ivf``, ``hnsw``, approximate, for pools over a million.

    Raises:
        ConfigError: the batch size is less than 1.
    """

    batch_size: int = 32
    device: str = "auto"
    index: IndexKind = "exact"

    def __post_init__(self) -> None:
        if self.batch_size < 1:
            raise ConfigError(
                f"batch_size is {self.batch_size}",
                where=f"{AT}.batch_size",
                hint="it must be 1 or more",
            )


class Embedded(Frozen):
    """A pool that can be searched, with a lock; recipes of one call that compare the same share it.

    ``rows`` are of each content, ``places`` the samples of each row, ``found`` each query's vector
    and candidates.
    """

    contents: str
    rows: Mapping[Key, int]
    places: Sequence[Sequence[int]]
    neighbours: Neighbours
    found: dict[Key, tuple[Any, Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Nearest(Retriever, Generic[Item]):
    """Prefers the samples of the pool that are most similar to the query.

    Args:
        encoder: makes the vectors that are compared.
        selection: how many examples; the seed of an approximate index (an exact one has nothing
            random).
        index: how the pool is searched.

    Attributes:
        compared: the part of a sample that is compared, in one word.
        unit_vectors: whether vectors have length 1, so that their inner product is the cosine.
    """

    compared: str
    unit_vectors: ClassVar[bool] = True

    def __init__(
        self,
        encoder: Encoder[Item],
        *,
        selection: Selection,
        index: IndexKind = "exact",
    ) -> None:
        super().__init__(selection=selection)
        self.encoder, self.index = encoder, index
        self._embedded: Embedded | None = None

    @abstractmethod
    def items(self, sample: Sample) -> Sequence[Item]:
        """The parts of ``sample`` that are compared; empty when it has none."""

    def load(self, item: Item) -> None:
        """Read an item that is not read yet; raises `SampleError`."""

    @abstractmethod
    def name(self, item: Item) -> str:
        """A name of the content of an item, without decoding it where possible."""

    def prepare(self, pool: ExamplePool) -> None:
        super().prepare(pool)
        if not self.ice_num:
            return
        # The rows that an approximate index finds depend on how many are wanted, and on its seed.
        key = () if self.index == "exact" else (self.ice_num, self.random_seed)
        self._embedded = pool.once((self.index, *key), partial(self._embed_pool, pool))

    def _embed_pool(self, pool: ExamplePool) -> Embedded:
        """Group samples by content, and embed each once; `ConfigError` where none has any."""
        groups = self._group(pool.scenario, range(len(pool)))
        if not groups:
            raise ConfigError(
                f"no sample of the pool has any {self.compared} to compare",
                where=f"{AT}.retriever_type",
                hint="choose another retriever: random, fixed, topk_text, topk_img",
            )
        rows, places = {key: row for row, key in enumerate(groups)}, list(groups.values())
        contents = _digest(rows)
        vectors = self._vectors(pool, contents, [same[0] for same in places])
        neighbours = Neighbours(vectors, self.index, self.random_seed)
        return Embedded(contents, rows, places, neighbours)

    def prefetch(self, scenario: Scenario, indices: Sequence[int]) -> None:
        if (pool := self._embedded) is None:
            return
        groups = self._group(scenario, indices)
        asked = {key: places[0] for key, places in groups.items() if key not in pool.found}
        unknown = [place for key, place in asked.items() if key not in pool.rows]
        fresh = iter(self._embed(scenario, unknown, "embedding the questions"))
        known = pool.neighbours.vectors
        vectors = [known[pool.rows[key]] if key in pool.rows else next(fresh) for key in asked]
        self._search(pool, list(asked), vectors)

    def release(self) -> None:
        self.encoder.release()

    def preference(self, query: Sample) -> Iterator[int]:
        pool = self._embedded
        assert pool is not None, "prepare comes first"
        key = self._key(query)
        if not key:
            raise SampleError(
                f"has no {self.compared} to find similar samples by",
                where=f"sample '{query.id}'",
                hint="choose another retriever_type",
            )
        with pool.lock:
            if key not in pool.found:
                self._search(
                    pool, [key], [embed(self.encoder, lambda _: self.items(query), [0], "")[0]]
                )
            if key not in pool.found:
                raise SampleError(
                    f"the encoder gives no vector for its {self.compared}",
                    where=f"sample '{query.id}'",
                )
            vector, candidates = pool.found[key]
        for row in pool.neighbours.order(vector, candidates):
            yield from pool.places[row]

    def record(self) -> dict[str, Any]:
        if (pool := self._embedded) is None:
            return {}
        return {
            "encoder": self.encoder.name,
            "encoder_fingerprint": self.encoder.fingerprint(),
            "pool_digest": pool.contents,
            "vectors": list(pool.neighbours.vectors.shape),
            "index": self.index,
            "recall": pool.neighbours.recall,
        }

    # -- the pool ---------------------------------------------------------------------------

    def _group(self, scenario: Scenario, indices: Sequence[int]) -> dict[Key, list[int]]:
        """Samples by their content, in order; those without content are left out."""
        groups: dict[Key, list[int]] = {}
        for index in indices:
            try:
                key = self._key(scenario[index])
            except SampleError:
                continue  # it is no example; as a query it fails when it is asked
            if key:
                groups.setdefault(key, []).append(index)
        return groups

    def _key(self, sample: Sample) -> Key:
        return tuple(self.name(item) for item in self.items(sample))

    def _vectors(self, pool: ExamplePool, contents: str, first: Sequence[int]) -> Vectors:
        """The vectors ``[distinct contents, d]``, from the cache where it has them."""
        path = cache.cache_file(contents, self.encoder.fingerprint())
        kept = cache.read(path, len(first))
        if kept is not None:
            return kept
        vectors = self._embed(pool.scenario, first, "embedding the pool")
        # Vectors of zeros are items that could not be opened; do not cache this.
        if vectors.any(axis=1).all():
            cache.write(path, vectors)
        return vectors

    def _embed(self, scenario: Scenario, indices: Sequence[int], label: str) -> Vectors:
        return embed(self.encoder, partial(self._open, scenario), indices, label)

    def _open(self, scenario: Scenario, index: int) -> Sequence[Item]:
        try:
            items = self.items(scenario[index])
            for item in items:
                self.load(item)
        except SampleError:
            return ()
        return items

    # -- the queries ------------------------------------------------------------------------

    def _search(self, pool: Embedded, keys: Sequence[Key], vectors: Sequence[Any]) -> None:
        """Find the candidates of each query, many at a time, because FAISS is fast at that."""
        import numpy as np

        # A query whose vector is zero could not be opened; it fails when it is asked.
        sound = [(key, vector) for key, vector in zip(keys, vectors, strict=True) if vector.any()]
        if not sound:
            return
        table = np.stack([vector for _, vector in sound])
        candidates = pool.neighbours.candidates(table, self.ice_num + SPARE)
        if pool.neighbours.recall is None and len(table) > 1:
            pool.neighbours.measure_recall(table, self.ice_num)
        for (key, _), vector, row in zip(sound, table, candidates, strict=True):
            pool.found[key] = (vector, row)


def _digest(keys: Iterable[Key]) -> str:
    # Lengths stand between, so that no two lists of keys read alike.
    return stream_digest("".join(f"{len(name)}:{name}" for name in key) + "\n" for key in keys)


class TopkText(Nearest[str]):
    """Compares the questions of samples, as the scenario gives them.

    Args:
        selection: how many examples; the seed of an approximate index.
        sentence_transformers_model_name: ``embedded``; or a model of sentence-transformers, by
            hub name (ChEF takes ``all-mpnet-base-v2``) or local folder; or a local folder of
            open_clip.
        search: how the pool is embedded and searched.
    """

    compared = "question"

    @flat_keywords
    def __init__(
        self,
        *,
        selection: Selection = Selection(),
        sentence_transformers_model_name: str = "embedded",
        search: Search = Search(),
    ) -> None:
        encoder = text_encoder(
            sentence_transformers_model_name,
            batch_size=search.batch_size,
            device=search.device,
            unit=self.unit_vectors,
        )
        super().__init__(encoder, selection=selection, index=search.index)

    def items(self, sample: Sample) -> Sequence[str]:
        return (sample.question,) if sample.question.strip() else ()

    def name(self, item: str) -> str:
        return item


class TopkImg(Nearest[Image]):
    """Compares the images of samples; for several images, the mean of their vectors.

    Args:
        selection: how many examples; the seed of an approximate index.
        model_ckpt: ``embedded``; or ``model/pretrained`` of open_clip; or a vision model of
            transformers, by hub name (ChEF takes ``google/vit-base-patch16-224-in21k``); or a
            local folder of either.
        features: of a model of transformers: ``cls``, the first token, as ChEF does; or
            ``pooled``, what the model makes of the image (SigLIP has no first token).
        search: how the pool is embedded and searched.
    """

    compared = "image"

    @flat_keywords
    def __init__(
        self,
        *,
        selection: Selection = Selection(),
        model_ckpt: str = "embedded",
        features: Features = "cls",
        search: Search = Search(),
    ) -> None:
        encoder = image_encoder(
            model_ckpt,
            features=features,
            batch_size=search.batch_size,
            device=search.device,
            unit=self.unit_vectors,
        )
        super().__init__(encoder, selection=selection, index=search.index)

    def items(self, sample: Sample) -> Sequence[Image]:
        return sample.images

    def load(self, item: Image) -> None:
        item.view()

    def name(self, item: Image) -> str:
        """From the stored bytes or the file's state, because decoding a large pool is slow."""
        source = item.source
        if isinstance(source, bytes):
            return f"bytes {content_digest(source)}"
        if isinstance(source, (str, Path)) and not str(source).startswith(("http", "data:")):
            path = Path(source)
            if path.is_file():
                state = path.stat()
                return f"file {path.resolve()} {state.st_size} {state.st_mtime_ns}"
        return f"pixels {item.digest}"  # for a URL too, because its content may change
