"""SVT: the words in photographs of streets (Wang et al. 2011, as listed by LAMM)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.types import Sample


class SVT(Lamm):
    """Reading the words of a street view."""

    name = "SVT"
    task = "OCR"
    has_wordings = False
    metric = "SVT_OCR"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "SVT_OCR"}
    meta_file = "OCR_SVT.json"
    message = "OCR"

    def sample(self, name: str, record: Record) -> Sample:
        return Sample(
            id=name,
            images=(self.image(record["image"]),),
            question=record["query"],
            answer=[str(word) for word in record["word_list"]],
        )
