"""What the model is taught is true, and is asked in the words of the recipes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from tiny import wording

from chef.instruction.pools import load_pool
from chef.scenario.shapes.drawing import COLORS, SHAPES, Scene, draw_scene


def scenes(number: int) -> Iterator[tuple[Scene, random.Random]]:
    rng = random.Random(11)
    for _ in range(number):
        yield draw_scene(rng, "train"), rng


def count(scene: Scene, name: str) -> int:
    colors = [color for color in COLORS if color in name] or COLORS
    shapes = [shape for shape in SHAPES if shape in name] or SHAPES
    return sum(thing.color in colors and thing.shape in shapes for thing in scene.things)


def test_checklists_are_true_and_balanced() -> None:
    yes = 0
    for scene, rng in scenes(50):
        for name, answer in wording.checklist(scene, rng):
            assert (answer == "Yes") == (count(scene, name) > 0)
            yes += answer == "Yes"
    assert 0.4 < yes / 300 < 0.6


def test_a_census_is_true() -> None:
    for scene, rng in scenes(50):
        for name, answer in wording.census(scene, rng):
            assert int(answer) == count(scene, name)


@pytest.mark.parametrize("layout", [r"\(([A-D])\) (\w+)", r"\n([A-D])\. (\w+)"])
def test_a_letter_stands_for_its_choice(layout: str) -> None:
    rng, seen = random.Random(2), 0
    for _ in range(300):
        exchange = wording.lettered("What color?", ["red", "blue", "green", "purple"], 2, rng)
        listed = dict(re.findall(layout, exchange.prompt))
        letter = exchange.answer.strip("()")[0]
        if listed:
            seen += 1
            assert listed[letter] == "green"
            assert exchange.answer in ("(C) green", "C")
    assert seen > 20


def test_examples_can_answer_with_the_letter_alone() -> None:
    assert wording.Exchange("", "", "(B) blue").letter_only().answer == "(B)"
    assert wording.Exchange("", "", "blue").letter_only().answer == "blue"


def test_every_wording_of_the_pools_is_practised() -> None:
    rng = random.Random(3)
    asked = [wording.vqa("Q", "a", rng) for _ in range(400)]
    prompts = {prompt.format(question="Q") for prompt in load_pool("VQA").prompts}
    assert {exchange.prompt for exchange in asked} == prompts
    begun = {template.removesuffix("{option}") for template in load_pool("VQA").templates}
    assert {exchange.given for exchange in asked} == begun
    digits = [wording.digit_exchange(7, rng, "label") for _ in range(800)]
    coarse = load_pool("coarse_grained_classification")
    assert {exchange.prompt for exchange in digits} == set(coarse.prompts)
    assert {exchange.answer for exchange in digits} == {"7"}


def test_thoughts_end_in_the_answer_or_come_before_it() -> None:
    thought = 0
    for scene, rng in scenes(300):
        exchange = wording.scene_exchange(scene, rng, "think")
        if wording.TRIGGER in exchange.prompt:
            thought += 1
            assert exchange.prompt.endswith(f"\n{wording.TRIGGER}")
            assert re.match(r"There is .+\. The answer is .+", exchange.answer)
        else:
            assert exchange.given.startswith("There is ")
    assert thought > 80


def test_boxes_are_written_with_two_decimals() -> None:
    assert wording.box_text((0, 0.126, 0.5, 1)) == "[0.00, 0.13, 0.50, 1.00]"
