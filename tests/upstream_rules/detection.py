"""Detection and localisation (sections 9.5 and 15)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from upstream_rules.boxes import (
    Box,
    cal_iou,
    check_inside_bbox,
    parse_bbox,
    parse_keypoints,
)
from upstream_rules.text import BaseForm, Lemmas, classification_acc, same_word

ParseBoxes = Callable[[str], list[Box]]
Object = tuple[str, Box]


class SingleTurn(NamedTuple):
    """An image's objects and the one answer about them."""

    objects: Sequence[Object]
    answer: str


class MultiTurn(NamedTuple):
    """An image's objects, what was said to be there, and the answer about each class."""

    objects: Sequence[Object]
    present: str
    per_class: Sequence[tuple[str, str]]


class PplTurns(NamedTuple):
    """The chosen class of each class's turn, and the chosen box of each box's turn."""

    objects: Sequence[Object]
    class_turns: Sequence[tuple[str, str]]
    box_turns: Sequence[tuple[str, str]]


def share(part: int, whole: int) -> float | None:
    """A percentage, or nothing where there is no whole (D16 names no upstream mode)."""
    return part / whole * 100 if whole else None


def boxes_of(label: str, objects: Sequence[Object]) -> list[Box]:
    """The boxes of one class."""
    return [box for name, box in objects if name == label]


def pooled(hits: int, predicted: int, gold: int, threshold: float) -> dict[str, float | None]:
    """9.5: what ChEF calls mAP and mAR."""
    return {f"mAP@{threshold}": share(hits, predicted), f"mAR@{threshold}": share(hits, gold)}


def detection_single_turn(
    samples: Sequence[SingleTurn],
    lemmas: Lemmas,
    base_form: BaseForm = same_word,
    parse: ParseBoxes = parse_bbox,
    threshold: float = 0.5,
) -> dict[str, float | None]:
    """9.5, one turn: any box of the answer serves any object whose label it names (D14)."""
    hits = predicted = gold = 0
    for sample in samples:
        boxes = parse(sample.answer)
        predicted += len(boxes)
        gold += len(sample.objects)
        for label, target in sample.objects:
            if classification_acc(label, sample.answer, lemmas, base_form):
                hits += any(cal_iou(box, target) > threshold for box in boxes)
    return pooled(hits, predicted, gold, threshold)


def detection_multi_turn(
    samples: Sequence[MultiTurn],
    lemmas: Lemmas,
    base_form: BaseForm = same_word,
    parse: ParseBoxes = parse_bbox,
    threshold: float = 0.5,
) -> dict[str, float | None]:
    """9.5, several turns: nothing is looked at after the first class recognised (D13).

    A hit is a predicted box that any box of the class matches.
    """
    # Open: classes come in the order of their turns, and only the boxes of the turn that is
    # looked at count as predicted: an image without a recognised class predicts none.
    hits = predicted = gold = 0
    for sample in samples:
        gold += len(sample.objects)
        for label, answer in sample.per_class:
            if classification_acc(label, sample.present, lemmas, base_form):
                boxes = parse(answer)
                predicted += len(boxes)
                targets = boxes_of(label, sample.objects)
                for box in boxes:
                    hits += any(cal_iou(box, target) > threshold for target in targets)
                break
    return pooled(hits, predicted, gold, threshold)


def detection_ppl(
    samples: Sequence[PplTurns],
    lemmas: Lemmas,
    base_form: BaseForm = same_word,
    parse: ParseBoxes = parse_bbox,
    threshold: float = 0.5,
) -> dict[str, float | None]:
    """9.5 and 15, by option scoring: box turns count where their class turn was right."""
    class_right = class_turns = hits = box_turns = gold = 0
    for sample in samples:
        gold += len(sample.objects)
        right = [
            label
            for label, chosen in sample.class_turns
            if classification_acc(label, chosen, lemmas, base_form)
        ]
        class_right += len(right)
        class_turns += len(sample.class_turns)
        for label, chosen in sample.box_turns:
            if label in right:
                box_turns += 1
                # Open: a chosen text without a readable box misses; of several, any will do.
                targets = boxes_of(label, sample.objects)
                hits += any(
                    cal_iou(box, target) > threshold for box in parse(chosen) for target in targets
                )
    return {
        "classification_acc": share(class_right, class_turns),
        "grounding_acc": share(hits, box_turns),
        f"mAP@{threshold}": share(hits, box_turns),
        f"mAR@{threshold}": share(hits, gold),
    }


# Open: the reference names three of eight patterns, and not what a category may look like.
CATEGORY_PATTERNS = (
    r"The ([\w ]+?) object",
    r"classified as (?:an? )?([\w ]+)",
    r"category of (?:an? )?([\w ]+)",
)


def lamm_category(sentence: str) -> str | None:
    """9.5, LAMM_Detection: the category of a sentence by the first pattern that fits."""
    for pattern in CATEGORY_PATTERNS:
        found = re.search(pattern, sentence)
        if found:
            return found[1]
    return None


def lamm_predictions(
    answer: str, category: Callable[[str], str | None] = lamm_category
) -> list[tuple[str | None, Box]]:
    """9.5, LAMM_Detection: of each sentence its first box, and its category."""
    number = r"([0-9]+\.?[0-9]*)"
    shape = rf"\[{number}, {number}, {number}, {number}\]"
    predictions: list[tuple[str | None, Box]] = []
    for sentence in answer.split(". "):
        found = re.search(shape, sentence)
        if found:
            # Open: a box whose sentence names no category is kept without one.
            x1, y1, x2, y2 = (float(found[place]) for place in (1, 2, 3, 4))
            predictions.append((category(sentence), (x1, y1, x2, y2)))
    return predictions


def maximum_matching(fits: Sequence[Sequence[int]]) -> int:
    """9.5: how many on the left find a partner of their own, by augmenting paths."""
    partner: dict[int, int] = {}

    def place(left: int, tried: set[int]) -> bool:
        for right in fits[left]:
            if right not in tried:
                tried.add(right)
                if right not in partner or place(partner[right], tried):
                    partner[right] = left
                    return True
        return False

    return sum(place(left, set()) for left in range(len(fits)))


def lamm_matches(
    objects: Sequence[Object],
    predictions: Sequence[tuple[str | None, Box]],
    threshold: float,
    with_category: bool,
) -> int:
    """9.5, LAMM_Detection: one-to-one matches at an IoU of at least the threshold."""
    fits = []
    for label, target in objects:
        fits.append(
            [
                place
                for place, (category, box) in enumerate(predictions)
                if cal_iou(target, box) >= threshold and (not with_category or category == label)
            ]
        )
    return maximum_matching(fits)


def lamm_detection(
    samples: Sequence[SingleTurn],
    category: Callable[[str], str | None] = lamm_category,
) -> dict[str, float]:
    """9.5, LAMM_Detection: pooled figures; nothing predicted counts as 0 (D29)."""
    read = [(sample.objects, lamm_predictions(sample.answer, category)) for sample in samples]
    gold = sum(len(objects) for objects, _ in read)
    predicted = sum(len(predictions) for _, predictions in read)
    figures = {}
    for threshold in (0.5, 0.25):
        for name, with_category in (("", True), ("_wocat", False)):
            matched = sum(
                lamm_matches(objects, predictions, threshold, with_category)
                for objects, predictions in read
            )
            figures[f"recall{name}@{threshold:.2f}"] = share(matched, gold) or 0.0
            figures[f"prec{name}@{threshold:.2f}"] = share(matched, predicted) or 0.0
    return figures


def inside_bbox(
    samples: Sequence[SingleTurn], lemmas: Lemmas, base_form: BaseForm = same_word
) -> float | None:
    """9.5, InsideBbox: an object is found if its label is named and a point is in its box."""
    # Open: objects are counted, not images.
    found = gold = 0
    for sample in samples:
        points = parse_keypoints(sample.answer)
        for label, box in sample.objects:
            gold += 1
            if classification_acc(label, sample.answer, lemmas, base_form):
                found += any(check_inside_bbox(point, box) for point in points)
    return share(found, gold)
