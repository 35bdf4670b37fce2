"""SEED-Bench and SEED-Bench-2: multiple choice in words.

Sources: Li et al. 2023, "SEED-Bench: Benchmarking Multimodal LLMs with Generative Comprehension";
Li et al. 2023, "SEED-Bench-2: Benchmarking Multimodal Large Language Models".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from chef.common.options import letters
from chef.errors import SampleError
from chef.guard.files import read_bytes
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed, Origin
from chef.types import Sample


class _Kinds(msgspec.Struct, frozen=True):
    question_type: dict[str, int] = {}


#: The kinds of question of SEED-Bench-2 that are asked, and the folders of its images by source.
KINDS = frozenset({"Single Image", "Multiple Images", "Video"})
FOLDERS = {"cc3m": "image/cc3m-image", "SEED-Bench v2": "image/SEED-Bench-2-image"}


class SEEDBench(Listed):
    """Questions about images; the options are not shown, but their texts are scored.

    Args:
        base_data_path: the folder of ``SEED-Bench.json`` and the image folder.
        ppl_cfg: give the four texts as options. False, null or an empty mapping: no options.
        source: ``hub`` reads a data set such as ``lmms-lab/SEED-Bench``, the name in
            ``base_data_path``.
    """

    name = "SEEDBench"
    wording = "VQA"
    metric = "VQA"
    random_accuracy: float | None = 0.2427
    meta_file = "SEED-Bench.json"
    groupings: ClassVar[Mapping[str, str]] = {"category": "question_type"}

    def __init__(
        self,
        base_data_path: str,
        *,
        ppl_cfg: dict[str, Any] | bool | None = True,
        source: Origin = "files",
    ) -> None:
        super().__init__(base_data_path, self.meta_file, "questions", source)
        self._ppl = bool(ppl_cfg)

    def expand(self, place: int, record: Record) -> Sequence[Record]:
        """The records that `asks` accepts."""
        return super().expand(place, record) if self.asks(record) else ()

    def asks(self, record: Record) -> bool:
        """Whether the scenario asks this question: videos are left out."""
        return bool(record["data_type"] == "image")

    def sample_id(self, index: int) -> str:
        return str(self.records[index].get("question_id", index))

    def image_paths(self, record: Record) -> list[str]:
        """The paths of the record's images, relative to the data root."""
        return [f"SEED-Bench-image/{record['data_id']}"]

    def choices(self, record: Record) -> dict[str, str]:
        """The options by their letters, without empty ones."""
        texts = {letter: choice_text(record, letter) for letter in letters(4)}
        return {letter: text for letter, text in texts.items() if text}

    def details(self, record: Record) -> dict[str, Any]:
        """Further fields of the sample."""
        kind = record.get("question_type_id")
        if kind is None:
            return {"question_type_id": None}
        return {"question_type_id": kind, "question_type": self._kinds.get(kind, str(kind))}

    @cached_property
    def _kinds(self) -> dict[Any, str]:
        """The names of the kinds of question by number; none of a data set of the hub."""
        if self._hub_name is not None:
            return {}
        try:
            types = msgspec.json.decode(read_bytes(self.meta), type=_Kinds).question_type
        except msgspec.MsgspecError:
            return {}
        return {number: name for name, number in types.items()}

    def sample(self, index: int, record: Record) -> Sample:
        choices = self.choices(record)
        answer = values.text(record, "answer").strip()
        correct = list(choices).index(values.one_of("answer", answer, choices))
        options = list(choices.values())
        shown: dict[str, Any] = {}
        if (images := self.images(record.get("image"))) == ():
            paths = [values.as_text("data_id", path) for path in self.image_paths(record)]
            images = tuple(self.image(path) for path in paths)
            shown["image_path"] = paths[0] if len(paths) == 1 else paths
        return Sample(
            id=self.sample_id(index),
            images=images,
            question=f"Question: {values.text(record, 'question')}\nAnswer:",
            options=tuple(options) if self._ppl else (),
            answer=options[correct],
            fields={"gt_choice": correct, "choices": options, **shown, **self.details(record)},
        )


class SEEDBench2(SEEDBench):
    """As SEED-Bench, but with one or more images or frames, and with at most four options.

    A question whose images come from an unknown source becomes a `SampleError`.
    """

    name = "SEEDBench2"
    random_accuracy = None
    meta_file = "SEED-Bench_v2_level1_2_3.json"

    def asks(self, record: Record) -> bool:
        """Whether the scenario asks this question: those about frames of a video are included."""
        return record["data_type"] in KINDS

    def image_paths(self, record: Record) -> list[str]:
        source = record["data_source"]
        if source not in FOLDERS:
            raise SampleError(
                f"no folder is known for images of the source '{source}'",
                where=f"{self.meta}: question {record.get('question_id', '?')}",
                hint=f"known: {', '.join(FOLDERS)}",
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


def choice_text(record: Record, letter: str) -> str:
    """The text of an option; in the file it may be a number or null."""
    key = f"choice_{letter.lower()}"
    value = record[key]
    is_empty = value is None or (isinstance(value, str) and not value.strip())
    return "" if is_empty else values.as_text(key, value).strip()
