"""All captions of a data set, to draw some of them or to find those most similar to a given one."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any

from chef.common.digest import content_digest
from chef.embedding import cache
from chef.embedding.embed import embed
from chef.embedding.encoders import text_encoder

if TYPE_CHECKING:
    from chef.embedding.neighbours import Neighbours

#: How many captions are drawn at once for each one that is wanted or must be skipped.
SPARE = 4
#: How many more neighbours than needed FAISS is asked for; the search is widened if necessary.
MARGIN = 32


class Captions:
    """The captions of each image, in one list; the encoder of texts is loaded on first use."""

    def __init__(self, groups: Sequence[Sequence[str]], encoder: str) -> None:
        self.texts = [str(text) for group in groups for text in group]
        self.starts = [0]
        for group in groups:
            self.starts.append(self.starts[-1] + len(group))
        self._encoder = text_encoder(encoder)
        self._lock = threading.Lock()
        self._table: Neighbours | None = None

    def own(self, image: int) -> range:
        """The positions of the captions of an image."""
        return range(self.starts[image], self.starts[image + 1])

    def others(self, image: int, number: int, rng: random.Random) -> list[str]:
        """Draw different captions of other images, fewer if there are, in linear time."""
        total = len(self.texts)
        few = min(total, SPARE * (number + len(self.own(image))))
        wrong = self._foreign(image, rng.sample(range(total), few), number)
        if len(wrong) < number and few < total:
            wrong = self._foreign(image, rng.sample(range(total), total), number)
        return wrong

    def alike(self, image: int, caption: int, number: int) -> list[str]:
        """The different captions of other images most similar (cosine of vectors) to one."""
        wanted = number + len(self.own(image))
        (nearest,) = self._nearest([caption], wanted)
        return self._foreign(image, nearest, number)

    def nearest(self, caption: int, number: int) -> list[int]:
        """The positions of the captions most similar to one, itself and equal ones included."""
        (nearest,) = self._nearest([caption], number)
        return list(islice(nearest, number))

    def alike_to_any(self, image: int, pairs: int, number: int) -> list[str]:
        """Captions of other images, at most ``number``, from the ``pairs`` most similar pairs."""
        return self._foreign(image, self.nearest_to_any(image, pairs), number)

    def nearest_to_any(self, image: int, pairs: int) -> list[int]:
        """Where the most similar ``pairs`` pairs (own, any) have captions, own ones included."""
        own, vectors = self.own(image), self.table().vectors
        found: list[tuple[float, int, int]] = []
        for caption, nearest in zip(own, self._nearest(own, pairs), strict=True):
            others = list(islice(nearest, pairs))
            alike = (vectors[caption].astype("float64") * vectors[others]).sum(axis=1)
            found += zip((-alike).tolist(), repeat(caption), others)
        return list(dict.fromkeys(other for _, _, other in sorted(found)[:pairs]))

    def fingerprint(self) -> str:
        """The fingerprint of the encoder."""
        return self._encoder.fingerprint()

    def _foreign(self, image: int, rows: Iterable[int], number: int) -> list[str]:
        """The first ``number`` different captions at ``rows`` that are not the image's own."""
        own = self.own(image)
        mine = {self.texts[row] for row in own}
        texts = (self.texts[row] for row in rows if row not in own)
        wrong: dict[str, None] = {}
        for text in texts:
            if text not in mine:
                wrong[text] = None
            if len(wrong) == number:
                break
        return list(wrong)

    def _nearest(self, captions: Sequence[int], number: int) -> list[Iterator[int]]:
        """For each caption the positions of all, the most similar first; ``number`` are quick."""
        table = self.table()
        vectors = table.vectors[list(captions)]
        candidates = table.candidates(vectors, number + MARGIN)
        return [table.order(*pair) for pair in zip(vectors, candidates, strict=True)]

    def table(self) -> Neighbours:
        """The vectors of all captions, from the cache if it has them."""
        from chef.embedding.neighbours import Neighbours

        with self._lock:
            if self._table is None:
                self._table = Neighbours(self._vectors())
                self._encoder.release()
            return self._table

    def _vectors(self) -> Any:
        contents = content_digest(repr(self.texts))
        path = cache.cache_file(contents, self._encoder.fingerprint())
        kept = cache.read(path, len(self.texts))
        if kept is not None:
            return kept
        rows = range(len(self.texts))
        label = "embedding the captions"
        vectors = embed(self._encoder, lambda row: (self.texts[row],), rows, label)
        cache.write(path, vectors)
        return vectors
