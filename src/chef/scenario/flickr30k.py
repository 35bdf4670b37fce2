"""All captions of a data set, to draw some of them or to find those most similar to a given one."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, repeat
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec

from chef.common.digest import content_digest
from chef.common.seeding import sample_rng
from chef.embedding import cache
from chef.embedding.encoders import text_encoder
from chef.embedding.neighbours import embed
from chef.scenario.base import read_section
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.types import Sample

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


#: ``top_p``: the number of caption pairs that are compared, and the number of wrong options.
PAIRS, TOP_P = 250, 5


class Negatives(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of ``ppl_cfg``."""

    negative_opt_num: Annotated[int, msgspec.Meta(ge=1)] = 3
    random_seed: int = 0
    strategy: Literal["random", "top_p", "top_similarity"] = "random"
    model_path: str = "sentence-transformers/all-MiniLM-L6-v2"


class Flickr30k(Listed):
    """Captions, to be generated or chosen.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        ppl_cfg: give captions as options; a mapping without keys does so with the defaults. Keys:
            ``strategy``, the choice of the wrong captions, which belong to other images.
            ``random`` draws them; one caption of the image itself is the last option.
            ``top_similarity`` takes those most similar to that caption. ``top_p`` gives all
            captions of the image, then the five of other images that are most similar to any of
            them (for the metric's ``strategy: top_acc``). ``negative_opt_num`` (3), the number of
            wrong captions, except for ``top_p``. ``random_seed`` (0). ``model_path``, the encoder
            that similarity is computed with (a model of sentence-transformers by hub name or
            folder, or ``embedded``).

    Raises:
        ConfigError: a bad key of ``ppl_cfg``.
    """

    name = "Flickr30k"
    wording = "caption"
    metric = "Caption"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Caption"}
    random_accuracy: float | None = 1 / 4

    def __init__(
        self,
        base_data_path: str = "data/datasets/LAMM/2D_Benchmark/",
        *,
        ppl_cfg: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(base_data_path, "meta_file/Caption_flickr30k.json")
        self._options = read_section(Negatives, ppl_cfg)
        self.random_accuracy = chance(self._options) if self._options else None

    def sample(self, index: int, record: Record) -> Sample:
        sentences = values.texts(record, "sentences")
        options, right = self._choices(index, sentences)
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            options=tuple(options),
            answer=sentences,
            fields={"gt_choice": right} if options else {},
        )

    def fingerprint(self) -> str:
        """A digest of the list, and of the encoder if the options depend on it."""
        listed = super().fingerprint()
        if self._options is None or self._options.strategy == "random":
            return listed
        return f"{listed} {self._captions.fingerprint()}"

    def _choices(self, image: int, sentences: list[str]) -> tuple[list[str], int | list[int]]:
        """The options, and the positions of the right ones."""
        keys = self._options
        if keys is None:
            return [], []
        if keys.strategy == "top_p":
            wrong = self._most_alike(image)
            return [*sentences, *wrong], list(range(len(sentences)))
        wrong, right = self._drawn(image, sentences, keys)
        return [*wrong, right], len(wrong)

    def _most_alike(self, image: int) -> list[str]:
        """The wrong captions of ``top_p``."""
        return self._captions.alike_to_any(image, PAIRS, TOP_P)

    def _drawn(self, image: int, sentences: list[str], keys: Negatives) -> tuple[list[str], str]:
        """Wrong captions and the right one, from a separate random stream for each image."""
        rng = sample_rng(keys.random_seed, "Flickr30k", self.sample_id(image))
        chosen = rng.randrange(len(sentences))
        number = keys.negative_opt_num
        if keys.strategy == "random":
            wrong = self._captions.others(image, number, rng)
        else:
            wrong = self._captions.alike(image, self._captions.own(image)[chosen], number)
        return wrong, sentences[chosen]

    @cached_property
    def _captions(self) -> Captions:
        assert self._options is not None
        # A record without captions is an error when its sample is made, not here.
        found = (record.get("sentences") for record in self.records)
        groups = [item if isinstance(item, list) else [] for item in found]
        return Captions(groups, self._options.model_path)


def chance(keys: Negatives) -> float:
    """The score of random guessing: one option is right, or half of them with ``top_p``."""
    return 1 / 2 if keys.strategy == "top_p" else 1 / (1 + keys.negative_opt_num)
