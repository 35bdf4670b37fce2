"""What every table has as a scenario, whatever its format, its columns and its rules for images.

What a recipe asks of a table is checked against its columns, and it is noted which became what.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from chef.common.digest import content_digest
from chef.errors import ConfigError, DataError, SampleError
from chef.image import Image
from chef.scenario.base import ColumnUse, Scenario
from chef.scenario.questions.family import Kind
from chef.scenario.questions.question import Question
from chef.scenario.table.columns import ROLES, Columns, Template, check_column, columns_hint
from chef.scenario.table.images import ENDINGS, RowImages
from chef.scenario.table.listed import COLUMNS, PARTS
from chef.scenario.table.questions import Survey, as_where, asks_yes_no
from chef.scenario.table.rows import Problem, Row, RowTable, top_column, usable, value_at
from chef.types import Sample

#: Names of fields that metrics read; a column that is kept cannot have them.
_RESERVED = ("id", "question", "options", "gt_answers", "choices", "labels", "gt_choice", "answer")


#: Columns that may name images without the ending of their files.
_IMAGE_IDS = ("imageid", "imgid", "dataid")
#: Longer texts are no names of files.
_NAME = 1024
#: So many questions are looked at where answers are 0 and 1.
_LOOKED_AT = 100
#: What programs call a column without a name, such as the row numbers of pandas.
_NAMELESS = re.compile(r"|Unnamed: \d+|__index_level_\d+__")
#: So many places within columns are named in a message.
_MAX_INNER = 20


def with_row_numbers(columns: Columns, table: RowTable) -> Columns:
    """The columns, of a stream without the id, which is not known; ConfigError if named."""
    if table.is_whole or not columns.id:
        return columns
    if "id" not in columns.recognized:
        raise ConfigError(
            "the ids of a stream are not known before it has been read",
            where="scenario_cfg.columns.id",
            hint="remove it: the ids are the numbers of the rows; or set streaming: false",
        )
    return replace(columns, id=())


def wanted_values(
    where: Mapping[str, Any] | None, split: str | None, columns: Columns, table: RowTable
) -> dict[str, list[str]]:
    """The values that rows need, by column: ``where`` and the split; ConfigError, DataError if
    none.
    """
    wanted: dict[str, list[str]] = {}
    for column, value in (where or {}).items():
        check_column(column, table.columns, table.path, "scenario_cfg.where")
        values = value if isinstance(value, list) else [value]
        wanted[column] = [as_where(item) for item in values]
    if split is not None:
        if not columns.split:
            raise DataError(
                "has no column with the split",
                where=table.path,
                hint="remove split from scenario_cfg, or name the column: columns: {split: ...}",
            )
        wanted[columns.split[0]] = [split]
    if wanted and not table.is_whole:
        raise ConfigError(
            "rows of a stream cannot be chosen by their values",
            where="scenario_cfg.where",
            hint="remove it, or set streaming: false",
        )
    return wanted


def checked_keep(keep: Sequence[str], table: RowTable, path: str) -> tuple[str, ...]:
    """The columns that results are grouped by; ConfigError if missing, or if metrics read it."""
    for column in keep:
        check_column(column, table.columns, path, "scenario_cfg.keep")
        if column in _RESERVED:
            raise ConfigError(
                f"'{column}' is a name that metrics read",
                where="scenario_cfg.keep",
                hint="rename the column in the data",
            )
    return tuple(keep)


def with_image_ids(columns: Columns, told: Collection[str], table: RowTable, root: Path) -> Columns:
    """The columns with one of image ids, if it names files of the root and no other has images."""
    ids = [name for name in table.columns if _is_image_id(name)]
    if columns.images or {"image", "images"} & {*told} or not ids:
        return columns
    if not (files := picture_columns(_first(table), ids, root)):
        return columns
    recognized = (*columns.recognized, "images")
    return replace(columns, images=(files[0],), recognized=recognized)


def kind_of(columns: Columns, survey: Survey, template: Template | None, table: RowTable) -> Kind:
    """The kind of the questions, where the recipe does not say it."""
    if columns.options:
        return "mcq"
    if template is None and columns.are_captions:
        return "caption"
    if survey.answers.all_bits and _ask_yes_no(columns, template, table):
        return "yesno"
    return "yesno" if survey.answers.all_yes_no else "vqa"


def _ask_yes_no(columns: Columns, template: Template | None, table: RowTable) -> bool:
    """Whether the first questions all ask for yes or no."""
    if not columns.question:
        return template is not None and asks_yes_no("".join(text for text, _ in template.parts))
    (column,) = columns.question
    rows = islice(table.scan([top_column(column, table.columns)]), _LOOKED_AT)
    texts = [value_at(row, column) for row in rows if not isinstance(row, Problem)]
    return all(isinstance(text, str) and asks_yes_no(text) for text in texts)


def check_roles(
    kind: Kind, columns: Columns, template: Template | None, table: RowTable, path: str
) -> None:
    """ConfigError where there are no columns for what the kind of question needs."""
    if kind != "caption" and template is None and not columns.question:
        hint = f"name it: columns: {{question: ...}}; {columns_hint('question', table.columns)}"
        if inner := inner_columns(_first(table)):
            hint += f"; within them: {', '.join(inner)}"
        if all(name.isdecimal() or name == "id" for name in table.columns):
            hint = "write the table with to_json(..., orient='records')"
        if any(name.endswith("?") or name.lower().endswith(ENDINGS) for name in table.columns):
            hint = "its first line is a row, not the names of columns: write image,question,answer"
        raise ConfigError(
            f"no column of {path} is known to hold the question",
            where="scenario_cfg.columns",
            hint=f"{hint}; captions need none: kind: caption; one for all rows: template: TEXT",
        )
    if kind == "mcq" and not columns.options:
        raise ConfigError(
            f"no column of {path} is known to hold the options",
            where="scenario_cfg.columns",
            hint=f"name it: columns: {{options: ...}}; {columns_hint('options', table.columns)}; "
            "the same for all rows: options: [red, blue]",
        )


def roles_of(columns: Columns) -> dict[str, tuple[str, ...]]:
    """The columns of each role that has some, as a recipe calls the roles."""
    return {role.replace("l2_", "l2-"): columns.of(role) for role in ROLES if columns.of(role)}


def missing_roles(columns: Columns, given: Mapping[str, Any]) -> list[str]:
    """Of ``images`` and ``answer`` those that no column has, and ``columns`` does not name."""
    said = {str(key).replace("image", "images").replace("imagess", "images") for key in given}
    return [role for role in ("images", "answer") if not columns.of(role) and role not in said]


def column_use(
    roles: Mapping[str, tuple[str, ...]],
    table: RowTable,
    further: Collection[str],
    missing: Sequence[str],
    root: Path,
    *,
    headers: Mapping[str, str] | None = None,
) -> ColumnUse:
    """What the columns are used for: roles, ``further`` ones (of the template, kept, chosen by).

    ``headers`` are what a column of a missing role has to be called; the first row shows which one
    looks like it.
    """
    named = (*further, *(name for names in roles.values() for name in names))
    used = {top_column(name, table.columns) for name in named}
    if {*PARTS} & used:
        used.update((*PARTS, *COLUMNS))
    rest = tuple(name for name in table.columns if name not in used)
    unused = tuple(name for name in rest if not _NAMELESS.fullmatch(name))
    is_within = any(name not in table.columns for name in named)
    if not missing or not (rest or is_within):
        return ColumnUse(roles, unused, {}, headers or {})
    first = _first(table)
    pictures = picture_columns(first, rest, root)
    names = {*unused, *pictures}  # a table may have 60,000 columns
    unused = tuple(name for name in rest if name in names)
    if is_within and "images" in missing and not pictures:
        within = [name for name in inner_columns(first) if name not in named]
        pictures = [name for name in within if _is_picture(first, name, root)]
        unused += tuple(pictures)
    if not unused:
        return ColumnUse(roles, unused, {}, headers or {})
    others = [name for name in unused if name not in pictures]
    alike = {"images": pictures[:1], "answer": others if len(others) == 1 else []}
    lacking = {role: next(iter(alike[role]), "") for role in missing}
    return ColumnUse(roles, unused, lacking, headers or {})


def picture_columns(row: Row, columns: Sequence[str], root: Path) -> list[str]:
    """The columns whose cell holds images: files that are there, bytes, base64, addresses."""
    return [
        name
        for name in columns
        if row.get(name)
        and (_is_image_id(name) or not _is_bare(row[name]))
        and _is_picture(row, name, root)
    ]


def _is_bare(value: Any) -> bool:
    """Whether a value is a number or a word, which could be the name of a file by chance."""
    return isinstance(value, int) or (isinstance(value, str) and not {*"./"} & {*value[:_NAME]})


def _is_image_id(column: str) -> bool:
    return column.replace("_", "").casefold() in _IMAGE_IDS


def inner_columns(row: Row) -> list[str]:
    """Where texts stand within the columns of a row, as a recipe names them; at most 20.

    >>> inner_columns({"id": 1, "meta": {"qa": [{"q": "What?", "a": "cat"}]}})
    ['meta.qa.0.q', 'meta.qa.0.a']
    """
    named: list[str] = []
    todo: list[tuple[str, Any]] = [*reversed([*row.items()])]
    while todo and len(named) < _MAX_INNER:
        name, value = todo.pop()
        if isinstance(value, list | tuple):
            value = dict(enumerate(value))
        if isinstance(value, Mapping):
            todo += [(f"{name}.{key}", value[key]) for key in reversed([*value])]
        elif "." in name and isinstance(value, str) and name not in row:
            named.append(name)
    return named


def _is_picture(row: Row, column: str, root: Path) -> bool:
    try:
        return bool(RowImages(root, [column]).of(row, ("", 1)))
    except SampleError:
        return False


def _first(table: RowTable) -> Row:
    """The first row that can be read."""
    rows = table.scan(table.columns)
    return next((row for row in rows if not isinstance(row, Problem)), {})


class TableScenario(Scenario):
    """The rows of a table as samples; a row is read when its sample is made.

    A subclass sets ``_table`` and ``_survey`` in ``__init__``, and says what a row asks. A row that
    cannot be used becomes one `SampleError` with its number; the others are not affected.
    """

    _table: RowTable
    _survey: Survey
    #: What the column of the ids is called in errors.
    _id_column: ClassVar[str] = "id"

    @property
    def is_own(self) -> bool:  # type: ignore[override]
        """See `Scenario.is_own`; a stream may run the code of a data set."""
        return type(self).__module__.startswith("chef.") and self._table.is_whole

    def __len__(self) -> int:
        return len(self._survey.positions)

    def sample_id(self, index: int) -> str:
        return self._survey.id(self._survey.positions[index])

    def __getitem__(self, index: int) -> Sample:
        position = self._survey.positions[index]
        try:
            if (problem := self._survey.problems.get(position)) is not None:
                usable(problem)
            row = self._table.read(position)
            return self._made(position, row, self._images(position, row))
        except SampleError as error:
            where = self._where(position)
            raise SampleError(error.what, where=where, hint=error.hint) from None

    def fingerprint(self) -> str:
        """A digest of the columns that were looked at, or of the data set."""
        return self._table.fingerprint() or self._survey.digest

    def row_state(self) -> str:
        """The size of the files, when they were written, and what is concluded from all rows."""
        state = self._table.state()
        return repr((state, self._common)) if state else ""

    def row_digests(self) -> dict[str, str]:
        """A digest of each row by the id of its sample; image files are not read."""
        numbers = {position: number for number, position in enumerate(self._survey.positions)}
        return {
            self._survey.id(position): content_digest(
                digest, repr(self._from_others(numbers[position])), size=8
            )
            for position, digest in enumerate(self._table.digests())
            if position in numbers
        }

    def outlines(self) -> Iterator[Sample | None]:
        """The samples without their images, whose columns are not read; None for invalid rows."""
        if not self._table.is_whole:
            yield from super().outlines()
            return
        unread = self._image_columns()
        rows = self._table.scan([name for name in self._table.columns if name not in unread])
        numbers = {position: number for number, position in enumerate(self._survey.positions)}
        for position, row in enumerate(rows):
            if position not in numbers:
                continue
            if isinstance(row, Problem) or position in self._survey.problems:
                yield None
                continue
            try:
                yield self._made(position, row, ())
            except SampleError:  # perhaps because the question names its images
                yield self._whole(numbers[position])

    def _whole(self, index: int) -> Sample | None:
        try:
            return self[index]
        except SampleError:
            return None

    @property
    @abstractmethod
    def _common(self) -> tuple[object, ...]:
        """What all samples have from other rows than their own."""

    def _from_others(self, index: int) -> object:  # noqa: ARG002
        """What a sample has from other rows than its own."""
        return self._common

    @abstractmethod
    def _image_columns(self) -> Sequence[str]:
        """The columns that hold images, which need not be read for the texts."""

    @abstractmethod
    def _images(self, position: int, row: Row) -> tuple[Image, ...]:
        """The images of a row; SampleError where a cell holds something else, or names no file."""

    @abstractmethod
    def _asked(self, row: Row, images: int) -> Question:
        """What a row with so many images asks; SampleError where that cannot be read."""

    @abstractmethod
    def _fields(
        self, position: int, row: Row, asked: Question, images: tuple[Image, ...]
    ) -> dict[str, Any]:
        """The fields of a sample besides those of its question: its groups, what metrics read."""

    def _made(self, position: int, row: Row, images: tuple[Image, ...]) -> Sample:
        """The sample of a row with these images."""
        asked = self._asked(row, len(images))
        return Sample(
            id=self._survey.id(position),
            images=images,
            question=asked.question,
            options=asked.options,
            answer=asked.answer,
            fields={**asked.fields, **self._fields(position, row, asked, images)},
            turns=asked.turns,
            image_marks=asked.image_marks,
            form=asked.form,
        )

    def _where(self, position: int) -> str:
        """The place of a row, for error messages."""
        path, number = self._table.locate(position)
        place = f"{path}: row {number}"
        if self._survey.ids is None or position in self._survey.problems:
            return place
        return f"{place} ({self._id_column} '{self._survey.id(position)}')"
