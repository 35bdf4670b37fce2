"""Detection in turns: what is there, then where it is.

The order of ChEF's VOC2012: the turns about classes first, then those about places.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from chef.metric.detection import iou
from chef.scenario.drawing import Box, Scene
from chef.scenario.scene_questions import absent_labels, article
from chef.types import TurnSpec

#: Wrong options of every scored turn.
NEGATIVES = 3
#: A wrong box overlaps every true box of its class by at most this IoU.
MOST_OVERLAP = 0.5


def free_turns(scene: Scene) -> tuple[TurnSpec, ...]:
    """What there is, then where each class is, in the order in which the classes first appear."""
    labels = _classes(scene)
    where = [
        TurnSpec(
            1,
            label,
            truth=[box_text(box) for box in _boxes(scene, label)],
            prefix_from=0,
            each=True,
        )
        for label in labels
    ]
    return (TurnSpec(0, truth=labels), *where)


def scored_turns(scene: Scene, rng: random.Random) -> tuple[TurnSpec, ...]:
    """A turn for every class with three that are absent, then one for every box with three wrong.

    Options are shuffled: the place of the right one says nothing.
    """
    labels = _classes(scene)
    turns = []
    for label in labels:
        wrong = [article(other) for other in absent_labels(scene, rng, NEGATIVES)]
        turns.append(TurnSpec(0, "", _shuffled([article(label), *wrong], rng), article(label)))
    for number, label in enumerate(labels):
        for box in _boxes(scene, label):
            wrong = wrong_boxes(scene, label, rng)
            options = _shuffled([box_text(box), *wrong], rng)
            turns.append(TurnSpec(1, label, options, box_text(box), prefix_from=number))
    return tuple(turns)


def box_text(box: Box) -> str:
    """A box in the words the embedded model was taught.

    >>> box_text((0.1, 0.4, 0.305, 0.58))
    '[0.10, 0.40, 0.30, 0.58]'
    """
    return f"[{', '.join(f'{edge:.2f}' for edge in box)}]"


def wrong_boxes(scene: Scene, label: str, rng: random.Random) -> list[str]:
    """Three different boxes that are not where any object of the class is, near other objects.

    Boxes of the image are moved by up to half their size and scaled by 0.5 to 1.5, as in ChEF;
    every box of the image serves once a round. Where that gives too few (a lone object), boxes
    are drawn at random.
    """
    truth = [_rounded(box) for box in _boxes(scene, label)]
    found = {
        box_text(box)
        for thing in scene.things
        for box in (_moved(thing.box, rng) for _ in range(NEGATIVES))
        if _is_wrong(box, truth)
    }
    wrong = sorted(found)
    rng.shuffle(wrong)
    while len(wrong) < NEGATIVES:
        box = _any_box(rng)
        if _is_wrong(box, truth) and box_text(box) not in wrong:
            wrong.append(box_text(box))
    return wrong[:NEGATIVES]


def _is_wrong(box: Box, truth: Sequence[Box]) -> bool:
    """Judged as it is written, in hundredths: rounding must not make a wrong box right."""
    x1, y1, x2, y2 = shown = _rounded(box)
    return x1 < x2 and y1 < y2 and all(iou(shown, other) <= MOST_OVERLAP for other in truth)


def _moved(box: Box, rng: random.Random) -> Box:
    width, height = box[2] - box[0], box[3] - box[1]
    x = (box[0] + box[2]) / 2 + rng.uniform(-width / 2, width / 2)
    y = (box[1] + box[3]) / 2 + rng.uniform(-height / 2, height / 2)
    return _around(x, y, width * rng.uniform(0.5, 1.5), height * rng.uniform(0.5, 1.5))


def _any_box(rng: random.Random) -> Box:
    return _around(rng.random(), rng.random(), rng.random(), rng.random())


def _around(x: float, y: float, width: float, height: float) -> Box:
    """The box of that centre and size, clipped to the picture."""
    x1, x2 = max(0.0, x - width / 2), min(1.0, x + width / 2)
    y1, y2 = max(0.0, y - height / 2), min(1.0, y + height / 2)
    return x1, y1, x2, y2


def _rounded(box: Box) -> Box:
    x1, y1, x2, y2 = (round(edge, 2) for edge in box)
    return x1, y1, x2, y2


def _classes(scene: Scene) -> list[str]:
    return list(dict.fromkeys(scene.labels))


def _boxes(scene: Scene, label: str) -> list[Box]:
    return [thing.box for thing in scene.things if thing.label == label]


def _shuffled(options: list[str], rng: random.Random) -> tuple[str, ...]:
    rng.shuffle(options)
    return tuple(options)
