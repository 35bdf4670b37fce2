"""VOC2012 with the options of ChEF."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import ClassVar

from chef.scenario import voc2012
from chef.scenario.parts.box_text import GRID, Template, box_writer, kosmos
from chef.scenario.parts.box_turns import Objects
from chef.scenario.shapes.drawing import Box
from chef.types import TurnSpec


class WrongBoxes(voc2012.WrongBoxes):
    """Boxes of the class are moved and scaled twice as often, and texts may be repeated."""

    may_repeat: ClassVar[bool] = True

    def _models(self, own: list[Box]) -> list[Box]:
        return super()._models(own) + own


class VOC2012(voc2012.VOC2012):
    """The right option stands first, and one random stream runs through the whole data set.

    Kosmos-2's grid is not clamped: an edge at 1.0 is in a patch that does not exist. The options
    follow ChEF's rules; whether they are equal to ChEF's own has not been tested.
    """

    def _writer(self, template: Template) -> Callable[[str, Box], str]:
        if template == "kosmos":
            return lambda _, box: kosmos(box, last=GRID)
        return box_writer(template)

    def _scored_turns(
        self,
        index: int,
        objects: Objects,  # noqa: ARG002
        keys: voc2012.Negatives,  # noqa: ARG002
    ) -> tuple[TurnSpec, ...]:
        return self._in_order[index]

    @cached_property
    def _in_order(self) -> Mapping[int, tuple[TurnSpec, ...]]:
        """The turns of every record by its position, drawn one after another from one stream.

        A malformed record draws nothing; it becomes an error when its sample is made.
        """
        assert self._options is not None
        rng, number = random.Random(self._options.random_seed), self._options.negative_opt_num
        turns = {}
        for index, record in enumerate(self.records):
            with suppress(KeyError, TypeError, ValueError):
                objects = voc2012.objects_of(record)
                wrong = WrongBoxes(objects, number, self._text, rng)
                turns[index] = voc2012.drawn_turns(objects, number, rng, wrong, tuple)
        return turns
