"""POPE: yes/no questions about the presence of objects.

Source: Li et al. 2023, "Evaluating Object Hallucination in Large Vision-Language Models".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.common.options import YES_NO, yes_no_fields, yes_or_no
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.hub import Origin
from chef.scenario.records.listed import Listed
from chef.types import Sample


class _Pope(Listed):
    """Yes/no questions on photographs of COCO; half of the answers are no.

    Args:
        base_data_path: the folder of the lists and of ``val2014``.
        source: ``hub`` reads a data set such as ``lmms-lab/POPE``, the name in ``base_data_path``.
    """

    wording = "POPE"
    metric = "POPE_Metric"
    protocols: ClassVar[Mapping[str, str]] = {"Hallucination": "POPE_Metric"}
    random_accuracy = 0.5

    def __init__(
        self,
        base_data_path: str,
        *,
        source: Origin = "files",
    ) -> None:
        meta = f"{self.name.replace('POPE_COCO', 'coco_pope')}.json"
        super().__init__(base_data_path, meta, source=source)

    def sample_id(self, index: int) -> str:
        return str(self.records[index].get("question_id", index))

    def sample(self, index: int, record: Record) -> Sample:
        reference = yes_or_no(values.text(record, "label"))
        if reference is None:
            raise values.bad_value("label", record["label"], "yes or no")
        image = record["image"]
        path = {"image_path": f"val2014/{image}"} if isinstance(image, str) else {}
        return Sample(
            id=self.sample_id(index),
            images=self.images(image, self.root / "val2014"),
            question=values.text(record, "text"),
            options=YES_NO,
            answer=record["label"],
            fields={**yes_no_fields(reference), **path},
        )


class PopeRandom(_Pope):
    """The absent objects are drawn at random."""

    name = "POPE_COCO_random"


class PopePopular(_Pope):
    """The absent objects are frequent ones."""

    name = "POPE_COCO_popular"


class PopeAdversarial(_Pope):
    """The absent objects often occur together with the present ones."""

    name = "POPE_COCO_adversarial"
