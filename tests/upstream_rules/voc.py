"""The options of VOC2012 (sections 8.5 and 15)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from upstream_rules.boxes import Box, cal_iou

Group = tuple[str, Sequence[Box]]


def with_article(noun: str) -> str:
    """8.5: the noun with its indefinite article; right for the classes of VOC."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def voc_class_options(
    classes: Sequence[str],
    pool: Sequence[str],
    negatives: int,
    rng: random.Random,
    article: Callable[[str], str] = with_article,
) -> list[list[str]]:
    """8.5 and 15, classification turns: per class of the image, the class first.

    `pool` has the classes of the annotation file in order of first appearance. What is not in
    the image is shuffled in place for each class in turn.
    """
    rest = [name for name in pool if name not in classes]
    turns = []
    for gt in classes:
        rng.shuffle(rest)
        turns.append([article(name) for name in [gt, *rest[:negatives]]])
    return turns


def clipped(centre_x: float, centre_y: float, width: float, height: float) -> Box:
    """A box by centre and size, its corners clipped to the image."""
    x1, y1 = centre_x - width / 2, centre_y - height / 2
    x2, y2 = centre_x + width / 2, centre_y + height / 2
    corners = [min(max(value, 0.0), 1.0) for value in (x1, y1, x2, y2)]
    return corners[0], corners[1], corners[2], corners[3]


def voc_models(groups: Sequence[Group], label: str) -> list[Box]:
    """8.5 and 15: the boxes that wrong ones start from, those of the class twice (D21)."""
    # Open: 15 speaks of "all other boxes grouped by class", 8.5 and D21 of the class's boxes
    # listed twice. Here: its boxes, then every box of the image by class, its own again in
    # their place.
    own = [box for name, boxes in groups if name == label for box in boxes]
    every = [box for _, boxes in groups for box in boxes]
    return own + every


def voc_box_candidates(
    groups: Sequence[Group], label: str, negatives: int, rng: random.Random
) -> list[Box]:
    """8.5 and 15: wrong boxes for a class of the image, none near any right one."""
    own = [box for name, boxes in groups if name == label for box in boxes]

    def wrong(box: Box) -> bool:
        return all(cal_iou(box, right) <= 0.5 for right in own)

    candidates = []
    for x1, y1, x2, y2 in voc_models(groups, label):
        width, height = x2 - x1, y2 - y1
        for _ in range(negatives):
            factor = rng.uniform(0.5, 1.5)
            shift_x = rng.uniform(-width / 2, width / 2)
            shift_y = rng.uniform(-height / 2, height / 2)
            centre_x, centre_y = (x1 + x2) / 2 + shift_x, (y1 + y2) / 2 + shift_y
            box = clipped(centre_x, centre_y, width * factor, height * factor)
            if wrong(box):
                candidates.append(box)
    while len(candidates) < negatives:
        # Open: the order of these four draws.
        centre_x, centre_y = rng.uniform(0, 1), rng.uniform(0, 1)
        width, height = rng.uniform(0, 1), rng.uniform(0, 1)
        box = clipped(centre_x, centre_y, width, height)
        if wrong(box):
            candidates.append(box)
    return candidates


def voc_box_options(
    groups: Sequence[Group], label: str, negatives: int, rng: random.Random
) -> list[list[Box]]:
    """8.5 and 15, grounding turns of one class: per box the box first, then wrong ones."""
    # Open: whether all class turns are drawn before the first box; 7.3 has them asked so.
    candidates = voc_box_candidates(groups, label, negatives, rng)
    turns = []
    for name, boxes in groups:
        if name == label:
            for box in boxes:
                rng.shuffle(candidates)
                turns.append([box, *candidates[:negatives]])
    return turns


def box_text(box: Box) -> str:
    """8.5, `default`: two decimals, less one trailing zero."""
    numbers = []
    for value in box:
        number = f"{value:.2f}"
        numbers.append(number.removesuffix("0"))
    return f"[{', '.join(numbers)}]"


def shikra_text(label: str, box: Box) -> str:
    """8.5, `shikra`: the class and three decimals, without spaces."""
    return f"{label}[{','.join(f'{value:.3f}' for value in box)}]"


def kosmos_text(box: Box) -> str:
    """8.5, `kosmos`: the patches of both corners, not clamped (D33)."""
    x1, y1, x2, y2 = box
    top = int(y1 * 32) * 32 + int(x1 * 32)
    bottom = int(y2 * 32) * 32 + int(x2 * 32)
    return f"<object><patch_index_{top:04d}><patch_index_{bottom:04d}></object>"
