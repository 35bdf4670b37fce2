"""Detection in turns, in the order of ChEF: first the classes in an image, then their boxes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from chef.common.boxes import iou
from chef.common.options import article
from chef.scenario.shapes.drawing import Box
from chef.types import TurnSpec

Template: TypeAlias = Literal["default", "shikra", "kosmos"]

#: The number of patches along each side of an image of Kosmos-2.
GRID = 32


def box_writer(template: Template) -> Callable[[str, Box], str]:
    """The function that writes a box of a class in the style of ``template``."""
    if template == "default":
        return lambda _, box: default(box)
    if template == "shikra":
        return shikra
    return lambda _, box: kosmos(box)


def default(box: Box) -> str:
    """Numbers with two decimals, or one if the second is 0.

    >>> default((0.0, 0.5, 0.123, 1.0))
    '[0.0, 0.5, 0.12, 1.0]'
    """
    edges = (f"{edge:.2f}" for edge in box)
    return f"[{', '.join(edge.removesuffix('0') for edge in edges)}]"


def shikra(label: str, box: Box) -> str:
    """The class, then numbers with three decimals.

    >>> shikra("dog", (0.0, 0.5, 0.1234, 1.0))
    'dog[0.000,0.500,0.123,1.000]'
    """
    return f"{label}[{','.join(f'{edge:.3f}' for edge in box)}]"


def kosmos(box: Box, last: int = GRID - 1) -> str:
    """The patches that contain the top left and the bottom right corner.

    Args:
        box: in fractions of the image.
        last: the largest column and row of a patch.

    >>> kosmos((0.0, 0.5, 0.5, 1.0))
    '<object><patch_index_0512><patch_index_1008></object>'
    """

    def patch(x: float, y: float) -> str:
        column, row = min(last, int(x * GRID)), min(last, int(y * GRID))
        return f"<patch_index_{row * GRID + column:04d}>"

    return f"<object>{patch(*box[:2])}{patch(*box[2:])}</object>"


#: The objects in an image, each as a class and a box in fractions of the image.
Objects = Sequence[tuple[str, Box]]
#: The largest IoU of a wrong box with any true box of its class.
MOST_OVERLAP = 0.5


def free_turns(objects: Objects, text: Callable[[str, Box], str]) -> tuple[TurnSpec, ...]:
    """A turn that asks for the classes, then one for each, by first object, for its boxes."""
    labels = classes(objects)
    where = [
        TurnSpec(
            1,
            label,
            truth=[text(label, box) for box in boxes(objects, label)],
            prefix_from=0,
            each=True,
        )
        for label in labels
    ]
    return (TurnSpec(0, truth=labels), *where)


def scored_turns(
    objects: Objects,
    text: Callable[[str, Box], str],
    wrong_classes: Callable[[], Sequence[str]],
    wrong_boxes: Callable[[str], Sequence[str]],
    arrange: Callable[[list[str]], tuple[str, ...]],
) -> tuple[TurnSpec, ...]:
    """A turn for every class, then one for every box, each with its options, the right one first
    until ``arrange``. ``wrong_boxes`` draws boxes, as text, that match no object of the class.
    """
    labels = classes(objects)
    turns = []
    for label in labels:
        nouns = [article(label), *map(article, wrong_classes())]
        turns.append(TurnSpec(0, "", arrange(nouns), article(label)))
    for number, label in enumerate(labels):
        for box in boxes(objects, label):
            right = text(label, box)
            options = arrange([right, *wrong_boxes(label)])
            turns.append(TurnSpec(1, label, options, right, prefix_from=number))
    return tuple(turns)


def classes(objects: Objects) -> list[str]:
    """Each class once, in the order of their first objects."""
    return list(dict.fromkeys(label for label, _ in objects))


def boxes(objects: Objects, label: str) -> list[Box]:
    """The boxes of a class."""
    return [box for other, box in objects if other == label]


def apart(box: Box, others: Sequence[Box]) -> bool:
    """Whether ``box`` has an area and overlaps each of ``others`` by at most `MOST_OVERLAP`."""
    x1, y1, x2, y2 = box
    return x1 < x2 and y1 < y2 and all(iou(box, other) <= MOST_OVERLAP for other in others)


def moved(box: Box, rng: random.Random) -> Box:
    """``box`` moved by up to half its size along each axis, its sides scaled by 0.5 to 1.5."""
    width, height = box[2] - box[0], box[3] - box[1]
    x = (box[0] + box[2]) / 2 + rng.uniform(-width / 2, width / 2)
    y = (box[1] + box[3]) / 2 + rng.uniform(-height / 2, height / 2)
    return around(x, y, width * rng.uniform(0.5, 1.5), height * rng.uniform(0.5, 1.5))


def any_box(rng: random.Random) -> Box:
    """A box with a random centre and size."""
    return around(rng.random(), rng.random(), rng.random(), rng.random())


def shuffled(options: list[str], rng: random.Random) -> tuple[str, ...]:
    """The options in random order; the list itself is shuffled too."""
    rng.shuffle(options)
    return tuple(options)


def around(x: float, y: float, width: float, height: float) -> Box:
    """The box with that centre and size, clipped to the image."""
    x1, x2 = max(0.0, x - width / 2), min(1.0, x + width / 2)
    y1, y2 = max(0.0, y - height / 2), min(1.0, y + height / 2)
    return x1, y1, x2, y2


def level_turns(chain: Sequence[str], options: Sequence[tuple[str, ...]]) -> tuple[TurnSpec, ...]:
    """A turn for each level; its prefix is the class of the level above."""
    return tuple(
        TurnSpec(
            1 if level else 0,
            chain[level - 1] if level else "",
            options[level] if options else (),
            label,
            prefix_from=level - 1 if level else None,
        )
        for level, label in enumerate(chain)
    )
