"""Detection in turns by ChEF's own rules; see `chef.metric.detection.turns`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.common.boxes import Box, iou
from chef.metric.detection.matching import as_json
from chef.metric.detection.turns import Reader, asked_turns, count_turns, first_text
from chef.metric.records import Turns, answer_text
from chef.metric.upstream.wordnet import classification_acc


def written_turns(
    turns: Turns, references: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """Free text: only the first class named counts; its boxes may match the same true box."""
    classes = list(dict.fromkeys(box.label for box in references))
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
        "parsed": [as_json(box) for box in predicted] if predicted or not seen else None,
        "hits": hits,
        "boxes_predicted": len(predicted),
        "classes": len(classes),
        "classes_right": len(seen),
        "classes_named": seen,
    }


def scored_turns(
    record: dict[str, Any], turns: Turns, references: Sequence[Box], read: Reader, threshold: float
) -> dict[str, Any]:
    """Options: a location is correct if the chosen box overlaps any true box of its class."""
    asked = asked_turns(record, turns)
    right = []
    for spec, turn in zip(asked, turns, strict=True):
        if spec["prompt_idx"] == 0:
            right.append(turn["choice"] == spec["gt_choice"])
            continue
        own = [box.bbox for box in references if box.label == spec["prefix"]]
        chosen = read(str(turn["answer"]))[:1]
        right.append(any(iou(box.bbox, other) > threshold for box in chosen for other in own))
    return count_turns(asked, turns, right)
