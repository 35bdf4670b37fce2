"""What ``rules.yaml`` names of the own rules of ChEF and LAMM for boxes and points."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from chef.common.boxes import Box, iou, upright
from chef.errors import DataError
from chef.metric.detection.detection import Detection, Reader, first_text
from chef.metric.detection.matching import as_json, edges_of
from chef.metric.records import Record, Turns, answer_text
from chef.metric.upstream.wordnet import (
    classification_acc,
    require_wordnet,
    stored_text,
    with_any_scores,
)
from chef.reading.rules.chef_boxes import Point, boxes_in, patch_boxes, points_in
from chef.stats.estimate import Estimate

__all__ = ["require_wordnet", "with_any_scores"]


def pooled_figures(self: Detection, answers: list[Record]) -> Record:
    """The figures of the corrected class; scored locations under both of ChEF's names."""
    values = Detection.metric_func(self, answers)
    if "grounding_acc" in values:
        return {f"mAP@{self.threshold:g}": values["grounding_acc"], **values}
    return {**values, "policy": "ChEF boxes"}


def no_average_precision(answers: list[Record]) -> dict[str, Estimate]:
    """None, as predicted boxes have no classes."""
    del answers
    return {}


def read_boxes(self: Detection, text: str, record: Record | None = None) -> list[Box]:
    """The boxes in a text, in fractions of the image."""
    across, down = edges_of(self.box_scale, record or {})
    return [
        Box("", (x1 / across, y1 / down, x2 / across, y2 / down))
        for x1, y1, x2, y2 in boxes_in(text)
    ]


def read_patches(text: str, record: Record | None = None) -> list[Box]:
    """The boxes in the patch grammar of Kosmos-2."""
    del record
    return [Box("", corners) for corners in patch_boxes(text)]


def predicted_boxes(self: Detection, record: Record) -> list[Box]:
    """The boxes of an answer, given as text or as data, in fractions of the image."""
    if isinstance(record.get("answer"), list | tuple):
        return Detection.predicted_boxes(self, record)
    return self.read(stored_text(record), record)


def count_boxes(
    self: Detection,
    record: Record,
    turns: Sequence[Mapping[str, Any]],
    references: Sequence[Box],
    kind: str,
) -> Record:
    """The counts of one image; see `Detection.count_boxes`."""

    def read(text: str) -> list[Box]:
        return self.read(text, record)

    if kind == "ppl":
        return scored_turns(record, turns, references, read, self.threshold)
    if turns:
        return written_turns(turns, references, read, self.threshold)
    predicted = self.predicted_boxes(record)
    text = stored_text(record)
    hits = sum(
        classification_acc(box.label, text)
        and any(iou(box.bbox, other.bbox) > self.threshold for other in predicted)
        for box in references
    )
    return {
        "parsed": boxes_as_json(predicted) if predicted or not references else None,
        "boxes_predicted": len(predicted),
        "hits": hits,
    }


def read_points(record: Record) -> list[Point]:
    """The points of an answer, in fractions of the image."""
    return points_in(stored_text(record))


def mentioned_by_wordnet(record: Record, labels: Collection[str]) -> Collection[str]:
    """Those of ``labels`` that the answer mentions."""
    text = stored_text(record)
    return {label for label in labels if classification_acc(label, text)}


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

    So one without a synset never is. A location counts only then, by the first box of the option
    and any true box of the class. Raises DataError without one turn for each class.
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
