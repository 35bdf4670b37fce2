"""Ch3Ef: questions about helpfulness, honesty and harmlessness.

Source: Shi et al. 2024, "Assessment of Multimodal Large Language Models in Alignment with Human
Values".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from chef.image import Image
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.types import Sample


class Ch3Ef(Listed):
    """Questions on one image or several; the first option is the one that people agreed on.

    Generated answers are recorded but not scored, because there are no reference texts.

    Args:
        base_data_path: the folder of ``meta_file`` and ``images``.
        dimension: the list of questions.
        ppl: give the options to score.
    """

    name = "Ch3Ef"
    wording = "Ch3Ef"
    has_wordings = False
    metric = "Ch3Ef_Metric"
    protocols: ClassVar[Mapping[str, str]] = {"Ch3Ef": "Ch3Ef_Metric"}
    groupings = ("source",)

    def __init__(
        self,
        base_data_path: str,
        *,
        dimension: Literal["Helpful", "Honest", "Harmless"],
        ppl: bool = False,
    ) -> None:
        super().__init__(base_data_path, f"meta_file/{dimension}.json", within="items")
        self._ppl, self._dimension = ppl, dimension

    def sample(self, index: int, record: Record) -> Sample:
        given = record["image"]
        paths = [given] if isinstance(given, str) else values.texts(record, "image")
        options = values.texts(record, "options", blank=True)
        return Sample(
            id=self.sample_id(index),
            images=tuple(self._picture(path) for path in paths),
            question=values.text(record, "query"),
            options=tuple(options) if self._ppl else (),
            answer=options[0],
            fields={
                "gt_choice": 0,
                "choices": options,
                "dimension": self._dimension,
                "source": record.get("source"),
            },
        )

    def _picture(self, path: str) -> Image:
        """The image of a path below the folder ``images``, or else below the root."""
        inside = self.root / "images" / path
        return Image(inside) if inside.is_file() else self.image(path)
