"""VOC2012: what is in the picture, and where (Everingham et al. 2012, as listed by LAMM)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar

import msgspec

from chef.common.boxes import upright
from chef.common.seeding import sample_rng
from chef.errors import ConfigError
from chef.scenario.parts import box_turns
from chef.scenario.parts.box_text import Template, box_writer
from chef.scenario.parts.section import read_section
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.scenario.shapes.drawing import Box
from chef.types import Compat, Sample, TurnSpec

LABELS = (
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow",
    "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train",
    "tvmonitor",
)  # fmt: skip


class Negatives(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of ``ppl_cfg``."""

    negative_opt_num: Annotated[int, msgspec.Meta(ge=1, le=len(LABELS) - 1)] = 3
    random_seed: int = 0


class VOC2012(Listed):
    """Detection of twenty classes, in one turn or in several.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        ppl_cfg: give options: a turn for each class that is there, then one for each box. Keys:
            ``negative_opt_num`` (3), wrong options a turn; ``random_seed`` (0) of their draw. A
            mapping without keys gives options too. Without it the turns are free: what is there,
            then where each class is.
        multi_turn: give turns.
        option_template: how boxes are written: ``default``, ``shikra`` or ``kosmos``.
        compat: ``upstream``: options as ChEF's: the right one first, boxes of the class used twice
            as models of wrong ones, one random stream through the data set (by ChEF's rules; that
            it gives the very numbers of ChEF is not shown), Kosmos-2's grid not clamped.

    Raises:
        ConfigError: options without turns, or a bad key of ``ppl_cfg``.
    """

    name = "VOC2012"
    task = "detection"
    metric = "Detection"
    protocols: ClassVar[Mapping[str, str]] = {
        "KOSMOS": "KOSMOS_Detection",
        "LAMM": "LAMM_Detection",
    }
    random_accuracy: float | None = 1 / 4

    def __init__(
        self,
        *,
        base_data_path: str,
        ppl_cfg: dict[str, Any] | None = None,
        multi_turn: bool = True,
        option_template: Template = "default",
        compat: Compat = "corrected",
    ) -> None:
        super().__init__(base_data_path, "meta_file/Detection_VOC2012.json")
        self._options = read_section(Negatives, ppl_cfg, "scenario_cfg.ppl_cfg")
        if self._options and not multi_turn:
            raise ConfigError(
                "the options of VOC2012 belong to turns, and multi_turn is false",
                where="scenario_cfg.multi_turn",
                mend="remove it, or remove ppl_cfg",
            )
        # Each scored turn is a guess of its own; written boxes are not guessed.
        wrong = self._options.negative_opt_num if self._options else None
        self.random_accuracy = None if wrong is None else 1 / (1 + wrong)
        self._multi_turn = multi_turn
        self._text = box_writer(option_template, compat)
        self._compat = compat

    def sample(self, index: int, record: Record) -> Sample:
        objects = objects_of(record)
        answer = [
            {"label": label, "bbox": list(box)}
            for label in box_turns.classes(objects)
            for box in box_turns.boxes(objects, label)
        ]
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            answer=answer,
            turns=self._turns(index, objects) if self._multi_turn else (),
        )

    def _turns(self, index: int, objects: box_turns.Objects) -> tuple[TurnSpec, ...]:
        if self._options is None:
            return box_turns.free_turns(objects, self._text)
        if self._compat == "upstream":
            return self._in_order[index]
        rng = sample_rng(self._options.random_seed, "VOC2012", self.sample_id(index))
        return self._scored(objects, rng)

    @cached_property
    def _in_order(self) -> Mapping[int, tuple[TurnSpec, ...]]:
        """The turns of every record by its position, drawn one after another from one stream.

        A malformed record draws nothing: it is an error of its own when it is asked for.
        """
        assert self._options is not None
        rng = random.Random(self._options.random_seed)
        turns = {}
        for index, record in enumerate(self.records):
            with suppress(KeyError, TypeError, ValueError):
                turns[index] = self._scored(objects_of(record), rng)
        return turns

    def _scored(self, objects: box_turns.Objects, rng: random.Random) -> tuple[TurnSpec, ...]:
        assert self._options is not None
        number = self._options.negative_opt_num
        absent = [label for label in LABELS if label not in box_turns.classes(objects)]
        wrong = WrongBoxes(objects, number, self._text, rng, self._compat)
        return box_turns.scored_turns(
            objects,
            self._text,
            wrong_classes=lambda: rng.sample(absent, min(number, len(absent))),
            wrong_boxes=wrong.draw,
            arrange=tuple if self._compat == "upstream" else partial(box_turns.shuffled, rng=rng),
        )


class WrongBoxes:
    """Boxes near the objects of an image that are not where an object of a class is.

    Every box of the image is moved and scaled ``number`` times; what overlaps no box of the class
    by more than an IoU of 0.5 is kept. Where that gives too few, boxes are drawn at random.

    Args:
        objects: of the image.
        number: how many are wanted a turn.
        text: words a box of a class; two boxes with the same words are one.
        rng: of the draws.
        compat: ``upstream``: the boxes of the class serve twice, and words may repeat.
    """

    def __init__(
        self,
        objects: box_turns.Objects,
        number: int,
        text: Callable[[str, Box], str],
        rng: random.Random,
        compat: Compat,
    ) -> None:
        self._objects, self._number, self._text, self._rng = objects, number, text, rng
        self._upstream = compat == "upstream"
        self._found: dict[str, list[str]] = {}

    def draw(self, label: str) -> Sequence[str]:
        """``number`` of them, in words."""
        if label not in self._found:
            self._found[label] = self._near(label)
        wrong = self._found[label]
        self._rng.shuffle(wrong)
        return wrong[: self._number]

    def _near(self, label: str) -> list[str]:
        own = box_turns.boxes(self._objects, label)
        models = [box for _, box in self._objects] + (own if self._upstream else [])
        taken = {self._text(label, box) for box in own}
        wrong: list[str] = []

        def consider(box: Box) -> None:
            words = self._text(label, box)
            repeated = words in taken and not self._upstream
            if box_turns.apart(box, own) and not repeated:
                wrong.append(words)
                taken.add(words)

        for model in models:
            for _ in range(self._number):
                consider(box_turns.moved(model, self._rng))
        while len(wrong) < self._number:
            consider(box_turns.any_box(self._rng))
        return wrong


def objects_of(record: Record) -> list[tuple[str, Box]]:
    """The classes and boxes of a record's ``object``.

    Raises:
        ValueError: a box that is none.
    """
    objects = []
    for item in record["object"]:
        box = upright([float(edge) for edge in item["bbox"]])
        if box is None:
            raise ValueError(f"{item['bbox']} is no box [x1, y1, x2, y2]")
        objects.append((str(item["label"]), box))
    return objects
