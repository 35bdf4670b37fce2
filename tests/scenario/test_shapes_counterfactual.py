"""Scenes with one object changed: what is right there, and what stayed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from chef.config import load_recipe
from chef.errors import ConfigError, SampleError
from chef.method import METHODS
from chef.method.base import with_method
from chef.scenario.shapes.counterfactual import counterfactual, right_option
from chef.scenario.shapes.drawing import Scene, Thing, split_of
from chef.scenario.shapes.questions import ShapesQuestion
from chef.scenario.shapes.scenario import Shapes
from chef.types import Sample

TASKS = ("mcq", "yesno", "counting", "color", "shape")


def scene(*things: tuple[int, str, str]) -> Scene:
    return Scene(
        tuple(Thing(cell, color, shape, 12.0, 12.0, 8.0) for cell, color, shape in things),
        (240, 240, 240),
    )


def question(text: str, category: str, *choices: str) -> ShapesQuestion:
    return ShapesQuestion(text, choices, choices[0], {"choices": [*choices], "gt_choice": 0,
                                                "category": category})  # fmt: skip


RED_STAR, BLUE_STAR, RED_CROSS = (0, "red", "star"), (4, "blue", "star"), (8, "red", "cross")


@pytest.mark.parametrize(
    ("things", "asked", "right"),
    [
        ([RED_STAR, RED_CROSS], question("What color is the star?", "color", "blue", "red"), 1),
        ([RED_STAR, BLUE_STAR], question("What color is the star?", "color", "blue", "red"), None),
        ([RED_STAR], question("What color is the star?", "color", "blue", "green"), None),
        ([BLUE_STAR, RED_CROSS], question("What shape is the red object?", "shape", "cross"), 0),
        ([RED_STAR, RED_CROSS], question("How many red objects are there?", "count", "1", "2"), 1),
        ([RED_STAR, RED_CROSS], question("How many red crosses are there?", "count", "1", "2"), 0),
        ([RED_STAR, BLUE_STAR], question("How many objects can you see?", "count", "2", "3"), 0),
        ([RED_STAR], question("Is there a red cross in the image?", "yesno", "Yes", "No"), 1),
        ([RED_CROSS], question("Can you see a red object?", "yesno", "Yes", "No"), 0),
        ([RED_STAR], question("Which object is here?", "object", "a blue star", "a red star"), 1),
        ([RED_STAR, BLUE_STAR],
         question("Which object is here?", "object", "a blue star", "a red star"), None),
    ],
)  # fmt: skip
def test_the_right_option_of_any_scene(
    things: list[tuple[int, str, str]], asked: ShapesQuestion, right: int | None
) -> None:
    assert right_option(scene(*things), asked) == right


@pytest.mark.parametrize("task", TASKS)
def test_it_is_the_option_that_shapes_itself_says(task: str) -> None:
    scenario = Shapes(task=task)  # type: ignore[arg-type]
    for index in range(100):
        drawn, asked = scenario.draw(index)
        assert right_option(drawn, asked) == asked.fields["gt_choice"]


@pytest.mark.parametrize("task", TASKS)
def test_one_object_differs_and_another_option_is_right(task: str) -> None:
    plain = Shapes(task=task)  # type: ignore[arg-type]
    other = with_method(plain, METHODS.get("counterfactual")("counterfactual"))
    changed = 0
    for index in range(60):
        before = plain[index]
        try:
            after = other[index]
        except SampleError:
            continue
        changed += 1
        assert (after.id, after.question, after.options) == (
            before.id, before.question, before.options,
        )  # fmt: skip
        assert after.fields["choices"] == before.fields["choices"]
        assert after.fields["gt_choice"] != before.fields["gt_choice"]
        assert after.answer != before.answer
        assert type(after.answer) is type(before.answer)
        assert not np.array_equal(pixels(after), pixels(before))
    assert changed > 40


def test_no_scene_was_trained_on_and_draws_are_those_of_the_sample() -> None:
    scenario = Shapes(task="color")
    for index in range(30):
        drawn, asked = scenario.draw(index)
        pair = counterfactual(drawn, asked, random.Random(index), "test")
        assert pair is not None
        things = {*drawn.things} ^ {*pair[0].things}
        assert 1 <= len(things) <= 2
        assert split_of(pair[0].content) != "train"
        assert pair == counterfactual(drawn, asked, random.Random(index), "test")


def test_a_scene_without_another_answer() -> None:
    """A count that no option has after any change."""
    asked = question("How many objects are there?", "count", "2", "5", "6", "0")
    found = counterfactual(scene(RED_STAR, BLUE_STAR), asked, random.Random(0), "test")
    assert found is None


def test_what_has_no_other_option_is_refused() -> None:
    with pytest.raises(ConfigError, match="'caption' of Shapes has no other option"):
        Shapes(task="caption").counterfactual(0)
    with pytest.raises(ConfigError, match="Digits cannot be drawn again"):
        load_recipe("Digits/ppl", ["scenario_cfg.method_cfg={counterfactual: {}}"]).scenario.build()


def pixels(sample: Sample) -> np.ndarray:
    return np.asarray(sample.images[0].view())
