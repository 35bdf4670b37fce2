"""Detection in turns: is each class named, and are its objects found?

Each function reads the turns of one sample and counts: ``hits`` of ``boxes_predicted``,
``classes_right`` of ``classes``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chef.errors import DataError
from chef.extraction import Box
from chef.metric.classification.synonyms import recognised
from chef.metric.detection.matching import as_json, match
from chef.metric.records import Turns, answer_text, missing_truth

#: The boxes of a text, in fractions of the picture.
Reader = Callable[[str], Sequence[Box]]


def written_turns(
    turns: Turns, references: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """Free text: the boxes of every class that the model has named, matched one to one.

    A class that a conversation asks about because the model named it wrongly has no true boxes,
    and all its boxes are wrong.
    """
    classes = list(dict.fromkeys(box.label for box in references))
    seen = recognised(first_text(turns), classes)
    texts: dict[str, str] = {}
    for turn in turns:
        label = _class_of(str(turn["prefix"]), classes)
        if turn["prompt_idx"] == 1 and (label in seen or label not in classes):
            texts.setdefault(label, answer_text(dict(turn)))
    predicted = [Box(label, box.bbox) for label, text in texts.items() for box in read(text)]
    pairs = match(predicted, references, threshold)
    return {
        "parsed": [as_json(box) for box in predicted] if predicted or not texts else None,
        "matches": pairs,
        "hits": len(pairs),
        "boxes_predicted": len(predicted),
        "classes": len(classes),
        "classes_right": len(seen),
        "classes_named": seen,
    }


def scored_turns(record: dict[str, Any], turns: Turns) -> dict[str, Any]:
    """Options: a turn is right if the right option won, whatever its rounded text.

    A turn about a place counts if the turn about its class was right.
    """
    asked = asked_turns(record, turns)
    right = [turn["choice"] == spec["gt_choice"] for spec, turn in zip(asked, turns, strict=True)]
    return count_turns(asked, turns, right)


def asked_turns(record: dict[str, Any], turns: Turns) -> Sequence[Mapping[str, Any]]:
    """What each turn asked.

    Raises:
        MissingTruthError: the right option of a turn is not known.
        DataError: turns are missing.
    """
    asked = record.get("multi_turn_prefix") or ()
    if len(asked) != len(turns):
        raise DataError(f"{len(turns)} turns are answered, and {len(asked)} were to be asked")
    if any(spec.get("gt_choice") is None for spec in asked):
        raise missing_truth(record, "right option in every turn")
    return asked


def count_turns(
    asked: Sequence[Mapping[str, Any]], turns: Turns, right: Sequence[bool]
) -> dict[str, Any]:
    """The counts of one image from which of its turns are ``right``."""
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


def first_text(turns: Turns) -> str:
    """The answers to the questions for classes."""
    return "\n".join(answer_text(dict(turn)) for turn in turns if turn["prompt_idx"] == 0)


def _class_of(prefix: str, classes: Sequence[str]) -> str:
    """The true class that a turn asked about; in a conversation it is named in own words."""
    if prefix in classes:
        return prefix
    found = recognised(prefix, classes)
    return found[0] if len(found) == 1 else prefix
