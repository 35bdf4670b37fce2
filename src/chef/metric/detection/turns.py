"""Detection in turns: is each class named, and are its objects found?

Each function reads the turns of one sample and counts: ``hits`` of ``boxes_predicted``,
``classes_right`` of ``classes``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chef.common.boxes import iou
from chef.errors import DataError
from chef.extraction import Box
from chef.metric.classification.synonyms import recognised
from chef.metric.classification.wordnet import classification_acc
from chef.metric.detection.matching import as_json, match
from chef.metric.records import Turns, answer_text, missing_truth

#: The boxes of a text, in fractions of the picture.
Reader = Callable[[str], Sequence[Box]]


def written_turns(
    turns: Turns, truth: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """Free text: the boxes of every class that the model has named, matched one to one.

    A class that a conversation asks about because the model named it wrongly has no true boxes,
    and all its boxes are wrong.
    """
    classes = list(dict.fromkeys(box.label for box in truth))
    seen = recognised(_first_text(turns), classes)
    texts: dict[str, str] = {}
    for turn in turns:
        label = _class_of(str(turn["prefix"]), classes)
        if turn["prompt_idx"] == 1 and (label in seen or label not in classes):
            texts.setdefault(label, answer_text(dict(turn)))
    said = [Box(label, box.bbox) for label, text in texts.items() for box in read(text)]
    pairs = match(said, truth, threshold)
    return {
        "parsed": [as_json(box) for box in said] if said or not texts else None,
        "matches": pairs,
        "hits": len(pairs),
        "boxes_predicted": len(said),
        "classes": len(classes),
        "classes_right": len(seen),
        "classes_named": seen,
    }


def written_turns_upstream(
    turns: Turns, truth: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """ChEF's rule: the first class named, alone; its boxes need not be different ones."""
    classes = list(dict.fromkeys(box.label for box in truth))
    first = _first_text(turns)
    seen = [label for label in classes if classification_acc(label, first)]
    said: list[Box] = []
    for turn in turns:
        if seen and turn["prompt_idx"] == 1 and turn["prefix"] == seen[0]:
            said = [Box(seen[0], box.bbox) for box in read(answer_text(dict(turn)))]
            break
    own = [box.bbox for box in truth if box.label in seen[:1]]
    hits = sum(any(iou(box.bbox, other) > threshold for other in own) for box in said)
    return {
        "parsed": [as_json(box) for box in said] if said or not seen else None,
        "hits": hits,
        "boxes_predicted": len(said),
        "classes": len(classes),
        "classes_right": len(seen),
        "classes_named": seen,
    }


def scored_turns(record: dict[str, Any], turns: Turns) -> dict[str, Any]:
    """Options: a turn is right if the right option won, whatever its rounded text.

    A turn about a place counts if the turn about its class was right.
    """
    asked = _asked(record, turns)
    right = [turn["choice"] == spec["gt_choice"] for spec, turn in zip(asked, turns, strict=True)]
    return _scored(asked, turns, right)


def scored_turns_upstream(
    record: dict[str, Any], turns: Turns, truth: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """ChEF's rule: the text of the box chosen overlaps any box of its class."""
    asked = _asked(record, turns)
    right = []
    for spec, turn in zip(asked, turns, strict=True):
        if spec["prompt_idx"] == 0:
            right.append(turn["choice"] == spec["gt_choice"])
            continue
        own = [box.bbox for box in truth if box.label == spec["prefix"]]
        chosen = read(str(turn["answer"]))[:1]
        right.append(any(iou(box.bbox, other) > threshold for box in chosen for other in own))
    return _scored(asked, turns, right)


def _asked(record: dict[str, Any], turns: Turns) -> Sequence[Mapping[str, Any]]:
    asked = record.get("multi_turn_prefix") or ()
    if len(asked) != len(turns):
        raise DataError(f"{len(turns)} turns are answered, and {len(asked)} were to be asked")
    if any(spec.get("gt_choice") is None for spec in asked):
        raise missing_truth(record, "right option in every turn")
    return asked


def _scored(
    asked: Sequence[Mapping[str, Any]], turns: Turns, right: Sequence[bool]
) -> dict[str, Any]:
    classes = [number for number, spec in enumerate(asked) if spec["prompt_idx"] == 0]
    # A prefix that comes from no turn was given: nothing had to be right before it.
    counted = [
        number
        for number, spec in enumerate(asked)
        if spec["prompt_idx"] == 1
        and (spec.get("prefix_from") is None or right[spec["prefix_from"]])
    ]
    return {
        "parsed": [turn["answer"] for turn in turns],
        "turns_right": list(right),
        "hits": sum(right[number] for number in counted),
        "boxes_predicted": len(counted),
        "classes": len(classes),
        "classes_right": sum(right[number] for number in classes),
    }


def _first_text(turns: Turns) -> str:
    return "\n".join(answer_text(dict(turn)) for turn in turns if turn["prompt_idx"] == 0)


def _class_of(prefix: str, classes: Sequence[str]) -> str:
    """The true class that a turn asked about; in a conversation it is named in own words."""
    if prefix in classes:
        return prefix
    found = recognised(prefix, classes)
    return found[0] if len(found) == 1 else prefix
