"""Detection in turns: which classes are mentioned, and which of their boxes are found.

The functions count for one sample: ``hits`` of ``boxes_predicted``, and ``classes_right`` of
``classes``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chef.common.boxes import Box
from chef.errors import DataError
from chef.metric.classification.synonyms import recognised
from chef.metric.detection.matching import as_json, match
from chef.metric.records import Turns, answer_text, missing_truth

#: Reads the boxes in a text, in fractions of the image.
Reader = Callable[[str], Sequence[Box]]


def written_turns(
    turns: Turns, references: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """Free text: match the boxes of every class that the model mentioned one to one.

    A class mentioned by mistake has no true boxes, so all its predicted boxes are wrong.
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
    """Options: a turn is correct by its index, one about a location only if its class is too."""
    asked = asked_turns(record, turns)
    right = [turn["choice"] == spec["gt_choice"] for spec, turn in zip(asked, turns, strict=True)]
    return count_turns(asked, turns, right)


def asked_turns(record: dict[str, Any], turns: Turns) -> Sequence[Mapping[str, Any]]:
    """One specification per answered turn; raises MissingTruthError, or DataError."""
    asked = record.get("multi_turn_prefix") or ()
    if len(asked) != len(turns):
        raise DataError(f"{len(turns)} turns are answered, and {len(asked)} were to be asked")
    if any(spec.get("gt_choice") is None for spec in asked):
        raise missing_truth(record, "right option in every turn")
    return asked


def count_turns(
    asked: Sequence[Mapping[str, Any]], turns: Turns, right: Sequence[bool]
) -> dict[str, Any]:
    """The counts of one image; ``right`` says which of its turns are correct."""
    classes = [number for number, spec in enumerate(asked) if spec["prompt_idx"] == 0]
    # A prefix that does not come from a turn was given, so no earlier turn had to be correct.
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
    """The answers to the turns that ask for classes, one per line."""
    return "\n".join(answer_text(dict(turn)) for turn in turns if turn["prompt_idx"] == 0)


def _class_of(prefix: str, classes: Sequence[str]) -> str:
    """The true class that a turn asks about; in a conversation its wording is the model's."""
    if prefix in classes:
        return prefix
    found = recognised(prefix, classes)
    return found[0] if len(found) == 1 else prefix
