"""Flickr30k: captions of photographs (Young et al. 2014, as listed by LAMM)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from chef.common.seeding import sample_rng
from chef.scenario.parts.captions import Captions
from chef.scenario.parts.section import read_section
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.types import Sample

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
        self._options = read_section(Negatives, ppl_cfg, "scenario_cfg.ppl_cfg")
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
