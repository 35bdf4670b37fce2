"""All captions of a data set: draw some, or find those most like a given one."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from chef.common.digest import content_digest
from chef.embedding import cache
from chef.embedding.embed import embed
from chef.embedding.encoders import text_encoder

if TYPE_CHECKING:
    from chef.embedding.neighbours import Neighbours

#: Captions drawn at once, for each one that is wanted and each that must be passed over.
SPARE = 4
#: Neighbours that FAISS names beside those wanted; more are found if they are needed.
MARGIN = 32


class Captions:
    """The captions of every image, one after another.

    Args:
        groups: the captions of each image.
        encoder: the encoder of texts that tells which captions are alike; loaded when it is asked.
    """

    def __init__(self, groups: Sequence[Sequence[str]], encoder: str) -> None:
        self.texts = [str(text) for group in groups for text in group]
        self.starts = [0]
        for group in groups:
            self.starts.append(self.starts[-1] + len(group))
        self._encoder = text_encoder(encoder)
        self._lock = threading.Lock()
        self._table: Neighbours | None = None

    def own(self, image: int) -> range:
        """Where the captions of an image stand."""
        return range(self.starts[image], self.starts[image + 1])

    def others(self, image: int, number: int, rng: random.Random) -> list[str]:
        """``number`` different captions of other images, none of them equal to one of its own.

        Fewer where there are not so many. Takes time in proportion to ``number``.
        """
        total = len(self.texts)
        few = min(total, SPARE * (number + len(self.own(image))))
        wrong = self._foreign(image, rng.sample(range(total), few), number)
        if len(wrong) < number and few < total:
            wrong = self._foreign(image, rng.sample(range(total), total), number)
        return wrong

    def alike(self, image: int, caption: int, number: int) -> list[str]:
        """The ``number`` captions of other images nearest to caption number ``caption``.

        Near means the cosine of the encoder's vectors; none is equal to another or to the image's
        own.
        """
        wanted = number + len(self.own(image))
        (nearest,) = self._nearest([caption], wanted)
        return self._foreign(image, nearest, number)

    def alike_to_any(self, image: int, pairs: int, number: int) -> list[str]:
        """The captions of other images that are nearest to any caption of the image.

        Args:
            image: its position.
            pairs: how many pairs (own caption, caption) are looked at, the nearest first.
            number: how many captions at most.
        """
        own = self.own(image)
        found = [
            (-self._likeness(caption, other), caption, other)
            for caption, nearest in zip(own, self._nearest(own, pairs), strict=True)
            for other in islice(nearest, pairs)
        ]
        first = dict.fromkeys(other for _, _, other in sorted(found)[:pairs])
        return self._foreign(image, first, number)

    def fingerprint(self) -> str:
        """Names the encoder."""
        return self._encoder.fingerprint()

    def _foreign(self, image: int, rows: Iterable[int], number: int) -> list[str]:
        """The first ``number`` different captions of ``rows`` that are not the image's own."""
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
        """For each caption all of them, the nearest first.

        The first ``number`` come without a second search.
        """
        table = self.table()
        vectors = table.vectors[list(captions)]
        candidates = table.candidates(vectors, number + MARGIN)
        return [table.order(*pair) for pair in zip(vectors, candidates, strict=True)]

    def _likeness(self, first: int, second: int) -> float:
        vectors = self.table().vectors
        return float((vectors[first].astype("float64") * vectors[second]).sum())

    def table(self) -> Neighbours:
        """The vectors of all captions, from the cache if they are there."""
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
