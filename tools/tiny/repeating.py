"""The same question about several scenes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from chef.scenario.shapes import questions as ask
from chef.scenario.shapes.drawing import COLORS, SHAPES, Scene, draw_scene, split_of

#: A scene, the question and the true answer.
AskedScene = tuple[Scene, str, str]
LABELS = tuple(f"{color} {shape}" for color in COLORS for shape in SHAPES)


def repeated(rng: random.Random, number: int) -> tuple[str, list[AskedScene]]:
    """A question about ``number`` scenes, and its kind."""
    kind = rng.choices(("yesno", "count", "color", "shape"), (5, 3, 1, 1))[0]
    makers = {"yesno": _yesno, "count": _count, "color": _color, "shape": _shape}
    return kind, makers[kind](rng, number)


def scene_where(rng: random.Random, wanted: Callable[[Scene], bool]) -> Scene:
    """A random scene of the train split for which ``wanted`` is true."""
    while True:
        scene = draw_scene(rng, "train")
        if wanted(scene):
            return scene


def single_thing(rng: random.Random, label: str) -> Scene:
    """A scene of the train split with a single object of a label like ``red star``."""
    color, shape = label.split()
    while True:
        scene = draw_scene(rng, "train")
        thing = replace(rng.choice(scene.things), color=color, shape=shape)
        alone = Scene((thing,), scene.ground)
        if split_of(alone.content) == "train":
            return alone


def number_of(noun: str, scene: Scene) -> int:
    """How many objects of a scene are a ``red star``, ``red object``, ``star`` or ``object``."""
    return sum(
        noun in (thing.label, thing.shape, f"{thing.color} object", "object")
        for thing in scene.things
    )


def _yesno(rng: random.Random, number: int) -> list[AskedScene]:
    noun = _noun(rng, (6, 2, 2, 0))
    question = rng.choice(ask.YESNO_WORDING).format(thing=ask.article(noun))
    asked = []
    for _ in range(number):
        if rng.random() < 0.5:
            scene, answer = scene_where(rng, lambda scene: number_of(noun, scene) > 0), "Yes"
        else:
            scene, answer = scene_where(rng, lambda scene: number_of(noun, scene) == 0), "No"
        asked.append((scene, question, answer))
    return asked


def _count(rng: random.Random, number: int) -> list[AskedScene]:
    noun = _noun(rng, (1, 3, 3, 3))
    question = rng.choice(ask.COUNT_WORDING).format(things=ask.plural(noun))
    scenes = []
    for _ in range(number):
        # Most scenes have none or one of them. Half of the time, the scene with most of three is
        # taken.
        drawn = [draw_scene(rng, "train") for _ in range(rng.choice((1, 3)))]
        scenes.append(max(drawn, key=lambda scene: number_of(noun, scene)))
    return [(scene, question, str(number_of(noun, scene))) for scene in scenes]


def _color(rng: random.Random, number: int) -> list[AskedScene]:
    shape = rng.choice(SHAPES)
    question = rng.choice(ask.COLOR_WORDING).format(thing=shape)
    scenes = [scene_where(rng, lambda scene: number_of(shape, scene) == 1) for _ in range(number)]
    return [
        (scene, question, next(thing.color for thing in scene.things if thing.shape == shape))
        for scene in scenes
    ]


def _shape(rng: random.Random, number: int) -> list[AskedScene]:
    color = rng.choice(tuple(COLORS))
    noun = f"{color} object"
    question = rng.choice(ask.SHAPE_WORDING).format(thing=color)
    scenes = [scene_where(rng, lambda scene: number_of(noun, scene) == 1) for _ in range(number)]
    return [
        (scene, question, next(thing.shape for thing in scene.things if thing.color == color))
        for scene in scenes
    ]


def _noun(rng: random.Random, weights: tuple[int, int, int, int]) -> str:
    """A noun for objects of one colour and shape, one colour, one shape, or any, by weight."""
    color, shape = rng.choice(LABELS).split()
    return rng.choices((f"{color} {shape}", f"{color} object", shape, "object"), weights)[0]
