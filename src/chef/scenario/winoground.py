"""Winoground: matching two captions, made of the same words, with two images.

Source: Thrush et al. 2022, "Winoground: Probing Vision and Language Models for Visio-Linguistic
Compositionality".
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from chef.common.options import YES_NO, yes_no_fields
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.types import Sample

#: The four pairs (caption, image) as shown, from 0, in the order of questions and options.
PAIRS = ((0, 0), (0, 1), (1, 0), (1, 1))
SEED = 2023


class Shown(NamedTuple):
    """Captions and images as shown; ``shuffle`` 1: the captions are swapped, 2: the images."""

    captions: tuple[str, str]
    images: tuple[str, str]
    shuffle: int

    @property
    def text(self) -> str:
        """The two captions, each on a line."""
        return f"Caption 1: {self.captions[0]}\nCaption 2: {self.captions[1]}"


class _Shuffles:
    """The random stream of ChEF: one draw for each example, in the order of the file."""

    def __init__(self) -> None:
        self._stream = random.Random(SEED)
        self._drawn: list[int] = []

    def __getitem__(self, place: int) -> int:
        while len(self._drawn) <= place:
            self._drawn.append(self._stream.randint(1, 2))
        return self._drawn[place]


class WinogroundExamples(Listed):
    """The examples of ``examples.jsonl``, each with its captions or its images swapped.

    Args:
        base_data_path: the folder of ``examples.jsonl`` and ``images``.
    """

    wording = "Winoground"
    protocols: ClassVar[Mapping[str, str]]

    def __init__(self, base_data_path: str) -> None:
        super().__init__(base_data_path, "examples.jsonl")
        self._shuffles = _Shuffles()

    def expand(self, place: int, record: Record) -> Sequence[Record]:
        """The example with its ``main_id`` and its ``shuffle``."""
        return ({**record, "main_id": record["id"], "shuffle": self._shuffles[place]},)

    def shown(self, record: Record) -> Shown:
        """The example with its swap applied."""
        captions = (values.text(record, "caption_0"), values.text(record, "caption_1"))
        names = [values.text(record, key) for key in ("image_0", "image_1")]
        images = (f"images/{names[0]}.png", f"images/{names[1]}.png")
        if record["shuffle"] == 1:
            return Shown(captions[::-1], images, 1)
        return Shown(captions, images[::-1], 2)


class Winoground(WinogroundExamples):
    """Four yes/no questions for each example: does this caption match this image?"""

    name = "Winoground"
    metric = "Winoground_Metric"
    protocols: ClassVar[Mapping[str, str]] = {"Winoground": "Winoground_Metric"}

    def expand(self, place: int, record: Record) -> Sequence[Record]:
        """The four questions of each example."""
        return [
            {**example, "id": 4 * values.count(example, "main_id") + number, "pair": pair}
            for example in super().expand(place, record)
            for number, pair in enumerate(PAIRS)
        ]

    def group(self, index: int) -> str | None:
        """The example that the question belongs to."""
        return str(self.records[index].get("main_id", f"record {index}"))

    def sample(self, index: int, record: Record) -> Sample:
        shown = self.shown(record)
        caption, image = record["pair"]
        answer = "Yes" if caption != image else "No"  # one side is always swapped
        return Sample(
            id=self.sample_id(index),
            images=tuple(self.image(path) for path in shown.images),
            question=f"{shown.text}\nDoes caption {caption + 1} match image {image + 1}?",
            options=YES_NO,
            answer=answer,
            fields={
                **yes_no_fields(answer),
                "type": f"c{caption}i{image}",
                **_origin(record),
            },
        )


class WinogroundCap(WinogroundExamples):
    """One question for each example, with four statements as options; two of them are true."""

    name = "Winoground_Cap"
    metric = "Winoground_Cap_Metric"
    protocols: ClassVar[Mapping[str, str]] = {"Winoground": "Winoground_Cap_Metric"}

    def sample(self, index: int, record: Record) -> Sample:
        shown = self.shown(record)
        options = [f"Caption {caption + 1} matches image {image + 1}." for caption, image in PAIRS]
        right = [place for place, (caption, image) in enumerate(PAIRS) if caption != image]
        return Sample(
            id=self.sample_id(index),
            images=tuple(self.image(path) for path in shown.images),
            question=f"{shown.text}\nWhich caption matches which image?",
            options=tuple(options),
            answer=[options[place] for place in right],
            fields={"gt_choice": right, "choices": options, **_origin(record)},
        )


def _origin(record: Record) -> dict[str, Any]:
    return {"main_id": str(record["main_id"]), "shuffle": record["shuffle"]}
