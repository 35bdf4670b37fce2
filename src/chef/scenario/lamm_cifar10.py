"""CIFAR10 as LAMM asks it: the question lists the labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.common.seeding import sample_rng
from chef.scenario.cifar10 import LABELS
from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.types import Sample


class CIFAR10Lamm(Lamm):
    """Which of ten kinds of thing is in the picture; the answer is a sentence.

    The labels are listed in an order of the sample's own, so that their place says nothing.
    """

    name = "CIFAR10_LAMM"
    task = "classification_lamm"
    metric = "CG_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Classification"}
    random_accuracy = 1 / len(LABELS)
    meta_file = "Classification_CIFAR10.json"
    message = "Classification"

    def sample(self, name: str, record: Record) -> Sample:
        label = record["label"]
        listed = list(LABELS)
        sample_rng(0, "CIFAR10_LAMM", name).shuffle(listed)
        return Sample(
            id=name,
            images=(self.image(record["image"]),),
            question=f"{record['query']} The labels are: {', '.join(listed)}.",
            answer=label,
            fields={"label": label, "choices": list(LABELS)},
        )
