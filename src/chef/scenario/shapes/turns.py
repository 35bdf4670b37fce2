"""The turns of a scene of shapes; options are shuffled, so that their order has no meaning."""

from __future__ import annotations

import random
from functools import partial

from chef.scenario.parts import box_turns
from chef.scenario.parts.level_turns import level_turns
from chef.scenario.shapes.drawing import SHAPES, Box, Scene
from chef.scenario.shapes.questions import absent_labels
from chef.types import TurnSpec

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
    """The shape of the only object, then its colour and shape.

    Args:
        scene: has one object.
        options: the options of the second turn; empty for turns without options.
        rng: the random stream for the options of the first turn.
    """
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
    """Three different wrong boxes for a class, near the objects of the scene.

    Every box of the image is moved and scaled three times at random. If too few of the results are
    wrong (as with a single object), boxes are drawn anywhere.
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
