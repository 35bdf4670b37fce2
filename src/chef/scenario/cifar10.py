"""CIFAR10: classification of images into ten classes (Krizhevsky 2009, as listed by LAMM)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.types import Sample

#: In the order in which ChEF scores them.
LABELS = (
    "cat", "ship", "airplane", "frog", "automobile", "truck", "dog", "horse", "deer", "bird",
)  # fmt: skip


class CIFAR10(Listed):
    """Images of ten classes; the question comes from the wording pool.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        ppl: give the ten labels as options to score.
        split: a part of the file name ``meta_file/Classification_{split}CIFAR10.json``.
    """

    name = "CIFAR10"
    wording = "coarse_grained_classification"
    metric = "CG_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Classification"}
    random_accuracy = 1 / len(LABELS)

    def __init__(self, base_data_path: str, *, ppl: bool = False, split: str = "") -> None:
        super().__init__(base_data_path, f"meta_file/Classification_{split}CIFAR10.json")
        self._ppl = ppl

    def sample(self, index: int, record: Record) -> Sample:
        label = values.one_of("label", record["label"], LABELS)
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            options=LABELS if self._ppl else (),
            answer=label,
            fields={"gt_choice": LABELS.index(label), "choices": list(LABELS)},
        )
