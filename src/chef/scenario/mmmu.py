"""MMMU: college questions in thirty subjects, with up to seven images.

Source: Yue et al. 2024, "MMMU: A Massive Multi-discipline Multimodal Understanding and Reasoning
Benchmark for Expert AGI".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from chef.common.digest import file_digest
from chef.common.options import letters, list_literal
from chef.errors import DataError, SampleError
from chef.guard.files import user_path
from chef.image import Image
from chef.scenario.base import Scenario
from chef.scenario.records import values
from chef.scenario.table.arrow import Parquet
from chef.scenario.table.joined import JoinedRows
from chef.scenario.table.rows import Row, usable
from chef.types import Sample

SUBJECTS = (
    "Accounting", "Agriculture", "Architecture_and_Engineering", "Art", "Art_Theory",
    "Basic_Medical_Science", "Biology", "Chemistry", "Clinical_Medicine", "Computer_Science",
    "Design", "Diagnostics_and_Laboratory_Medicine", "Economics", "Electronics",
    "Energy_and_Power", "Finance", "Geography", "History", "Literature", "Manage", "Marketing",
    "Materials", "Math", "Mechanical_Engineering", "Music", "Pharmacy", "Physics", "Psychology",
    "Public_Health", "Sociology",
)  # fmt: skip
IMAGES = tuple(f"image_{number}" for number in range(1, 8))
_TEXTS = ("id", "question", "options", "answer", "question_type", "subfield")
LETTER_ONLY = "Answer with the letter of the right option and nothing else."
#: More options than this are a sign that the cell was misread.
MOST_OPTIONS = 26
SHORT = "Answer with a single word or a short phrase."


class MMMU(Scenario):
    """The validation questions, read from Parquet files in one folder for each subject.

    Most are multiple choice; the others are answered in a word. The placeholders of images in the
    text (``<image 1>``) are left as they are.

    Args:
        base_data_path: the folder with a folder for each subject.
        img_folder: the folder of the exported images, ``{id}_{n}.png`` with n from 0. If it is not
            given or does not exist, the images are read from the Parquet files.
        ppl: give ``(A``, ``(B``, ... as options to score; open questions have no options.
    """

    name = "MMMU"
    wording = "MMMU"
    has_wordings = False
    metric = "MMMU_Metric"
    protocols: ClassVar[Mapping[str, str]] = {"MMMU": "MMMU_Metric"}
    groupings = ("subject", "subfield", "question_type")

    def __init__(
        self, base_data_path: str, *, img_folder: str | None = None, ppl: bool = False
    ) -> None:
        self._root = user_path(base_data_path)
        exported = user_path(img_folder) if img_folder else None
        self._exported = exported if exported and exported.is_dir() else None
        self._ppl = ppl

    @cached_property
    def _table(self) -> JoinedRows:
        """All questions, in the order of the subjects; DataError where there are none."""
        files = [
            file
            for subject in SUBJECTS
            for file in sorted((self._root / subject).glob("validation-*.parquet"))
        ]
        if not files:
            raise DataError(
                "no subject of MMMU has a file validation-*.parquet",
                where=str(self._root),
                hint="set scenario_cfg.base_data_path to the folder with Accounting, Art, ...",
            )
        tables = [Parquet(file) for file in files]
        for table in tables:
            if missing := {*_TEXTS, *IMAGES} - {*table.columns}:
                raise DataError(f"has no column {', '.join(sorted(missing))}", where=table.path)
        return JoinedRows(str(self._root), tables)

    @cached_property
    def _ids(self) -> list[str]:
        return [str(usable(row)["id"]) for row in self._table.scan(["id"])]

    def __len__(self) -> int:
        return len(self._ids)

    def sample_id(self, index: int) -> str:
        return self._ids[index]

    def fingerprint(self) -> str:
        """A digest of the Parquet files, including the images in them."""
        paths = (self._table.locate(position)[0] for position in range(len(self)))
        return file_digest(*map(Path, dict.fromkeys(paths)))

    def __getitem__(self, index: int) -> Sample:
        name = self._ids[index]
        file, number = self._table.locate(range(len(self))[index])
        try:
            cells = self._table.read(range(len(self))[index])
            return self._sample(name, cells, tuple(self._images(name, cells, file, number - 1)))
        except SampleError as error:
            where = f"{file}: row {number - 1}"
            raise SampleError(error.what, where=where, hint=error.hint) from None

    def _sample(self, name: str, cells: Row, images: tuple[Image, ...]) -> Sample:
        fields: dict[str, Any] = {
            "question_type": cells["question_type"],
            "subject": subject_of(name),
            "subfield": cells["subfield"],
        }
        text = values.text(cells, "question").strip()
        if cells["question_type"] != "multiple-choice":
            return Sample(name, images, f"{text}\n{SHORT}", (), accepted(cells["answer"]), fields)
        choices = _choices(cells["options"])
        labels = letters(len(choices))
        listed = "".join(f"({label}) {text}\n" for label, text in zip(labels, choices, strict=True))
        answer = str(cells["answer"] or "").strip()
        if answer not in {*labels, "", "?"}:
            raise values.bad_value("answer", answer, f"a letter from A to {labels[-1]}, or ?")
        fields |= {"choices": choices, "labels": labels}
        if answer in labels:
            fields["gt_choice"] = labels.index(answer)
        return Sample(
            id=name,
            images=images,
            question=f"{text}\n{listed}{LETTER_ONLY}",
            options=tuple(f"({label}" for label in labels) if self._ppl else (),
            answer=f"({answer})" if answer in labels else None,
            fields=fields,
        )

    def _images(self, name: str, cells: Row, file: str, number: int) -> Iterator[Image]:
        for place, column in enumerate(IMAGES):
            if (shown := cells[column]) is None:
                continue
            exported = self._exported / f"{name}_{place}.png" if self._exported else None
            # An absent image may be stored as a struct without content.
            if exported and (shown["path"] is not None or exported.is_file()):
                yield Image(exported)
            elif exported is None and shown["bytes"] is not None:
                where = {"path": file, "row": number, "column": column}
                yield Image(shown["bytes"], f"{file}: row {number}, {column}", where)


def subject_of(name: str) -> str:
    """The subject in the id of a question.

    >>> subject_of("validation_Art_Theory_12")
    'Art_Theory'
    """
    return name.partition("_")[2].rpartition("_")[0]


def accepted(answer: str) -> list[str] | None:
    """The accepted answers of an open question; None if the answer is hidden.

    >>> accepted("['1/4', '0.25']"), accepted("6"), accepted("?")
    (['1/4', '0.25'], ['6'], None)
    """
    text = "" if answer is None else str(answer).strip()
    if text in {"", "?"}:
        return None
    found = list_literal(text) if text.startswith("[") else None
    return [str(item) for item in found] if found else [text]


def _choices(cell: Any) -> list[str]:
    found = list_literal(cell) if isinstance(cell, str) else cell
    if not isinstance(found, list) or not 2 <= len(found) <= MOST_OPTIONS:
        raise values.bad_value("options", cell, f"a list of 2 to {MOST_OPTIONS} texts")
    return [item.strip() for item in values.texts({"options": found}, "options", blank=True)]
