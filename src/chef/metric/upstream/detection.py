"""Detection by ChEF's own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.boxes import Box, iou
from chef.metric.detection import detection, kosmos
from chef.metric.detection.detection import parsed_boxes
from chef.metric.records import answer_text
from chef.metric.upstream.turns import scored_turns, written_turns
from chef.metric.upstream.wordnet import classification_acc


class Detection(detection.Detection):
    """Boxes are not matched one to one.

    In a single turn, a true box is found if the text names its class (`classification_acc`) and any
    predicted box of any class overlaps it. In several turns of text, only the first class named
    counts (`written_turns`). A scored location is correct by the overlap of its text
    (`scored_turns`). Free text needs NLTK's WordNet corpus.
    """

    def count_boxes(
        self,
        record: dict[str, Any],
        turns: Sequence[Mapping[str, Any]],
        references: Sequence[Box],
        kind: str,
    ) -> dict[str, Any]:
        if kind == "ppl":
            return scored_turns(record, turns, references, self.read, self.threshold)
        if turns:
            return written_turns(turns, references, self.read, self.threshold)
        predicted = self.predicted_boxes(record)
        mentioned = [
            box for box in references if classification_acc(box.label, answer_text(record))
        ]
        hits = sum(
            any(iou(box.bbox, other.bbox) > self.threshold for box in predicted)
            for other in mentioned
        )
        return {**parsed_boxes(predicted, references), "hits": hits}


class KOSMOSDetection(kosmos.KOSMOSDetection, Detection):
    """Boxes in the patch grammar of Kosmos-2, counted as in `Detection`."""
