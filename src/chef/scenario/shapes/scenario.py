"""Shapes: images of coloured shapes, drawn when they are needed; there are no data files."""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache, partial
from typing import Literal, get_args

from chef.common.seeding import sample_rng
from chef.errors import ConfigError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.scenario.base import Scenario, check_name
from chef.scenario.parts import box_turns
from chef.scenario.parts.box_turns import level_turns
from chef.scenario.shapes.counterfactual import ANSWERABLE, counterfactual
from chef.scenario.shapes.drawing import (
    COLORS,
    MAX_OBJECTS,
    SHAPES,
    Box,
    Scene,
    Split,
    draw_scene,
    render,
)
from chef.scenario.shapes.questions import ASKERS, ShapesQuestion, absent_labels
from chef.types import Sample, TurnSpec

#: The number of wrong options of every turn with options.
NEGATIVES = 3


def free_turns(scene: Scene) -> tuple[TurnSpec, ...]:
    """A turn that asks for the classes, then one for each class that asks for its boxes."""
    return box_turns.free_turns(_objects(scene), _text)


def scored_turns(scene: Scene, rng: random.Random) -> tuple[TurnSpec, ...]:
    """A turn for each class with three absent ones, then one for each box with three wrong ones."""
    return box_turns.scored_turns(
        _objects(scene),
        _text,
        wrong_classes=lambda: absent_labels(scene, rng, NEGATIVES),
        wrong_boxes=lambda label: wrong_boxes(scene, label, rng),
        arrange=partial(box_turns.shuffled, rng=rng),
    )


def label_turns(scene: Scene, options: tuple[str, ...], rng: random.Random) -> tuple[TurnSpec, ...]:
    """The shape of the only object, then its colour and shape, which may have options."""
    (thing,) = scene.things
    others = rng.sample([shape for shape in SHAPES if shape != thing.shape], NEGATIVES)
    shapes = box_turns.shuffled([thing.shape, *others], rng)
    return level_turns((thing.shape, thing.label), (shapes, options) if options else ())


def box_text(box: Box) -> str:
    """A box in the format that the embedded model was trained on.

    >>> box_text((0.1, 0.4, 0.305, 0.58))
    '[0.10, 0.40, 0.30, 0.58]'
    """
    return f"[{', '.join(f'{edge:.2f}' for edge in box)}]"


def wrong_boxes(scene: Scene, label: str, rng: random.Random) -> list[str]:
    """Three different wrong boxes for a class: every box of the image is moved and scaled three
    times at random, and where too few are wrong (as with a single object), boxes are drawn
    anywhere.
    """
    right = [_rounded(box) for box in box_turns.boxes(_objects(scene), label)]
    found = {
        box_text(box)
        for thing in scene.things
        for box in (box_turns.moved(thing.box, rng) for _ in range(NEGATIVES))
        if box_turns.apart(_rounded(box), right)
    }
    wrong = sorted(found)
    rng.shuffle(wrong)
    while len(wrong) < NEGATIVES:
        box = box_turns.any_box(rng)
        if box_turns.apart(_rounded(box), right) and box_text(box) not in wrong:
            wrong.append(box_text(box))
    return wrong[:NEGATIVES]


def _text(label: str, box: Box) -> str:
    del label
    return box_text(box)


def _rounded(box: Box) -> Box:
    """The box in hundredths, as it is written, because rounding must not make a wrong box right."""
    x1, y1, x2, y2 = (round(edge, 2) for edge in box)
    return x1, y1, x2, y2


def _objects(scene: Scene) -> list[tuple[str, Box]]:
    return [(thing.label, thing.box) for thing in scene.things]


class _Kind(Frozen):
    """The instruction pool, the metric and the chance of one task of Shapes."""

    pool: str
    metric: str
    random_accuracy: float | None


_KINDS = {
    "mcq": _Kind("VQA", "Accuracy", 1 / 4),
    "color": _Kind("VQA", "Accuracy", 1 / len(COLORS)),
    "shape": _Kind("VQA", "Accuracy", 1 / len(SHAPES)),
    "yesno": _Kind("POPE", "YesNo", 1 / 2),
    "counting": _Kind("counting", "Counting", 1 / (MAX_OBJECTS + 1)),
    "caption": _Kind("caption", "Caption", None),
    "detection": _Kind("detection", "Detection", None),
    "classification": _Kind("fine_grained_classification", "FG_Classification", 1 / 4),
}
#: The tasks with turns, and the score of guessing if the turns have options. Each turn of detection
#: is a separate guess; a level of a class counts only if the levels above it are right.
_GUESSED = 1 / (NEGATIVES + 1)
_TURNS = {"detection": _GUESSED, "classification": (_GUESSED + _GUESSED**2) / 2}


#: Tasks without options if ``ppl`` is false; the others always have options.
_WRITTEN = ("caption", "classification")
#: The number of samples that in-context examples are chosen from.
POOL_SIZE = 1000


@lru_cache(2048)
def _drawn(seed: int, kind: str, split: Split, index: int) -> tuple[Scene, ShapesQuestion]:
    """A sample's scene and question: a pool is read again for its vectors, and by each recipe."""
    rng = sample_rng(seed, "Shapes", kind, split, index)
    while True:
        scene = draw_scene(rng, split)
        question = ASKERS[kind](scene, rng)
        if question is not None:
            return scene, question


class Shapes(Scenario):
    """Coloured shapes on a 3 x 3 grid, 72 x 72 pixels.

    Args:
        task: the kind of question. ``mcq``: four lettered options about colour, shape, number or
            presence. ``yesno``: presence; half of the answers are no, for objects that mix the
            colours and shapes of the scene. ``counting``. ``color`` and ``shape``: of the only
            object with a given shape or colour. ``caption``. ``detection``. ``classification``: of
            the only object.
        split: the embedded model was trained on ``train``; ``pool`` is for in-context examples. No
            scene is in two splits.
        size: the number of samples.
        seed: the random seed of the samples.
        ppl: give options (one right, three wrong) to captions and turns.
        multi_turn: ask in turns. ``detection`` with ``ppl``: one for each class in the image and
            one for each box, with options. ``detection`` without it: one asks for the classes, then
            one for the boxes of each class. ``classification``: the shape, then the colour and
            shape.
    """

    name = "Shapes"

    def __init__(
        self,
        *,
        task: Literal[
            "mcq",
            "yesno",
            "counting",
            "color",
            "shape",
            "caption",
            "detection",
            "classification",
        ] = "mcq",
        split: Split = "test",
        size: int = 500,
        seed: int = 0,
        ppl: bool = True,
        multi_turn: bool = False,
    ) -> None:
        check_name("task", "Shapes", task, _KINDS)
        check_name("split", "Shapes", split, get_args(Split))
        if size < 0:
            raise ConfigError(f"size is {size}", hint="give the number of samples, 0 or more")
        if multi_turn and task not in _TURNS:
            raise ConfigError(
                f"task '{task}' of Shapes has one turn",
                where="scenario_cfg.multi_turn",
                hint=f"multi_turn needs the task {' or '.join(_TURNS)}",
            )
        kind = _KINDS[task]
        self.wording, self.metric, self.random_accuracy = (
            kind.pool,
            kind.metric,
            kind.random_accuracy,
        )
        self.kind, self.split, self.size, self.seed, self.ppl = task, split, size, seed, ppl
        self.multi_turn = multi_turn
        if multi_turn or (task in _WRITTEN and not ppl):
            self.random_accuracy = _TURNS[task] if ppl else None

    def pool(self) -> Shapes | None:
        if self.split == "pool":
            return None
        return Shapes(task=self.kind, split="pool", size=POOL_SIZE, seed=self.seed, ppl=self.ppl)

    def __len__(self) -> int:
        return self.size

    def sample_id(self, index: int) -> str:
        return f"{self.kind}-{self.split}-{self.seed}-{index}"

    def __getitem__(self, index: int) -> Sample:
        if not 0 <= index < self.size:
            raise IndexError(index)
        return self._sample(index, *self.draw(index))

    def _sample(self, index: int, scene: Scene, question: ShapesQuestion) -> Sample:
        options = question.options if self.ppl or self.kind not in _WRITTEN else ()
        name = self.sample_id(index)
        return Sample(
            id=name,
            images=(Image(partial(render, scene), name=name),),
            question=question.text,
            options=options,
            answer=question.answer,
            fields={**question.fields, "objects": list(scene.labels)},
            turns=self._turns(index, scene, options) if self.multi_turn else (),
            shown_answer=question.shown_answer,
        )

    def draw(self, index: int) -> tuple[Scene, ShapesQuestion]:
        """The scene and question of a sample; scenes without a clear question are redrawn."""
        scene, question = _drawn(self.seed, self.kind, self.split, index)
        # A caller may change these, and the question is kept for the next one.
        answer, fields = deepcopy(question.answer), deepcopy(question.fields)
        return scene, replace(question, answer=answer, fields=fields)

    def counterfactual(self, index: int) -> Sample:
        """A sample about its scene with one object changed, so that another option is right.

        Raises:
            ConfigError: the right answer to such questions is told of no other scene.
            SampleError: there is no such scene.
        """
        if self.kind not in ANSWERABLE or self.multi_turn:
            raise ConfigError(
                f"the right answer to '{self.kind}' of Shapes has no other option",
                where="scenario_cfg.task",
                hint=f"a counterfactual needs the task {', '.join(ANSWERABLE)}",
            )
        rng = sample_rng(self.seed, "Shapes counterfactual", self.kind, self.split, index)
        pair = counterfactual(*self.draw(index), rng, self.split)
        if pair is None:
            raise SampleError(
                "no scene that differs in one object has another right option",
                where=f"sample '{self.sample_id(index)}'",
                hint="it is left out; the other samples are asked",
            )
        return self._sample(index, *pair)

    def _turns(self, index: int, scene: Scene, options: tuple[str, ...]) -> tuple[TurnSpec, ...]:
        """The turns of a sample; their random stream is separate, so that turns change no scene."""
        rng = sample_rng(self.seed, "Shapes turns", self.split, index)
        if self.kind == "classification":
            return label_turns(scene, options, rng)
        return scored_turns(scene, rng) if self.ppl else free_turns(scene)
