"""Detection by ChEF's own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.boxes import iou
from chef.extraction import Box
from chef.metric.detection import detection, kosmos
from chef.metric.detection.detection import parsed_boxes
from chef.metric.records import answer_text
from chef.metric.upstream.turns import scored_turns, written_turns
from chef.metric.upstream.wordnet import classification_acc


class Detection(detection.Detection):
    """Boxes are not matched one to one.

    One question: a true box is found if the text names its class by a lemma in WordNet, and any
    predicted box, of whatever class, overlaps it. Turns: only the first class named counts
    (`written_turns`). Options: a place is right by the overlap of its text (`scored_turns`).
    Free text needs NLTK's WordNet corpus.
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
        named = [box for box in references if classification_acc(box.label, answer_text(record))]
        hits = sum(
            any(iou(box.bbox, other.bbox) > self.threshold for box in predicted) for other in named
        )
        return {**parsed_boxes(predicted, references), "hits": hits}


class KOSMOSDetection(kosmos.KOSMOSDetection, Detection):
    """Boxes in the patch grammar of Kosmos-2, counted as in `Detection`."""
