"""CelebA: the hair and the smile of faces (Liu et al. 2015, as listed by LAMM)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.types import Sample


class CelebAHair(Lamm):
    """The colour of the hair."""

    name = "CelebA(Hair)"
    task = "Facial_cls_lamm"
    metric = "LAMM_Facial_Hair_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Facial_Hair_Classification"}
    meta_file = "Facial_Classification_CelebA(Hair).json"
    message = "Facial_Classification"

    def sample(self, name: str, record: Record) -> Sample:
        attribute = str(record["attr"])
        return Sample(
            id=name,
            images=(self.image(record["image"]),),
            question=record["query"],
            answer=attribute,
            fields={"gt": attribute},
        )


class CelebASmile(CelebAHair):
    """Whether the face smiles: ``1`` or ``-1``."""

    name = "CelebA(Smile)"
    metric = "LAMM_Facial_Smile_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Facial_Smile_Classification"}
    random_accuracy = 1 / 2
    meta_file = "Facial_Classification_CelebA(Smile).json"
