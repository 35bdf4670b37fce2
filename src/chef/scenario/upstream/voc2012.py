"""VOC2012 with the options of ChEF."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import ClassVar

from chef.errors import SampleError
from chef.scenario import voc2012
from chef.scenario.parts import box_turns
from chef.scenario.parts.box_turns import GRID, Template, box_writer, kosmos
from chef.scenario.shapes.drawing import Box
from chef.types import TurnSpec


class WrongBoxes(voc2012.WrongBoxes):
    """Width and height are scaled by one factor, and texts may be repeated.

    The boxes of the class are moved first, then all boxes of the image, grouped by class. So those
    of the class are moved twice as often.
    """

    may_repeat: ClassVar[bool] = True

    def _models(self, own: list[Box]) -> list[Box]:
        labels = box_turns.classes(self._objects)
        grouped = [box for label in labels for box in box_turns.boxes(self._objects, label)]
        return [*own, *grouped]

    def _moved(self, box: Box) -> Box:
        return moved(box, self._rng)


def moved(box: Box, rng: random.Random) -> Box:
    """``box`` scaled by a factor of 0.5 to 1.5, moved by up to half its size, then clipped."""
    width, height = box[2] - box[0], box[3] - box[1]
    factor = rng.uniform(0.5, 1.5)
    x = (box[0] + box[2]) / 2 + rng.uniform(-width / 2, width / 2)
    y = (box[1] + box[3]) / 2 + rng.uniform(-height / 2, height / 2)
    return box_turns.around(x, y, width * factor, height * factor)


class VOC2012(voc2012.VOC2012):
    """The right option stands first, and one random stream runs through the whole data set.

    Wrong classes come from the file, in the order in which it first names them. Kosmos-2's grid is
    not clamped: an edge at 1.0 is in a patch that does not exist.
    """

    known = None  # the classes are those of the file

    def _writer(self, template: Template) -> Callable[[str, Box], str]:
        if template == "kosmos":
            return lambda _, box: kosmos(box, last=GRID)
        return box_writer(template)

    def _scored_turns(
        self,
        index: int,
        objects: box_turns.Objects,  # noqa: ARG002
        keys: voc2012.DetectionNegatives,  # noqa: ARG002
    ) -> tuple[TurnSpec, ...]:
        return self._in_order[index]

    @cached_property
    def _in_order(self) -> Mapping[int, tuple[TurnSpec, ...]]:
        """The turns of every record by position, from one stream; a malformed one draws nothing."""
        assert self._options is not None
        rng, number = random.Random(self._options.random_seed), self._options.negative_opt_num
        images: dict[int, box_turns.Objects] = {}
        for index, record in enumerate(self.records):
            with suppress(KeyError, TypeError, ValueError, SampleError):
                images[index] = voc2012.objects_of(record, self.known)
        labels = box_turns.classes([item for objects in images.values() for item in objects])
        return {
            index: self._drawn(objects, labels, number, rng) for index, objects in images.items()
        }

    def _drawn(
        self, objects: box_turns.Objects, labels: Sequence[str], number: int, rng: random.Random
    ) -> tuple[TurnSpec, ...]:
        """The turns of one image; ``labels`` are the classes of the data set."""
        present = box_turns.classes(objects)
        absent = [label for label in labels if label not in present]

        def wrong_classes() -> Sequence[str]:
            rng.shuffle(absent)  # each class of the image shuffles the same list further
            return absent[:number]

        wrong = WrongBoxes(objects, number, self._text, rng)
        return box_turns.scored_turns(objects, self._text, wrong_classes, wrong.draw, tuple)
