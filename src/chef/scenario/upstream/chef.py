"""Scenarios with the questions, options and subsets of ChEF's own code, where these differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import ClassVar

from chef.common.options import letters
from chef.errors import SampleError
from chef.scenario import flickr30k, mmbench, scienceqa, seedbench, voc2012, winoground, yes_no
from chef.scenario.base import Scenario
from chef.scenario.parts import box_turns, robustness
from chef.scenario.parts.box_turns import GRID, Template, box_writer, kosmos
from chef.scenario.records.files import Record
from chef.scenario.shapes.drawing import Box
from chef.types import TurnSpec

#: ``top_similarity``: the number of similar captions that the wrong options are taken from.
NEIGHBOURS = 20


class Flickr30k(flickr30k.Flickr30k):
    """The seed is always 0, and one random stream runs through the whole data set.

    Wrong captions may be equal to each other, and to captions of the image; the latter count as
    right when they are chosen.
    """

    def _choices(self, image: int, sentences: list[str]) -> tuple[list[str], int | list[int]]:
        options, right = super()._choices(image, sentences)
        if isinstance(right, int):
            places = [place for place, option in enumerate(options) if option in sentences]
            right = places if len(places) > 1 else right
        return options, right

    def _most_alike(self, image: int) -> list[str]:
        own, near = self._captions.own(image), self._captions.nearest_to_any(image, flickr30k.PAIRS)
        found = [other for other in near if other not in own]
        return [self._captions.texts[other] for other in found[: flickr30k.TOP_P]]

    def _drawn(
        self,
        image: int,
        sentences: list[str],  # noqa: ARG002
        keys: flickr30k.Negatives,
    ) -> tuple[list[str], str]:
        wrong, row = self._in_order[image]
        if keys.strategy == "top_similarity":
            own = self._captions.own(image)
            found = [other for other in self._captions.nearest(row, NEIGHBOURS) if other not in own]
            wrong = found[: keys.negative_opt_num]
        return [self._captions.texts[other] for other in wrong], self._captions.texts[row]

    @cached_property
    def _in_order(self) -> list[tuple[list[int], int]]:
        """The wrong captions of each image and the right one, by their positions."""
        assert self._options is not None
        rng, captions = random.Random(0), self._captions
        drawn = []
        for image in range(len(self.records)):
            own = list(captions.own(image))
            wrong: list[int] = []
            if self._options.strategy == "random":
                rows = first_removed(captions.texts, [captions.texts[row] for row in own])
                rng.shuffle(rows)
                wrong = rows[: self._options.negative_opt_num]
            rng.shuffle(own)
            drawn.append((wrong, own[0] if own else 0))
        return drawn


def first_removed(texts: list[str], taken: list[str]) -> list[int]:
    """The positions of ``texts``, without the first one that equals each of ``taken``.

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


class Ungrouped(Scenario):
    """Its samples belong to no groups, so a subset may break up those that are scored together."""

    def group(self, index: int) -> str | None:  # noqa: ARG002
        return None


class CorruptedQuestions(robustness.CorruptedQuestions):
    """A record belongs to the sample at the same position, whatever its id and its choices."""

    def position(self, name: str, place: int) -> int:  # noqa: ARG002
        return place

    def check_choices(self, at: int, corrupted: Sequence[str], clean: Sequence[str]) -> None:
        """Accept any number of choices."""


class ScienceQA(scienceqa.ScienceQA):
    """White space stays as in the file, and a question with options ends with a line break.

    Corrupted questions are matched by position.
    """

    corrupted_questions: ClassVar[type[CorruptedQuestions]] = CorruptedQuestions

    def _worded(self, asked: str, listed: str) -> str:
        text = f"Question: {asked}"
        return text if self._generative else f"{text}Options:{listed}\n"

    def _mapped(self, text: str, request: str) -> str:
        return f"{text}{request}\n"


class MMBench(Ungrouped, mmbench.MMBench):
    """A question ends with a line break, which separates it from the suffix of the prompt.

    White space stays as in the file. Corrupted questions have no such end, and are matched by
    position. A subset may break up the rotations of a question.
    """

    corrupted_questions: ClassVar[type[CorruptedQuestions]] = CorruptedQuestions

    def _question(self, cells: Mapping[str, str], choices: Mapping[str, str]) -> str:
        question = super()._question(cells, choices)
        return question if self._generative else f"{question}\n"

    def _shown(self, cell: str) -> str:
        return cell

    def _mapped(self, question: str, request: str) -> str:
        return f"{super()._mapped(question, request)}\n"

    def _answer(self, correct: int, options: Sequence[str], texts: Sequence[str]) -> str:
        if self._ppl is not None and self._map is None:
            return f"({letters(26)[correct]})"  # also where the texts of the options are scored
        return super()._answer(correct, options, texts)

    def _reworded(self, query: str, labels: Sequence[str]) -> str:
        if self._generative:
            return super()._reworded(query, labels)
        for label in labels:
            query = query.replace(f" ({label})", f"\n({label})")
        return query


class MME(Ungrouped, yes_no.MME):
    """A subset may break up the two questions on an image."""


class SEEDBench(seedbench.SEEDBench):
    """The four options are as in the file: with white space around them, and also if empty."""

    def choices(self, record: Record) -> dict[str, str]:
        return {letter: str(record[f"choice_{letter.lower()}"]) for letter in letters(4)}


class Winoground(Ungrouped, winoground.Winoground):
    """A subset may break up the questions of an example."""
