"""MMMU: college questions in thirty subjects, with up to seven images.

Source: Yue et al. 2024, "MMMU: A Massive Multi-discipline Multimodal Understanding and Reasoning
Benchmark for Expert AGI".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from chef.common.digest import file_digest
from chef.common.options import letters, list_literal
from chef.errors import DataError, DependencyError, SampleError
from chef.image import Image
from chef.scenario.base import Scenario
from chef.scenario.records import values
from chef.types import Sample

if TYPE_CHECKING:
    import pyarrow as pa

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


class MMMUCells(NamedTuple):
    """One question: its cells, and the file and row of its images."""

    file: Path
    number: int
    cells: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.cells["id"])

    @property
    def where(self) -> str:
        return f"{self.file}: row {self.number}"


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
        self._root = Path(base_data_path).expanduser()
        exported = Path(img_folder).expanduser() if img_folder else None
        self._exported = exported if exported and exported.is_dir() else None
        self._ppl = ppl
        self._pictures = lru_cache(maxsize=4)(_pictures)

    @cached_property
    def _rows(self) -> list[MMMUCells]:
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
        return [row for file in files for row in _read(file)]

    def __len__(self) -> int:
        return len(self._rows)

    def sample_id(self, index: int) -> str:
        return self._rows[index].id

    def fingerprint(self) -> str:
        """A digest of the Parquet files, including the images in them."""
        return file_digest(*dict.fromkeys(row.file for row in self._rows))

    def __getitem__(self, index: int) -> Sample:
        row = self._rows[index]
        try:
            return self._sample(row)
        except SampleError as error:
            raise SampleError(error.what, where=row.where, hint=error.hint) from None

    def _sample(self, row: MMMUCells) -> Sample:
        cells = row.cells
        fields: dict[str, Any] = {
            "question_type": cells["question_type"],
            "subject": subject_of(row.id),
            "subfield": cells["subfield"],
        }
        text = values.text(cells, "question").strip()
        images = tuple(self._images(row))
        if cells["question_type"] != "multiple-choice":
            return Sample(row.id, images, f"{text}\n{SHORT}", (), accepted(cells["answer"]), fields)
        choices = _choices(cells["options"])
        names = letters(len(choices))
        listed = "".join(f"({name}) {text}\n" for name, text in zip(names, choices, strict=True))
        answer = str(cells["answer"] or "").strip()
        if answer not in {*names, "", "?"}:
            raise values.bad_value("answer", answer, f"a letter from A to {names[-1]}, or ?")
        fields |= {"choices": choices, "labels": names}
        if answer in names:
            fields["gt_choice"] = names.index(answer)
        return Sample(
            id=row.id,
            images=images,
            question=f"{text}\n{listed}{LETTER_ONLY}",
            options=tuple(f"({name}" for name in names) if self._ppl else (),
            answer=f"({answer})" if answer in names else None,
            fields=fields,
        )

    def _images(self, row: MMMUCells) -> list[Image]:
        shown = [place for place, key in enumerate(IMAGES) if row.cells[key] is not None]
        if self._exported is not None:
            files = {place: self._exported / f"{row.id}_{place}.png" for place in shown}
            # An absent image may be stored as a struct without content.
            named = [place for place in shown if row.cells[IMAGES[place]]["path"] is not None]
            return [
                Image(file) for place, file in files.items() if place in named or file.is_file()
            ]
        pictures = self._pictures(row.file)
        found = {place: pictures[IMAGES[place]][row.number]["bytes"] for place in shown}
        return [
            Image(
                content,
                f"{row.where}, {IMAGES[place]}",
                {"path": str(row.file), "row": row.number, "column": IMAGES[place]},
            )
            for place, content in found.items()
            if content is not None
        ]


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


def _read(file: Path) -> list[MMMUCells]:
    """The questions of a file; of the images only their paths are read."""
    table = _table(file, [*_TEXTS, *(f"{key}.path" for key in IMAGES)])
    return [MMMUCells(file, number, cells) for number, cells in enumerate(table.to_pylist())]


def _pictures(file: Path) -> dict[str, list[Any]]:
    """The images of a file by column, then row: ``{"bytes": ..., "path": ...}`` or None."""
    return {key: _table(file, [key])[key].to_pylist() for key in IMAGES}


def _table(file: Path, columns: list[str]) -> pa.Table:
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise DependencyError(
            "reading MMMU needs pyarrow", hint="pip install 'chef-eval[hub]'"
        ) from error
    try:
        table = pq.ParquetFile(file).read(columns=columns)
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read: {error}", where=str(file)) from None
    wanted = {column.partition(".")[0] for column in columns}
    if missing := wanted - set(table.column_names):
        raise DataError(f"has no column {', '.join(sorted(missing))}", where=str(file))
    return table
