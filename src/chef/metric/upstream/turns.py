"""Detection in turns by ChEF's own rules; see `chef.metric.detection.turns`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.common.boxes import Box, iou, upright
from chef.errors import DataError
from chef.metric.detection.matching import as_json
from chef.metric.detection.turns import Reader, first_text
from chef.metric.records import Turns, answer_text
from chef.metric.upstream.wordnet import classification_acc


def boxes_as_json(boxes: Sequence[Box]) -> list[dict[str, Any]]:
    """The boxes as plain data, without those whose edges are exchanged."""
    return [as_json(box) for box in boxes if upright(box.bbox) == box.bbox]


def written_turns(
    turns: Turns, references: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """Free text: only the first class named counts; its boxes may match the same true box."""
    classes = _classes(references)
    first = first_text(turns)
    seen = [label for label in classes if classification_acc(label, first)]
    predicted: list[Box] = []
    for turn in turns:
        if seen and turn["prompt_idx"] == 1 and turn["prefix"] == seen[0]:
            predicted = [Box(seen[0], box.bbox) for box in read(answer_text(dict(turn)))]
            break
    own = [box.bbox for box in references if box.label in seen[:1]]
    hits = sum(any(iou(box.bbox, other) > threshold for other in own) for box in predicted)
    return {
        "parsed": boxes_as_json(predicted) if predicted or not seen else None,
        "hits": hits,
        "boxes_predicted": len(predicted),
        "classes": len(classes),
        "classes_right": len(seen),
        "classes_named": seen,
    }


def scored_turns(
    record: dict[str, Any], turns: Turns, references: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """Options: a class is correct if the words of the chosen option name it (`classification_acc`).

    So a class without a synset is never correct. A location counts only if its class is correct,
    and is correct if the first box of the chosen option overlaps any true box of the class.

    Raises:
        DataError: there is not one turn for each class.
    """
    asked = record.get("multi_turn_prefix") or turns
    classes = _classes(references)
    about = [str(turn["answer"]) for turn in turns if turn["prompt_idx"] == 0]
    if len(about) != len(classes) or len(asked) != len(turns):
        raise DataError(f"{len(about)} turns ask for {len(classes)} classes")
    named = dict.fromkeys(classes, False) | {
        label: classification_acc(label, text) for label, text in zip(classes, about, strict=True)
    }
    right = []
    for spec, turn in zip(asked, turns, strict=True):
        if turn["prompt_idx"] == 1 and named.get(str(spec["prefix"])):
            own = [box.bbox for box in references if box.label == spec["prefix"]]
            chosen = read(str(turn["answer"]))[:1]
            right.append(any(iou(box.bbox, other) > threshold for box in chosen for other in own))
    return {
        "parsed": [turn["answer"] for turn in turns],
        "classes_named": [label for label in classes if named[label]],
        "hits": sum(right),
        "boxes_predicted": len(right),
        "classes": len(classes),
        "classes_right": sum(named.values()),
    }


def _classes(references: Sequence[Box]) -> list[str]:
    """Each class once, in the order of their first boxes, in which ChEF asks for them."""
    return list(dict.fromkeys(box.label for box in references))
