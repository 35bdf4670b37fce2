"""VOC2012 as LAMM asks it: all objects in one answer, a sentence each.

The wordings of its task have no place for a question, so the query of the data is a field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.scenario.voc2012 import objects_of
from chef.types import Sample


class VOC2012Lamm(Lamm):
    """Detection of twenty classes, in sentences."""

    name = "VOC2012_LAMM"
    task = "detection_lamm"
    metric = "Detection"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Detection"}
    meta_file = "Detection_VOC2012.json"
    message = "Detection"

    def sample(self, name: str, record: Record) -> Sample:
        return Sample(
            id=name,
            images=(self.image(record["image"]),),
            answer=[{"label": label, "bbox": list(box)} for label, box in objects_of(record)],
            fields={"query": record["query"]},
        )
