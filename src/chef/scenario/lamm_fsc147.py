"""FSC147 as LAMM asks it."""

from __future__ import annotations

from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.types import Sample


class FSC147Lamm(Lamm):
    """Counting; LAMM asks it without a message before."""

    name = "FSC147_LAMM"
    task = "counting"
    metric = "Counting"
    meta_file = "Counting_FSC147.json"

    def sample(self, name: str, record: Record) -> Sample:
        return Sample(
            id=name,
            images=(self.image(record["image"]),),
            question=record["query"],
            answer=int(record["num"]),
        )
