"""Multiple choice as LAMM asks it: ScienceQA, and AI2D (Kembhavi et al. 2016, diagrams)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.scenario.scienceqa import ScienceQA
from chef.types import Sample


class LammVQA(Lamm):
    """The question with its lettered options as the file has it; the answer is a sentence."""

    task = "VQA_lamm"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_VQA"}
    message = "VQA"

    def sample(self, name: str, record: Record) -> Sample:
        choices, truth = [str(choice) for choice in record["gt_choices"]], int(record["gt_choice"])
        options = [f"({chr(65 + place)}" for place in range(len(choices))]
        image = record.get("image")
        return Sample(
            id=name,
            images=(self.image(image),) if image else (),
            question=record["query"],
            options=tuple(options),
            answer=f"{options[truth]})",
            fields={"gt_choice": truth, "choices": choices, "gt_choices": choices},
        )


class ScienceQALamm(LammVQA):
    """ScienceQA with the context of every question."""

    name = "ScienceQA_LAMM"
    metric = "VQA"
    random_accuracy = ScienceQA.random_accuracy
    meta_file = "VQA_ScienceQA.json"


class AI2D(LammVQA):
    """Questions about diagrams."""

    name = "AI2D"
    metric = "LAMM_VQA"
    meta_file = "VQA_AI2D.json"
