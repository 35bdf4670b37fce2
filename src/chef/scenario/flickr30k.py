"""Flickr30k: what is to be seen in the picture (Young et al. 2014, as listed by LAMM)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from chef.common.seeding import sample_rng
from chef.scenario.parts.captions import Captions
from chef.scenario.parts.section import read_section
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.types import Compat, Sample

#: ``top_p``: how many pairs of captions are looked at, and how many wrong options there are.
PAIRS, TOP_P = 250, 5
#: ``top_similarity`` of ChEF: how many neighbours a caption has.
NEIGHBOURS = 20


class Negatives(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of ``ppl_cfg``."""

    negative_opt_num: Annotated[int, msgspec.Meta(ge=1)] = 3
    random_seed: int = 0
    strategy: Literal["random", "top_p", "top_similarity"] = "random"
    model_path: str = "sentence-transformers/all-MiniLM-L6-v2"


class Flickr30k(Listed):
    """Captions, to write or to choose.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        ppl_cfg: give captions as options; a mapping without keys does too. Keys: ``strategy``:
            ``random``, captions of other images and one of the image's own, the last;
            ``top_similarity``, those of other images most like that own caption instead;
            ``top_p``, all own captions, then five of other images, the most like any of them (for
            the metric's ``strategy: top_acc``). ``negative_opt_num`` (3) wrong captions (but for
            ``top_p``), ``random_seed`` (0), and ``model_path``, the encoder that tells what is
            alike (sentence-transformers by hub name or folder, or ``embedded``).
        compat: ``upstream``: drawn as in ChEF: the seed is 0 whatever is given, one random stream
            runs through the data set, and captions equal to an own one may be wrong ones (by
            ChEF's rules; that it gives the very captions of ChEF is not shown).

    Raises:
        ConfigError: a bad key of ``ppl_cfg``.
    """

    name = "Flickr30k"
    task = "caption"
    metric = "Caption"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Caption"}
    random_accuracy: float | None = 1 / 4

    def __init__(
        self,
        *,
        base_data_path: str = "data/datasets/LAMM/2D_Benchmark/",
        ppl_cfg: dict[str, Any] | None = None,
        compat: Compat = "corrected",
    ) -> None:
        super().__init__(base_data_path, "meta_file/Caption_flickr30k.json")
        self._options = read_section(Negatives, ppl_cfg, "scenario_cfg.ppl_cfg")
        self.random_accuracy = chance(self._options) if self._options else None
        self._compat = compat

    def sample(self, index: int, record: Record) -> Sample:
        sentences = [str(text) for text in captions_of(record)]
        options, right = self._choices(index, sentences)
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            options=tuple(options),
            answer=sentences,
            fields={"gt_choice": right} if options else {},
        )

    def fingerprint(self) -> str:
        """Of the list, and of the encoder where it decides the options."""
        listed = super().fingerprint()
        if self._options is None or self._options.strategy == "random":
            return listed
        return f"{listed} {self._captions.fingerprint()}"

    def _choices(self, image: int, sentences: list[str]) -> tuple[list[str], int | list[int]]:
        """The options, and which of them are right."""
        keys = self._options
        if keys is None:
            return [], []
        if keys.strategy == "top_p":
            wrong = self._captions.alike_to_any(image, PAIRS, TOP_P)
            return [*sentences, *wrong], list(range(len(sentences)))
        if self._compat == "upstream":
            wrong, truth = self._as_chef(image)
            return [*wrong, truth], len(wrong)
        rng = sample_rng(keys.random_seed, "Flickr30k", self.sample_id(image))
        chosen = rng.randrange(len(sentences))
        number = keys.negative_opt_num
        if keys.strategy == "random":
            wrong = self._captions.others(image, number, rng)
        else:
            wrong = self._captions.alike(image, self._captions.own(image)[chosen], number)
        return [*wrong, sentences[chosen]], len(wrong)

    @cached_property
    def _captions(self) -> Captions:
        assert self._options is not None
        # A record without captions is an error of its own, when it is asked for.
        found = (record.get("sentences") for record in self.records)
        groups = [item if isinstance(item, list) else [] for item in found]
        return Captions(groups, self._options.model_path)

    def _as_chef(self, image: int) -> tuple[list[str], str]:
        """Wrong captions and the right one, drawn one image after another from one stream."""
        assert self._options is not None
        wrong, row = self._in_order[image]
        if self._options.strategy == "top_similarity":
            found = self._captions.alike(image, row, NEIGHBOURS)
            return found[: self._options.negative_opt_num], self._captions.texts[row]
        return [self._captions.texts[other] for other in wrong], self._captions.texts[row]

    @cached_property
    def _in_order(self) -> list[tuple[list[int], int]]:
        assert self._options is not None
        rng, captions = random.Random(0), self._captions
        drawn = []
        for image in range(len(self.records)):
            own = captions.own(image)
            wrong: list[int] = []
            if self._options.strategy == "random":
                rows = first_removed(captions.texts, [captions.texts[row] for row in own])
                rng.shuffle(rows)
                wrong = rows[: self._options.negative_opt_num]
            drawn.append((wrong, rng.choice(own) if own else 0))
        return drawn


def chance(keys: Negatives) -> float:
    """What guessing scores: one of the options is right, of ``top_p`` every second one."""
    return 1 / 2 if keys.strategy == "top_p" else 1 / (1 + keys.negative_opt_num)


def captions_of(record: Record) -> list[str]:
    """The ``sentences`` of a record.

    Raises:
        TypeError: they are no list.
    """
    sentences = record["sentences"]
    if not isinstance(sentences, list):
        raise TypeError("sentences is no list")
    return sentences


def first_removed(texts: list[str], taken: list[str]) -> list[int]:
    """Rows of ``texts`` without the first one equal to each of ``taken``.

    >>> first_removed(["a", "b", "a"], ["a"])
    [1, 2]
    """
    left = list(taken)
    rows = []
    for row, text in enumerate(texts):
        if text in left:
            left.remove(text)
        else:
            rows.append(row)
    return rows
