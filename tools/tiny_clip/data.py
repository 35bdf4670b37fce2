"""Batches of captioned pictures and of questions in two wordings, from the train splits."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from chef.scenario import digits
from chef.scenario.shapes import questions as scene_questions
from chef.scenario.shapes.drawing import Scene, draw_scene, render
from chef.scenario.shapes.questions import ASKERS, CAPTION_WORDING, ShapesQuestion, caption_text

if TYPE_CHECKING:
    import numpy as np

#: Kinds of questions whose wording varies.
ASKED = ("mcq", "color", "shape", "yesno", "counting")
WORDINGS = (
    scene_questions.COLOR_WORDING,
    scene_questions.SHAPE_WORDING,
    scene_questions.COUNT_WORDING,
    scene_questions.WHICH_WORDING,
    scene_questions.YESNO_WORDING,
)
DIGIT_WORDING = (
    "A handwritten {}.",
    "The handwritten digit {}.",
    "The number {}.",
    "A picture of the digit {}.",
    "This is a {}.",
)
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


@dataclass(frozen=True, slots=True)
class ClipBatch:
    """The batch of one step.

    Attributes:
        pictures: ``[n, side, side, 3]`` uint8, scenes first.
        scenes: how many of them are scenes; the others are digits.
        captions: the caption of each picture.
        meanings: for each picture, a text that is equal for two whose captions mean the same.
        questions, paraphrases: pairs of questions that mean the same, mostly in different words.
        intents: for each pair, a text that is equal for two that ask the same.
        seed: random seed of the distortions.
    """

    pictures: np.ndarray
    scenes: int
    captions: list[str]
    meanings: list[str]
    questions: list[str]
    paraphrases: list[str]
    intents: list[str]
    seed: int


@cache
def train_scans() -> list[tuple[bytes, int]]:
    """The scans of the train split, each with its digit."""
    return [scan for scan in digits.load_scans() if digits.split_of(scan[0]) == "train"]


def draw_batch(seed: int, step: int, scenes: int, pages: int) -> ClipBatch:
    """Batch number ``step`` of a run."""
    import numpy as np

    rng = random.Random(f"clip {seed} {step}")
    drawn = [draw_scene(rng, "train") for _ in range(scenes)]
    scans = [rng.choice(train_scans()) for _ in range(pages)]
    pictures = [render(scene) for scene in drawn] + [digits.render(scan) for scan, _ in scans]
    questions = [_question(scene, rng) for scene in drawn]
    asked = [spellings(question) for question in questions if question is not None]
    labels = [label for _, label in scans]
    return ClipBatch(
        np.stack([np.asarray(picture) for picture in pictures]),
        scenes,
        [_scene_caption(scene, rng) for scene in drawn]
        + [_digit_caption(label, rng) for label in labels],
        [" ".join(sorted(scene.labels)) for scene in drawn] + [str(label) for label in labels],
        [rng.choice(same) for same in asked],
        [rng.choice(same) for same in asked],
        [same[0] for same in asked],
        rng.randrange(2**31),
    )


def corpus(rng: random.Random, number: int) -> Iterator[str]:
    """Text to train the tokenizer on: captions and questions."""
    for _ in range(number):
        scene = draw_scene(rng, "train")
        yield _scene_caption(scene, rng)
        yield _digit_caption(rng.randrange(10), rng)
        question = _question(scene, rng)
        if question is not None:
            yield question


def _scene_caption(scene: Scene, rng: random.Random) -> str:
    return caption_text(scene.labels, rng.choice(CAPTION_WORDING))


def _digit_caption(label: int, rng: random.Random) -> str:
    return rng.choice(DIGIT_WORDING).format(rng.choice((str(label), NUMBERS[label])))


def _question(scene: Scene, rng: random.Random) -> str | None:
    asker: Callable[[Scene, random.Random], ShapesQuestion | None] = ASKERS[rng.choice(ASKED)]
    question = asker(scene, rng)
    return None if question is None else question.text


def spellings(text: str) -> list[str]:
    """The question in every wording of its kind, in the order of the wordings.

    >>> spellings("Can you see a red star?")[0]
    'Is there a red star in the image?'
    """
    for wording in WORDINGS:
        for known in wording:
            before, thing, after = known.partition("{") if "{" in known else (known, "", "")
            pattern = re.escape(before)
            if thing:
                after = after.partition("}")[2]
                pattern += f"([a-z ]+){re.escape(after)}"
            found = re.search(pattern, text)
            if found:
                named = found.group(1) if thing else ""
                said = [re.sub(r"\{\w+\}", named, other) for other in wording]
                return [text[: found.start()] + item + text[found.end() :] for item in said]
    return [text]
