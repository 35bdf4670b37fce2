"""Are the objects found, and where they are?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from chef.errors import ConfigError
from chef.extraction import POLICY, Box, evidence, parse_boxes
from chef.metric.base import BaseMetric
from chef.metric.detection.coco import average_precision
from chef.metric.detection.matching import as_box, as_json, match, true_boxes
from chef.metric.detection.turns import scored_turns, written_turns
from chef.metric.estimate import Estimate
from chef.metric.records import answer_text, check_kind, is_scored, turns_of
from chef.metric.statistics import pooled_percentage


class Detection(BaseMetric):
    """Boxes that are matched, pooled over images, for one question or for turns.

    Counts are summed over images before dividing, no value where that divides by 0; intervals
    come from drawing images. Boxes of one class (the label, but for case, articles, spaces and
    punctuation, or a synonym) are matched one to one, greedily by falling IoU, so a box repeated
    ten times is right once and wrong nine times.

    Figures, in %, for ``threshold`` 0.5; ``mAP`` and ``mAR`` are ChEF's names, and no averages:
        ``mAP@0.5``: matched boxes over predicted ones (pooled precision); ``mAR@0.5``: over true
        ones (pooled recall). Free text: ``f1@0.5``: of both; ``COCO_AP`` and ``COCO_AP50``: average
        precision over classes, as pycocotools has it, at IoU 0.5 to 0.95 and at 0.5; as nobody
        says how sure he is of a box, the boxes count in the order in which they stand.
        ``classification_acc`` (turns): classes named, or chosen, over classes there.
        ``grounding_acc`` (scored turns): right turns about places, among those of classes that
        were right; ``mAP@0.5`` is the same, and ``mAR@0.5`` those right turns over all true boxes.

    Args:
        dataset_name: the name of the scenario.
        threshold: of free text: a match needs an IoU above it (strictly, as in ChEF), in [0, 1).
        scale: what stands for the full width and height in the answers: 1 for fractions, 1000 for
            models that speak in thousandths.
        inference_type: ``direct`` or ``ppl``; None goes by what the answers hold.

    Raises:
        ConfigError: threshold or scale out of range.
    """

    def __init__(
        self,
        dataset_name: str = "",
        threshold: float = 0.5,
        scale: float = 1.0,
        inference_type: Literal["direct", "ppl"] | None = None,
    ) -> None:
        super().__init__(dataset_name)
        if not 0 <= threshold < 1:
            raise ConfigError(f"threshold is {threshold}", mend="an IoU in [0, 1), such as 0.5")
        if not (scale > 0 and math.isfinite(scale)):
            raise ConfigError(f"scale is {scale}", mend="a positive number, such as 1 or 1000")
        self.threshold, self.scale = threshold, scale
        self.inference_type = inference_type
        if inference_type == "ppl":  # the one option chosen for a whole image is read as text
            self.needs_options, self.needs_prompt_type = True, "multiturn"
        at = f"@{threshold:g}"
        self.primary = f"mAP{at}" if inference_type == "ppl" else f"f1{at}"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result``: free text: the F1 of the image; options: its share of boxes found.

        ``parsed`` are the predicted boxes in fractions, None when the answer holds none while
        there are objects to find, or the options chosen. ``hits`` are the boxes that are right.
        """
        references = true_boxes(record)
        turns = turns_of(record)
        kind = "ppl" if is_scored(turns) else "direct"
        check_kind(self.inference_type, kind)
        found = self.count_boxes(record, turns, references, kind)
        hits, n_predicted = found["hits"], found["boxes_predicted"]
        # ChEF divides what was grounded by all true boxes; free text may also say too many.
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
        precision = _share(answers, "hits", "boxes_predicted")
        metrics = {f"mAP{at}": precision, f"mAR{at}": _share(answers, "hits", "boxes_true")}
        classes = {}
        if any("classes" in answer for answer in answers):
            classes = {"classification_acc": _share(answers, "classes_right", "classes")}
        if self.inference_type == "ppl" or any(answer["kind"] == "ppl" for answer in answers):
            return {**metrics, **classes, "grounding_acc": precision}
        both = [
            {**a, "twice": 2 * a["hits"], "all": a["boxes_predicted"] + a["boxes_true"]}
            for a in answers
        ]
        metrics[f"f1{at}"] = _share(both, "twice", "all")
        return {**metrics, **classes, **self._coco(answers), "policy": POLICY}

    def read(self, text: str) -> list[Box]:
        """The boxes of a text, in fractions of the picture."""
        return [Box(box.label, self._fractions(box)) for box in parse_boxes(text)]

    def count_boxes(
        self,
        record: dict[str, Any],
        turns: Sequence[Mapping[str, Any]],
        references: Sequence[Box],
        kind: str,
    ) -> dict[str, Any]:
        """The counts of one image: ``parsed``, ``boxes_predicted``, ``hits`` and more.

        Args:
            record: of the sample.
            turns: that are answered; empty when it was asked in one.
            references: its true boxes.
            kind: ``ppl`` when options were scored, else ``direct``.
        """
        if kind == "ppl":
            return scored_turns(record, turns)
        if turns:
            return written_turns(turns, references, self.read, self.threshold)
        predicted = self.predicted_boxes(record)
        pairs = match(predicted, references, self.threshold)
        return {**parsed_boxes(predicted, references), "matches": pairs, "hits": len(pairs)}

    def predicted_boxes(self, record: dict[str, Any]) -> list[Box]:
        """The boxes of an answer, given as text or as data, in fractions of the picture."""
        answer = record.get("answer")
        if isinstance(answer, list | tuple):
            boxes = [as_box(item) for item in answer]
            return [Box(box.label, self._fractions(box)) for box in boxes]
        return self.read(answer_text(record))

    def _fractions(self, box: Box) -> tuple[float, float, float, float]:
        x1, y1, x2, y2 = (number / self.scale for number in box.bbox)
        return x1, y1, x2, y2

    def _coco(self, answers: list[dict[str, Any]]) -> dict[str, Estimate]:
        predicted = [[as_box(item) for item in answer["parsed"] or ()] for answer in answers]
        return average_precision(predicted, [true_boxes(answer) for answer in answers])


def parsed_boxes(predicted: Sequence[Box], references: Sequence[Box]) -> dict[str, Any]:
    """``parsed`` (None when there are no boxes and there should be) and ``boxes_predicted``."""
    return {
        "parsed": [as_json(box) for box in predicted] if predicted or not references else None,
        "boxes_predicted": len(predicted),
    }


def _share(answers: Sequence[Mapping[str, Any]], top: str, bottom: str) -> Estimate:
    tops = [answer.get(top, 0) for answer in answers]
    return pooled_percentage(tops, [answer.get(bottom, 0) for answer in answers])
