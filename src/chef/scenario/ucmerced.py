"""UCMerced: the use of land, seen from the air (Yang and Newsam 2010, as listed by LAMM)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.types import Sample

LABELS = (
    "agricultural", "airplane", "baseball diamond", "beach", "buildings", "chaparral",
    "dense residential", "forest", "freeway", "golf course", "harbor", "intersection",
    "medium residential", "mobile home park", "overpass", "parking lot", "river", "runway",
    "sparse residential", "storage tanks", "tennis court",
)  # fmt: skip
_SPACED = {label.replace(" ", ""): label for label in LABELS}


class UCMerced(Lamm):
    """Classes of land use; labels written as one word are understood as several."""

    name = "UCMerced"
    task = "lamm_classification"
    has_wordings = False
    metric = "UCMerced_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "UCMerced_Classification"}
    random_accuracy = 1 / len(LABELS)
    meta_file = "Fine-grained_Classification_UCMerced.json"
    message = "Fine-grained_Classification"

    def sample(self, name: str, record: Record) -> Sample:
        label = str(record["label"])
        return Sample(
            id=name,
            images=(self.image(record["image"]),),
            question=record["query"],
            answer=_SPACED.get(label.replace(" ", "").replace("_", "").lower(), label),
            fields={"label": label, "choices": list(LABELS)},
        )
