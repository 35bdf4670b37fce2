"""VOC2012: detection of twenty classes (Everingham et al. 2012, as listed by LAMM)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar

import msgspec

from chef.common.boxes import VOC2012 as CLASSES
from chef.common.boxes import upright
from chef.common.seeding import sample_rng
from chef.errors import ConfigError, ImageError
from chef.image import Image
from chef.scenario.base import read_section
from chef.scenario.parts import box_turns
from chef.scenario.parts.box_turns import Template, box_writer
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.scenario.shapes.drawing import Box
from chef.types import Sample, TurnSpec

#: How far a box may stand out of the image, in fractions of it: by rounding.
OUTSIDE = 0.01


class DetectionNegatives(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of ``ppl_cfg``."""

    negative_opt_num: Annotated[int, msgspec.Meta(ge=1, le=len(CLASSES) - 1)] = 3
    random_seed: int = 0


class VOC2012(Listed):
    """Detection of twenty classes, in one turn or in several.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        ppl_cfg: give options. There is a turn for each class in the image, then one for each box.
            Keys: ``negative_opt_num`` (3), the number of wrong options in each turn, and
            ``random_seed`` (0). A mapping without keys gives options too. Null: the first turn asks
            for the classes in the image, and one turn for each class asks for its boxes; answers
            are generated.
        multi_turn: ask in turns.
        option_template: the format of boxes: ``default``, ``shikra`` or ``kosmos``.

    Raises:
        ConfigError: options without turns, or a bad key of ``ppl_cfg``.
    """

    name = "VOC2012"
    wording = "detection"
    metric = "Detection"
    protocols: ClassVar[Mapping[str, str]] = {
        "KOSMOS": "KOSMOS_Detection",
        "LAMM": "LAMM_Detection",
    }
    random_accuracy: float | None = 1 / 4
    #: The classes that a label may name; None for any.
    known: ClassVar[Sequence[str] | None] = CLASSES

    def __init__(
        self,
        base_data_path: str,
        *,
        ppl_cfg: dict[str, Any] | None = None,
        multi_turn: bool = True,
        option_template: Template = "default",
    ) -> None:
        super().__init__(base_data_path, "meta_file/Detection_VOC2012.json")
        self._options = read_section(DetectionNegatives, ppl_cfg)
        if self._options and not multi_turn:
            raise ConfigError(
                "the options of VOC2012 need turns, but multi_turn is false",
                where="scenario_cfg.multi_turn",
                hint="remove it, or remove ppl_cfg",
            )
        # Each turn with options is a separate guess; generated boxes cannot be guessed.
        wrong = self._options.negative_opt_num if self._options else None
        self.random_accuracy = None if wrong is None else 1 / (1 + wrong)
        self._multi_turn = multi_turn
        self._text = self._writer(option_template)

    def sample(self, index: int, record: Record) -> Sample:
        objects = objects_of(record, self.known)
        answer = [
            {"label": label, "bbox": list(box)}
            for label in box_turns.classes(objects)
            for box in box_turns.boxes(objects, label)
        ]
        image = self.image(record["image"])
        return Sample(
            id=self.sample_id(index),
            images=(image,),
            answer=answer,
            fields=size_field(image),
            turns=self._turns(index, objects) if self._multi_turn else (),
        )

    def _turns(self, index: int, objects: box_turns.Objects) -> tuple[TurnSpec, ...]:
        if self._options is None:
            return box_turns.free_turns(objects, self._text)
        return self._scored_turns(index, objects, self._options)

    def _writer(self, template: Template) -> Callable[[str, Box], str]:
        """The function that writes boxes in the format of ``template``."""
        return box_writer(template)

    def _scored_turns(
        self, index: int, objects: box_turns.Objects, keys: DetectionNegatives
    ) -> tuple[TurnSpec, ...]:
        """The turns of record ``index`` with options, from a separate random stream for each."""
        rng = sample_rng(keys.random_seed, "VOC2012", self.sample_id(index))
        arrange = partial(box_turns.shuffled, rng=rng)
        wrong = WrongBoxes(objects, keys.negative_opt_num, self._text, rng)
        return drawn_turns(objects, keys.negative_opt_num, rng, wrong, arrange)


def size_field(image: Image) -> dict[str, Any]:
    """``image_size``, ``[width, height]`` in pixels, for metrics that need it; none for an image
    that cannot be opened: the model then fails on the sample, and says why.
    """
    try:
        return {"image_size": list(image.size)}
    except ImageError:
        return {}


class WrongBoxes:
    """Wrong boxes for a class, near the objects of an image.

    Every box of the image is moved and scaled ``number`` times at random. A result is used if its
    IoU with each box of the class is at most 0.5. If there are too few, boxes are drawn anywhere.
    Two boxes with the same ``text`` count as one, unless they ``may_repeat``.
    """

    may_repeat: ClassVar[bool] = False

    def __init__(
        self,
        objects: box_turns.Objects,
        number: int,
        text: Callable[[str, Box], str],
        rng: random.Random,
    ) -> None:
        self._objects, self._number, self.text, self._rng = objects, number, text, rng
        self._found: dict[str, list[str]] = {}

    def draw(self, label: str) -> Sequence[str]:
        """``number`` wrong boxes for the class, as text."""
        if label not in self._found:
            self._found[label] = self._near(label)
        wrong = self._found[label]
        self._rng.shuffle(wrong)
        return wrong[: self._number]

    def _near(self, label: str) -> list[str]:
        boxes = box_turns.boxes(self._objects, label)
        taken = {self.text(label, box) for box in boxes}
        wrong: list[str] = []

        def consider(box: Box) -> None:
            words = self.text(label, box)
            if box_turns.apart(box, boxes) and (self.may_repeat or words not in taken):
                wrong.append(words)
                taken.add(words)

        for model in self._models(boxes):
            for _ in range(self._number):
                consider(self._moved(model))
        while len(wrong) < self._number:
            consider(box_turns.any_box(self._rng))
        return wrong

    def _models(self, own: list[Box]) -> list[Box]:  # noqa: ARG002
        """The boxes to be moved and scaled; ``own`` are the boxes of the class."""
        return [box for _, box in self._objects]

    def _moved(self, box: Box) -> Box:
        """``box``, moved and scaled at random."""
        return box_turns.moved(box, self._rng)


def drawn_turns(
    objects: box_turns.Objects,
    number: int,
    rng: random.Random,
    wrong: WrongBoxes,
    arrange: Callable[[list[str]], tuple[str, ...]],
) -> tuple[TurnSpec, ...]:
    """A turn for each class, then one for each box, with ``number`` wrong options each; ``arrange``
    gets them with the right one first.
    """
    absent = [label for label in CLASSES if label not in box_turns.classes(objects)]
    return box_turns.scored_turns(
        objects,
        wrong.text,
        wrong_classes=lambda: rng.sample(absent, min(number, len(absent))),
        wrong_boxes=wrong.draw,
        arrange=arrange,
    )


def objects_of(record: Record, known: Sequence[str] | None = CLASSES) -> list[tuple[str, Box]]:
    """The classes and boxes (fractions of the image) of ``object``, a list of ``label`` and
    ``bbox``. ``known`` None: any class. SampleError: none, an unknown class, or a box without area
    or outside.
    """
    objects = record["object"]
    if not isinstance(objects, list) or not objects:
        raise values.bad_value("object", objects, "a list of objects")
    return [_object(f"object[{place}]", item, known) for place, item in enumerate(objects)]


def _object(key: str, item: Any, known: Sequence[str] | None) -> tuple[str, Box]:
    if not isinstance(item, dict) or not {"label", "bbox"} <= set(item):
        raise values.bad_value(key, item, "an object with 'label' and 'bbox'")
    given = item["bbox"]
    box = upright(values.numbers(f"{key}.bbox", given))
    if box is None or box[0] == box[2] or box[1] == box[3]:
        raise values.bad_value(f"{key}.bbox", given, "a box [x1, y1, x2, y2] with an area")
    if min(box) < -OUTSIDE or max(box) > 1 + OUTSIDE:
        wanted = "a box inside the image; edges are fractions of its width and height, 0 to 1"
        raise values.bad_value(f"{key}.bbox", given, wanted)
    label = item["label"]
    if known is None:
        return str(label), box
    return values.one_of(f"{key}.label", label, known), box
