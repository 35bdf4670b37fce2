"""Detection in turns: is each class named, and are its objects found?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from chef.errors import DataError
from chef.metric.detection import Detection, as_json, match, true_boxes
from chef.metric.estimate import Estimate
from chef.metric.extraction import POLICY, Box, parse_boxes
from chef.metric.objects import named
from chef.metric.records import answer_text, check_kind, missing_truth
from chef.metric.statistics import bootstrap_ratio


class MultiTurnDetection(Detection):
    """The answers of ``Multi_Direct``, ``Multi_PPL``, ``Det`` and ``Det_PPL``.

    The names are ChEF's. Counts are summed over images before dividing, no value where that divides
    by 0; intervals come from drawing images. In %, for ``threshold`` 0.5:

    Free text: the boxes of a class count if the model named the class when asked what there is;
    they are matched one to one with the true boxes of that class. A class that a conversation asks
    about because the model named it wrongly has no true boxes, and all its boxes are wrong.
        ``classification_acc``: true classes named over true classes; ``mAP@0.5``: matched boxes
        over predicted ones; ``mAR@0.5``: over all true ones; ``f1@0.5``: of both.

    Scored options: a turn is right if the right option won, whatever its rounded text.
        ``classification_acc``: right turns about classes; ``grounding_acc``: right turns about
        places, among those of classes that were right; ``mAP@0.5``: the same; ``mAR@0.5``: those
        right turns over all true boxes.

    Args:
        dataset_name: the name of the scenario.
        threshold: of free text: a match needs an IoU above it (strictly), in [0, 1).
        scale: what stands for the full width and height in the answers.
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
        super().__init__(dataset_name, threshold, scale)
        self.inference_type = inference_type

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result``: free text: the F1 of the image; options: its share of boxes found."""
        truth = true_boxes(record)
        turns = _turns(record)
        kind = "ppl" if any("choice" in turn for turn in turns) else "direct"
        check_kind(self.inference_type, kind)
        found = self._scored(record, turns) if kind == "ppl" else self._written(turns, truth)
        hits, said = found["hits"], found["boxes_predicted"]
        # ChEF divides what was grounded by all true boxes; free text may also say too many.
        total = len(truth) if kind == "ppl" else (said + len(truth)) / 2
        return {
            "metric_result": hits / total if total else 1.0,
            "evidence": {"rule": f"turns, {kind}", "text": "", "span": None},
            "kind": kind,
            "boxes_true": len(truth),
            **found,
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        at = f"@{self.threshold:g}"
        precision = _share(answers, "hits", "boxes_predicted")
        recall = _share(answers, "hits", "boxes_true")
        figures = {f"mAP{at}": precision, f"mAR{at}": recall}
        named_ = {"classification_acc": _share(answers, "classes_right", "classes")}
        if self.inference_type == "ppl" or any(answer["kind"] == "ppl" for answer in answers):
            return {**figures, **named_, "grounding_acc": precision}
        both = [
            {**a, "twice": 2 * a["hits"], "all": a["boxes_predicted"] + a["boxes_true"]}
            for a in answers
        ]
        return {**figures, f"f1{at}": _share(both, "twice", "all"), **named_, "policy": POLICY}

    def _written(self, turns: Sequence[Mapping[str, Any]], truth: Sequence[Box]) -> dict[str, Any]:
        classes = list(dict.fromkeys(box.label for box in truth))
        first = "\n".join(answer_text(dict(turn)) for turn in turns if turn["prompt_idx"] == 0)
        seen = named(first, classes)
        texts: dict[str, str] = {}
        for turn in turns:
            label = _class_of(str(turn["prefix"]), classes)
            if turn["prompt_idx"] == 1 and (label in seen or label not in classes):
                texts.setdefault(label, answer_text(dict(turn)))
        said = [
            Box(label, self.fractions(box))
            for label, text in texts.items()
            for box in parse_boxes(text)
        ]
        pairs = match(said, truth, self.threshold)
        return {
            "parsed": [as_json(box) for box in said] if said or not texts else None,
            "matches": pairs,
            "hits": len(pairs),
            "boxes_predicted": len(said),
            "classes": len(classes),
            "classes_right": len(seen),
            "classes_named": seen,
        }

    def _scored(self, record: dict[str, Any], turns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        asked = record.get("multi_turn_prefix") or ()
        if len(asked) != len(turns):
            raise DataError(f"{len(turns)} turns are answered, and {len(asked)} were to be asked")
        if any(spec.get("gt_choice") is None for spec in asked):
            raise missing_truth(record, "right option in every turn")
        right = [
            turn["choice"] == spec["gt_choice"] for spec, turn in zip(asked, turns, strict=True)
        ]
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
            "turns_right": right,
            "hits": sum(right[number] for number in counted),
            "boxes_predicted": len(counted),
            "classes": len(classes),
            "classes_right": sum(right[number] for number in classes),
        }


def _turns(record: dict[str, Any]) -> list[Mapping[str, Any]]:
    turns = record.get("turn_answer")
    if not isinstance(turns, list) or not turns:
        raise DataError(
            "the answer has no turns",
            where=f"sample '{record.get('id', '?')}'",
            mend="ask with Multi_Direct, Multi_PPL, Det or Det_PPL, or score with Detection",
        )
    return turns


def _class_of(prefix: str, classes: Sequence[str]) -> str:
    """The true class that a turn asked about; in a conversation it is named in own words."""
    found = named(prefix, classes)
    return found[0] if len(found) == 1 else prefix


def _share(answers: Sequence[Mapping[str, Any]], top: str, bottom: str) -> Estimate:
    tops = [100.0 * answer[top] for answer in answers]
    return bootstrap_ratio(tops, [float(answer[bottom]) for answer in answers], unit="%")
