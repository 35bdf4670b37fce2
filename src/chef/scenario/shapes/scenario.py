"""Shapes: coloured shapes drawn on the fly. Needs no files, and never runs out of samples."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

from chef.common.seeding import sample_rng
from chef.errors import ConfigError
from chef.image import Image
from chef.scenario.base import Scenario
from chef.scenario.parts.section import check_name
from chef.scenario.shapes.drawing import (
    COLORS,
    MAX_OBJECTS,
    SHAPES,
    Scene,
    Split,
    draw_scene,
    render,
)
from chef.scenario.shapes.questions import ASKERS, Question
from chef.scenario.shapes.turns import NEGATIVES, free_turns, label_turns, scored_turns
from chef.types import Sample, TurnSpec


@dataclass(frozen=True, slots=True)
class _Kind:
    """What one task of Shapes means to the rest of a recipe."""

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
#: What can be asked in turns, and the score of guessing when the turns have options. Each turn on
#: detection is a guess of its own; a level of a class counts only if the levels above it are right.
_GUESSED = 1 / (NEGATIVES + 1)
_TURNS = {"detection": _GUESSED, "classification": (_GUESSED + _GUESSED**2) / 2}


#: Tasks whose answer is written where ``ppl`` is false; the others always have options.
_WRITTEN = ("caption", "classification")
#: Samples to choose in-context examples from.
POOL_SIZE = 1000


class Shapes(Scenario):
    """Coloured shapes on a 3 x 3 grid, 72 x 72 pixels.

    Args:
        task: ``mcq`` four lettered options about colour, shape, number or presence; ``yesno``
            presence, half of it false, with colours and shapes swapped; ``counting``; ``color``
            and ``shape`` of the one object that has the other; ``caption``; ``detection``;
            ``classification`` of the only object.
        split: ``train`` taught the embedded model, ``pool`` is for in-context examples. No scene
            is in two splits.
        size: the number of samples.
        seed: another seed, other samples (of the same split).
        ppl: give captions and turns their options (one right, three wrong).
        multi_turn: ask in turns. ``detection``: with ``ppl`` one for each class that is there and
            one for each box, with options; without it what is there, then where each class is.
            ``classification``: the shape, then the colour and shape.
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
            raise ConfigError(f"size is {size}", mend="give the number of samples, 0 or more")
        if multi_turn and task not in _TURNS:
            raise ConfigError(
                f"task '{task}' of Shapes has one turn",
                where="scenario_cfg.multi_turn",
                mend=f"multi_turn goes with {' and '.join(_TURNS)}",
            )
        kind = _KINDS[task]
        self.task, self.metric, self.random_accuracy = kind.pool, kind.metric, kind.random_accuracy
        self.kind, self.split, self.size, self.seed, self.ppl = task, split, size, seed, ppl
        self.multi_turn = multi_turn
        if multi_turn:
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
        scene, question = self.draw(index)
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

    def draw(self, index: int) -> tuple[Scene, Question]:
        """Scene and question of sample ``index``: scenes without a clear question are redrawn."""
        rng = sample_rng(self.seed, "Shapes", self.kind, self.split, index)
        while True:
            scene = draw_scene(rng, self.split)
            question = ASKERS[self.kind](scene, rng)
            if question is not None:
                return scene, question

    def _turns(self, index: int, scene: Scene, options: tuple[str, ...]) -> tuple[TurnSpec, ...]:
        """From a stream of their own: the scenes are those of the single turn."""
        rng = sample_rng(self.seed, "Shapes turns", self.split, index)
        if self.kind == "classification":
            return label_turns(scene, options, rng)
        return scored_turns(scene, rng) if self.ppl else free_turns(scene)
