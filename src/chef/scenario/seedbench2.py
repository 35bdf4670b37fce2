"""SEED-Bench-2: questions about one image, several images or frames (Li et al. 2023)."""

from __future__ import annotations

from typing import Any

from chef.errors import SampleError
from chef.scenario.records.files import Record
from chef.scenario.seedbench import SEEDBench

KINDS = frozenset({"Single Image", "Multiple Images", "Video"})
FOLDERS = {"cc3m": "image/cc3m-image", "SEED-Bench v2": "image/SEED-Bench-2-image"}


class SEEDBench2(SEEDBench):
    """As SEED-Bench, with one or more images; options may be fewer than four.

    A question whose images come from a source without a folder is an error of that sample.
    """

    name = "SEEDBench2"
    random_accuracy = None
    meta_file = "SEED-Bench_v2_level1_2_3.json"

    def asks(self, record: Record) -> bool:
        return record["data_type"] in KINDS

    def image_paths(self, record: Record) -> list[str]:
        source = record["data_source"]
        if source not in FOLDERS:
            raise SampleError(
                f"no folder is known for images of the source '{source}'",
                where=f"{self.meta}: question {record.get('question_id', '?')}",
                mend=f"known: {', '.join(FOLDERS)}",
            )
        given = record["data_id"]
        names = [given] if isinstance(given, str) else list(given)
        return [f"{FOLDERS[source]}/{name}" for name in names]

    def details(self, record: Record) -> dict[str, Any]:
        return {
            **super().details(record),
            "source": record["data_source"],
            "type": record["data_type"],
        }
