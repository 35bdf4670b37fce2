"""Multiple choice of LAMM's benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from chef.common.options import letters
from chef.scenario.lamm import Lamm
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.scienceqa import ScienceQA
from chef.types import Sample


class LammVQA(Lamm):
    """Questions with lettered options, as the file has them; the answer is a sentence."""

    wording = "VQA_lamm"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_VQA"}
    message = "VQA"

    def sample(self, index: int, record: Record) -> Sample:
        choices = values.texts(record, "gt_choices", blank=True)
        correct = values.choice(record, "gt_choice", len(choices))
        return Sample(
            id=self.sample_id(index),
            images=self.images(record.get("image")),
            question=self.question(index, record),
            options=tuple(f"({letter}" for letter in letters(len(choices))),
            answer=self.answer(record),
            fields={
                "gt_choice": correct,
                "choices": choices,
                "gt_choices": choices,
            },
        )

    def answer(self, record: Record) -> Any:
        choices = values.texts(record, "gt_choices", blank=True)
        return f"({letters(len(choices))[values.choice(record, 'gt_choice', len(choices))]})"


class ScienceQALamm(LammVQA):
    """ScienceQA with the context of every question."""

    name = "ScienceQA_LAMM"
    metric = "VQA"
    random_accuracy = ScienceQA.random_accuracy
    meta_file = "VQA_ScienceQA.json"


class AI2D(LammVQA):
    """Questions about diagrams (Kembhavi et al. 2016)."""

    name = "AI2D"
    metric = "LAMM_VQA"
    meta_file = "VQA_AI2D.json"
