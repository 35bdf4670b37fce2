"""Object detection: predicted boxes matched with true ones, in a single question or in turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from chef.common.boxes import Box
from chef.errors import ConfigError, DataError
from chef.metric.base import Metric
from chef.metric.classification.synonyms import recognised
from chef.metric.detection.matching import (
    BoxScale,
    as_box,
    as_json,
    average_precision,
    checked_scale,
    edges_of,
    in_fractions,
    match,
    true_boxes,
)
from chef.metric.records import Turns, answer_text, check_kind, is_scored, missing_truth, turns_of
from chef.metric.vqa.accuracy import ratio_of
from chef.reading.boxes import parse_boxes
from chef.reading.points import parse_patches
from chef.reading.text import POLICY, evidence
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate


class Detection(Metric):
    """Pooled precision and recall of boxes, for a single question or for several turns.

    Counts are summed over images before dividing; a division by 0 gives no value. Intervals are
    bootstrapped over images. Boxes of the same class are matched one to one, greedily by descending
    IoU, so a box that is repeated ten times is correct once and wrong nine times. A label names a
    class if its head noun is the class or a synonym of it: "a small dog" is a dog, "dog bowl" is
    none (`chef.metric.detection.matching.same_class`). A box without any label has the class
    that the question names, if it names exactly one of the image's.

    Boxes are read from JSON, also cut off, from tables, from the tokens of model families and from
    prose (`chef.reading.boxes.parse_boxes` lists the forms). Corners that are exchanged on both
    axes are put in order; four numbers that are exchanged on one axis alone are no box. Boxes that
    the answer takes back ("wait, ...") or that stand in its reasoning do not count.

    Metrics, in %, for ``threshold`` 0.5. ``mAP`` and ``mAR`` are ChEF's names; they are not means:
        ``mAP@0.5``: matched boxes over predicted ones (pooled precision). ``mAR@0.5``: matched
        boxes over true ones (pooled recall).
        Free text: ``f1@0.5``: the F1 of both. ``COCO_AP``, ``COCO_AP50``: average precision over
        classes, computed by pycocotools, at IoU 0.5 to 0.95 and at 0.5. Predicted boxes have no
        confidence, so they are ranked by their order in the answer.
        Turns: ``classification_acc``: classes mentioned, or chosen, over true classes.
        Scored turns: ``grounding_acc``: correct turns about locations, over those whose class was
        correct (in the place of ``mAP@0.5``); ``mAR@0.5`` is those correct turns over all true
        boxes.

    Args:
        dataset_name: the name of the scenario.
        threshold: for free text, the IoU that a match must exceed (strictly, as in ChEF), in
            [0, 1).
        box_scale: the coordinate of the right and bottom edge in the answers: 1 for fractions, 999
            or 1000 for models that write thousandths, ``pixel`` for the width and height of the
            image. ``pixel`` needs the record's ``image_size`` (width, height), or an image that can
            be opened at its ``image_path``. Percent, and the tokens of PaliGemma and Florence-2,
            are fractions whatever the scale, and so are the boxes of an answer in which no
            coordinate is above 1.
        inference_type: ``direct`` or ``ppl``; None accepts both.
        scale: the former name of ``box_scale``.

    Raises:
        ConfigError: the threshold or the scale is out of range, or both names of the scale are
            given.
    """

    chance_for: Sequence[str] = ("grounding_acc",)

    def __init__(
        self,
        dataset_name: str = "",
        threshold: float = 0.5,
        box_scale: BoxScale = 1.0,
        inference_type: Literal["direct", "ppl"] | None = None,
        scale: float | None = None,
    ) -> None:
        super().__init__(dataset_name)
        if not 0 <= threshold < 1:
            raise ConfigError(f"threshold is {threshold}", hint="use an IoU in [0, 1), such as 0.5")
        if scale is not None and box_scale not in (1.0, scale):
            raise ConfigError(
                "'scale' is the former name of 'box_scale', and both are given",
                hint="keep 'box_scale'",
            )
        self.threshold = threshold
        self.box_scale = checked_scale(box_scale if scale is None else scale)
        self.inference_type = inference_type
        # Of turns of text nothing is chosen, so guessing classes has no score.
        if inference_type == "ppl":
            self.chance_for = ("grounding_acc", "classification_acc")
        # In a single turn the chosen option is read as text, so only turns need scored options.
        if inference_type == "ppl":
            self.needs_options, self.needs_prompt_type = True, "multiturn"
        at = f"@{threshold:g}"
        self.primary = "grounding_acc" if inference_type == "ppl" else f"f1{at}"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the F1 of the image; for scored options its recall.

        ``parsed`` holds the predicted boxes in fractions (None if there are none although there are
        objects), or the chosen options. ``hits`` is the number of correct boxes.
        """
        references = true_boxes(record)
        turns = turns_of(record)
        kind = "ppl" if is_scored(turns) else "direct"
        check_kind(self.inference_type, kind)
        found = self.count_boxes(record, turns, references, kind)
        hits, n_predicted = found["hits"], found["boxes_predicted"]
        # ChEF's score of options is a recall; free text may also contain too many boxes.
        total = len(references) if kind == "ppl" else (n_predicted + len(references)) / 2
        rule = f"turns, {kind}" if turns else "boxes"
        return {
            "metric_result": hits / total if total else 1.0,
            "evidence": evidence(rule),
            "kind": kind,
            "boxes_true": len(references),
            **found,
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        at = f"@{self.threshold:g}"
        precision = ratio_of(answers, "hits", "boxes_predicted")
        recall = ratio_of(answers, "hits", "boxes_true")
        classes = {}
        if any("classes" in answer for answer in answers):
            classes = {"classification_acc": ratio_of(answers, "classes_right", "classes")}
        if self.inference_type == "ppl" or any(answer["kind"] == "ppl" for answer in answers):
            return {"grounding_acc": precision, f"mAR{at}": recall, **classes}
        both = [
            {**a, "twice": 2 * a["hits"], "all": a["boxes_predicted"] + a["boxes_true"]}
            for a in answers
        ]
        f1 = ratio_of(both, "twice", "all")
        metrics = {f"mAP{at}": precision, f"mAR{at}": recall, f"f1{at}": f1}
        # Scored options need no rules for reading text, so `policy` is not set for the class.
        return {**metrics, **classes, **self.average_precision(answers), "policy": POLICY}

    def read(self, text: str, record: dict[str, Any] | None = None) -> list[Box]:
        """The boxes in a text, in fractions of the image, of which ``pixel`` needs the record."""
        return in_fractions(parse_boxes(text), edges_of(self.box_scale, record or {}))

    def count_boxes(
        self,
        record: dict[str, Any],
        turns: Sequence[Mapping[str, Any]],
        references: Sequence[Box],
        kind: str,
    ) -> dict[str, Any]:
        """The counts of an image: ``parsed``, ``boxes_predicted``, ``hits`` and more."""
        if kind == "ppl":
            return scored_turns(record, turns)
        if turns:
            read = partial(self.read, record=record)
            return written_turns(turns, references, read, self.threshold)
        predicted = self.predicted_boxes(record)
        pairs = match(predicted, references, self.threshold)
        return {**parsed_boxes(predicted, references), "matches": pairs, "hits": len(pairs)}

    def predicted_boxes(self, record: dict[str, Any]) -> list[Box]:
        """The boxes of an answer, given as text or as data, in fractions of the image."""
        answer = record.get("answer")
        if isinstance(answer, list | tuple):
            edges = edges_of(self.box_scale, record)
            return in_fractions([as_box(item) for item in answer], edges)
        boxes = self.read(answer_text(record), record)
        if all(box.label for box in boxes):
            return boxes
        asked = asked_class(record)
        return [Box(box.label or asked, box.bbox) for box in boxes]

    def average_precision(self, answers: list[dict[str, Any]]) -> dict[str, Estimate]:
        """``COCO_AP`` and ``COCO_AP50`` of answers in free text."""
        predicted = [[as_box(item) for item in answer["parsed"] or ()] for answer in answers]
        references = [true_boxes(answer) for answer in answers]
        return average_precision(predicted, references, clusters_of(answers))


def asked_class(record: dict[str, Any]) -> str:
    """The class that the question names; empty if it names none, or several, of the image's."""
    question = str(record.get("question") or "")
    named = recognised(question, {box.label for box in true_boxes(record)})
    return named[0] if len(named) == 1 else ""


def parsed_boxes(predicted: Sequence[Box], references: Sequence[Box]) -> dict[str, Any]:
    """``parsed`` (None if boxes are missing altogether) and ``boxes_predicted``."""
    return {
        "parsed": [as_json(box) for box in predicted] if predicted or not references else None,
        "boxes_predicted": len(predicted),
    }


class KOSMOSDetection(Detection):
    """`Detection` of boxes written ``<object><patch_index_0044><patch_index_0863></object>``.

    The image has 32 x 32 patches. A patch index stands for the top left corner of its patch, as in
    ChEF. The metrics are those of `Detection`.
    """

    def read(self, text: str, record: dict[str, Any] | None = None) -> list[Box]:  # noqa: ARG002
        """The boxes in a text, in fractions of the image."""
        return parse_patches(text)


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
