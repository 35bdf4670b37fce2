"""What the benchmarks of VLMEvalKit share: rows that are laid out as their family is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from chef.common.logs import logger
from chef.common.options import letters, list_literal
from chef.errors import DataError, SampleError
from chef.image import Image
from chef.scenario.base import ColumnUse
from chef.scenario.questions.family import Family, Kind
from chef.scenario.questions.question import OPEN, Question
from chef.scenario.tsv.scenario import Tsv
from chef.scenario.vlmevalkit.table import (
    Entry,
    check_digest,
    find_file,
    registered_name,
    root_folder,
)

_log = logger(__name__)


Cells = Mapping[str, str]

#: What an answer of each type is called where a judge is told what to look for.
_FORMS = {"integer": "a whole number", "list": "a list of numbers", "text": "a short text"}


class NamedBenchmark(Tsv):
    """A benchmark of VLMEvalKit's table; its file is ``NAME.tsv`` in the data root.

    The data root is ``$LMUData`` if that is a folder, else ``~/LMUData``; images are in the file,
    or in ``images/`` of the data root.

    Args:
        data_root: another data root; on the command line also ``--data_root DIR``.
        image_root: another folder for image files.
        check_md5: compare the file with the digest that VLMEvalKit states, where it is known.
        option_content: score the texts of the options instead of their labels.
        skip_noimg: leave out rows without an image, where the file has a column ``image``.

    Raises:
        DataError: the file is missing, has another digest, or cannot be read as a table.
    """

    entry: ClassVar[Entry]
    may_have_turns = True
    paths: ClassVar[Sequence[str]] = ("data_root", "image_root")
    groupings = ("category", "l2-category", "split", "setting")

    def __init__(
        self,
        *,
        data_root: str | None = None,
        image_root: str | None = None,
        check_md5: bool = True,
        option_content: bool = False,
        skip_noimg: bool = True,
        split: str | None = None,
        category: str | None = None,
    ) -> None:
        known, root, family = self.entry, root_folder(data_root), self.told_family()
        images = root / "images" / known.images
        super().__init__(
            path=str(file_of(known, root, check_md5=check_md5)),
            name=known.name,
            kind=_kind_of_rows(family) if family else None,
            image_root=image_root or str(images),
            option_content=option_content,
            split=split,
            category=category,
        )
        if skip_noimg:
            self._skip_rows_without_image()
        self.random_accuracy = self._chance()

    def told_family(self) -> Family | None:
        """How the rows are asked; None: by the columns of the file."""
        return self.entry.family

    def _family(self) -> Family:
        return self.entry.family

    def column_use(self) -> ColumnUse | None:
        """None: the columns of a benchmark of the table are known."""
        return None

    def _skip_rows_without_image(self) -> None:
        """Leave out the rows without an image, as VLMEvalKit does; DataError if none has one."""
        rows = self._index.rows
        kept = [place for place in self._survey.positions if rows[place].has_image]
        if self._survey.problems.keys() >= {*kept}:
            raise DataError(
                "no row has an image",
                where=self._index.path,
                hint="set skip_noimg: false in scenario_cfg to ask without images",
            )
        if left_out := len(self._survey.positions) - len(kept):
            message = "%s: %d rows without an image are left out (skip_noimg: false asks them)"
            _log.info(message, self.name, left_out)
        self._survey.positions = kept

    def _check_columns(self) -> None:
        """As in any table; of multiple choice, question and options may be in the picture."""
        if self.kind != "mcq":
            super()._check_columns()

    def group(self, index: int) -> str | None:
        """The question that the row is a rotation of, or what the metric scores as one."""
        name = self.sample_id(index)
        if name in self._blocks:
            return f"block {self._blocks[name][0]}"
        if self.family.metric == "HallusionBench" and len(parts := name.split("_")) == 6:
            # A set is asked with and without its figure (field 2), about several figures.
            return f"{parts[0]}_{parts[1]}/{parts[3]}"
        if self.family.metric == "MMEVQA":
            row = self._index.rows[self._survey.positions[index]]
            image = row.image_path
            return f"{row.light.get('category', '')}/{image}" if image else None
        return super().group(index)

    def _block(self, name: str) -> dict[str, int]:
        """Which block of rows a sample is of, and its place in it, for the metrics of blocks."""
        if name not in self._blocks:
            return {}
        block, place = self._blocks[name]
        return {"block": block, "block_place": place}

    @cached_property
    def _blocks(self) -> Mapping[str, tuple[int, int]]:
        """The block and the place in it of each row, where rows are scored in blocks; counted in
        the whole file, so a row that is left out moves none.
        """
        if not self.family.block:
            return {}
        rows = [*self._survey.places]
        if all(map(str.isdecimal, rows)):
            rows.sort(key=int)
        return {name: divmod(number, self.family.block) for number, name in enumerate(rows)}

    def _scored_by(
        self, position: int, cells: Mapping[str, str], asked: Question, images: tuple[Image, ...]
    ) -> dict[str, Any]:
        block = self._block(self._survey.id(position))
        return {**self._by_metric(cells, asked.form, images), **block}

    def _by_metric(
        self, cells: Mapping[str, str], form: str, images: tuple[Image, ...]
    ) -> dict[str, Any]:
        """What the metric of the family reads."""
        category = cells.get("category", "")
        if self.family.metric == "MMMU_Metric":
            kind = "open" if form == OPEN else "multiple-choice"
            return {"subject": category or "other", "question_type": kind}
        if self.family.metric == "MathVista":
            return mathvista_fields(cells)
        if self.family.metric == "MMEVQA":
            # Where the file names no images, equal images are the pair of questions.
            shown = cells.get("image_path") or (images[0].digest if images else "")
            return {"task_type": category or "other", "image_path": shown}
        return {}


def file_of(known: Entry, root: Path, *, check_md5: bool) -> Path:
    """The file of a benchmark; DataError if it is missing, or not of VLMEvalKit's digest."""
    fetch = registered_name(known.name) if known.benchmark.url else None
    file = find_file(root, known.file_names, fetch)
    if check_md5 and known.benchmark.md5:
        again = f": remove it, then `chef prepare {fetch}`" if fetch else ""
        check_digest(file, known.benchmark.md5, "VLMEvalKit's", f"fetch it again{again}")
    return file


def _kind_of_rows(family: Family) -> Kind:
    """The kind that the reader of tables knows."""
    return "vqa" if family.kind == "turns" else family.kind


def mathvista_fields(cells: Cells) -> dict[str, Any]:
    """The fields of a row: type of the answer, precision, choices, the right one, task and skills.

    SampleError where a cell cannot be read, or the right choice is not among the choices.
    """
    fields: dict[str, Any] = {"answer_type": cells.get("answer_type", "").strip() or "text"}
    if (precision := _precision(cells)) is not None:
        fields["precision"] = precision
    fields["answer_form"] = _form(fields["answer_type"], precision)
    if cells.get("question_type", "").strip().startswith("multi"):
        fields |= {**_choices(cells), "answer_form": "the text of one of the choices"}
    if task := cells.get("task", "").strip():
        fields["task"] = task
    if skills := _listed(cells.get("skills", "")):
        fields["skills"] = skills
    return fields


def _choices(cells: Cells) -> dict[str, Any]:
    texts = _listed(cells.get("choices", ""))
    labels = letters(len(texts))
    if not texts:
        raise SampleError(
            f"the column 'choices' holds no list: {cells.get('choices', '')[:60]!r}",
            hint='write a JSON list of strings: ["first choice", "second choice"]',
        )
    option, answer = cells.get("answer_option", "").strip(), cells.get("answer", "").strip()
    choices: dict[str, Any] = {"choices": texts, "labels": list(labels)}
    if option in labels:
        return {**choices, "gt_choice": list(labels).index(option)}
    if answer in texts:
        return {**choices, "gt_choice": texts.index(answer)}
    if option or answer:
        raise SampleError(
            f"the answer {(option or answer)[:60]!r} is not among the choices",
            hint="write its letter in 'answer_option', or its text in 'answer'",
        )
    return choices


def _precision(cells: Cells) -> int | None:
    cell = cells.get("precision", "").strip()
    try:
        return int(float(cell)) if cell else None
    except (ValueError, OverflowError):
        raise SampleError(
            f"the precision {cell[:60]!r} is no number", hint="write the number of decimals"
        ) from None


def _form(kind: str, precision: int | None) -> str:
    if kind == "float":
        many = "a decimal number" if precision is None else f"a number with {precision} decimals"
        return many.replace("1 decimals", "1 decimal")
    return _FORMS.get(kind, "a short answer")


def _listed(cell: str) -> list[str]:
    """The texts of a list literal, or of a list with commas."""
    found = list_literal(cell.strip())
    if found is None:
        found = [part.strip() for part in cell.split(",")] if not cell.startswith("[") else []
    return [str(item) for item in found if str(item).strip()]
