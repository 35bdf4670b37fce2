"""Jobs and inferencers for tests of the engine."""

from __future__ import annotations

from functools import partial
from typing import Any

from fakes import Numbers

from chef.engine.engine import Job
from chef.inferencer import INFERENCERS, Inferencer, Program
from chef.inferencer.base import Answer
from chef.instruction import Instruction
from chef.types import Generate, Sample, Score, Text, Turn

INSTRUCTION = Instruction("VQA")


class TwoSteps(Inferencer):
    """Thinks first, then chooses: two requests a sample, of different kinds."""

    def infer(self, sample: Sample) -> Program:
        turn = Turn("user", (Text(sample.question),))
        thought = yield Generate((turn,), max_new_tokens=4, seed=self.sample_seed(sample))
        again = Turn("user", (Text(sample.question + thought.text),))
        scored = yield from _score(again, sample)
        best = max(range(len(scored)), key=lambda index: scored[index].mean)
        return Answer(sample.options[best], scores={"choice": best}, trace={"CoT": thought.text})


def _score(turn: Turn, sample: Sample) -> Any:
    return (yield Score((turn,), sample.options))


def jobs(scenario: Numbers, order: list[int] | None = None) -> list[Job]:
    indices = order if order is not None else list(range(len(scenario)))
    return [
        Job(scenario.sample_id(index), partial(scenario.__getitem__, index)) for index in indices
    ]


def inferencer(name: str) -> Inferencer:
    return TwoSteps(INSTRUCTION) if name == "two" else INFERENCERS.get(name)(INSTRUCTION)
