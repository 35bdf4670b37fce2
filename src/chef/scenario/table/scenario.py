"""Any table of data as a benchmark: the recipe says which column holds what."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from chef.common.logs import logger
from chef.errors import ConfigError
from chef.guard.files import user_path
from chef.image import Image
from chef.scenario.base import ColumnUse
from chef.scenario.questions.family import OWN, Kind
from chef.scenario.questions.question import Question
from chef.scenario.questions.values import Transform
from chef.scenario.table.answers import Reading
from chef.scenario.table.base import (
    TableScenario,
    check_roles,
    checked_keep,
    column_use,
    kind_of,
    missing_roles,
    roles_of,
    wanted_values,
    with_image_ids,
    with_row_numbers,
)
from chef.scenario.table.columns import (
    Template,
    check_template,
    find_columns,
)
from chef.scenario.table.delimited import Delimited
from chef.scenario.table.images import RowImages
from chef.scenario.table.listed import (
    DECIMAL_COMMAS,
    FROM_QUESTIONS,
    LETTERS_ALONE,
    OWN_LABELS,
    SameOptions,
    same_options,
    were_labelled,
    with_conversations,
    with_listed_options,
    with_options,
    with_transforms,
)
from chef.scenario.table.opening import Format
from chef.scenario.table.questions import Questions, as_where, look_at, named
from chef.scenario.table.rows import Row, top_column, value_at
from chef.scenario.table.sources import HubKeys, open_source

_log = logger(__name__)
_KIND_NAMES = {"mcq": "multiple choice", "yesno": "yes/no", "vqa": "free answers",
               "caption": "captions"}  # fmt: skip
_READINGS = {"from 0": "positions from 0", "from 1": "positions from 1"}


class Records(TableScenario):
    """The rows of any table: JSON, CSV, TSV, Parquet, Arrow, .xlsx, images, or a set of the hub.

    Each row is a question. Columns with usual names are recognized (question, query, prompt;
    image, images; options, choices, or A, B, ...; answer, label, gt; id, index; hint, category,
    split), and a note says which; ``columns`` names others. A row that cannot be used becomes one
    `SampleError` with the file, its number and the column; the others are not affected. Rows are
    numbered from 1. Memory holds the position and the id of each row, not its content.

    Options are a list, its text in JSON, or a column each; where every answer is the letter of an
    option in the text of its question ("Which? A. red B. blue"), they are read from there. Labels
    that all options of a row begin with ("A. red") are left out. An answer is a letter, the text of
    an option, or its position; of other questions a text, a list of accepted texts, or yes and no.
    Images are bytes, ``{bytes, path}``, base64, paths, addresses, or lists of these.

    Args:
        path: the file, or a folder with files of one format or with images; with ``source: hub``,
            ``owner/name`` of the data set, or a folder that the library `datasets` wrote.
        columns: the column of each role (question, images, options, answer, id, hint, category,
            l2-category, split); a list for several images or options, null for none. A column
            within another is written ``meta.topic``.
        transforms: what becomes of a column before it is read, by its role: ``{answer:
            after_hashes}`` (text, known, yes_no, verdict, first, list, commas, lines, after_hashes,
            stem, base64).
        template: the text of the question, with columns in braces: "{context} {question}". With
            ``{options}`` it says where the options stand; else they follow it.
        kind: the kind of questions; default: ``mcq`` if there are options, ``yesno`` if every known
            answer is yes or no (true or false), else ``vqa``.
        options: the options of all questions, where no column has them: a list of texts, or
            ``answers``, the different answers of the table (of images, the names of their folders).
        answers: what the answers of multiple choice are; default: each is a letter or a text; if
            they are numbers that are no texts of the options, positions.
        option_content: score the texts of the options instead of the letters ``(A``, ``(B``...
        keep: further columns by which results can be grouped (``--by``).
        where: take only the rows with these values, by column; a value or a list of values.
        rows: take only the first so many rows.
        image_root: the folder that image paths are relative to; default: the folder of the file.
        name: the name of the folder of results; default: that of the file.
        format: the format of the file; default: as its name says.
        within: the key of the list, if a JSON file contains a mapping.
        source: ``hub`` reads a data set with the library `datasets`.
        split: the split of the data set; of a folder, the files whose names begin with it; of a
            file, the rows of this split.
        config: the configuration of a data set of the hub.
        revision: the branch, tag or commit of a data set of the hub.
        streaming: read a data set of the hub as it is needed, without downloading it first.

    Raises:
        ConfigError: a column is not in the table, or the question is in none.
        DataError: the data is missing, empty, damaged or of another kind, or no row can be used.
        DependencyError: the package that reads it is not installed.
    """

    may_have_turns = False

    def __init__(
        self,
        *,
        path: str,
        columns: dict[str, Any] | None = None,
        transforms: dict[str, Transform] | None = None,
        template: str | None = None,
        kind: Kind | None = None,
        options: SameOptions | None = None,
        answers: Reading | None = None,
        option_content: bool = False,
        keep: list[str] | None = None,
        where: dict[str, Any] | None = None,
        rows: int | None = None,
        image_root: str | None = None,
        name: str | None = None,
        format: Format | None = None,  # noqa: A002 (a key of recipes)
        within: str | None = None,
        source: Literal["file", "hub"] = "file",
        split: str | None = None,
        config: str | None = None,
        revision: str | None = None,
        streaming: bool = False,
    ) -> None:
        if rows is not None and rows < 1:
            raise ConfigError(f"rows is {rows}", where="scenario_cfg.rows", hint="give 1 or more")
        local = user_path(path)
        hub = HubKeys(config, revision, streaming)
        self._table, split = open_source(
            path, source, split=split, hub=hub, rows=rows, kind=format, within=within
        )
        commas = isinstance(self._table, Delimited) and self._table.has_decimal_commas
        if template is None and "question" not in (columns or {}):
            self._table = with_conversations(self._table)
        found = find_columns(self._table.columns, columns or {}, path)
        self._table = table = with_transforms(self._table, found, transforms or {})
        self._options: Sequence[str] = ()
        if options is not None:
            self._options = texts = same_options(table, found, options)
            self._table = table = with_options(table, found, texts)
            found = replace(found, options=("options",))
        folder = local if local.is_dir() else local.parent
        root = user_path(image_root) if image_root else folder
        found = with_row_numbers(with_image_ids(found, columns or (), table, root), table)
        filled = Template.read(template) if template is not None else None
        if filled is not None:
            check_template(filled, table.columns, found, path)
        self._keep = checked_keep(keep or [], table, path)
        values = wanted_values(where, split, found, table)
        self._survey = survey = look_at(table, found, values, rows)
        listed = None
        if kind in (None, "mcq") and "options" not in (columns or {}):
            listed = with_listed_options(table, found, survey)
        if listed is not None:
            self._table = table = listed
            found = replace(found, options=("options",))
            self._survey = survey = look_at(table, found, values, rows)
        self.columns = found
        self.kind = kind or kind_of(found, survey, filled, table)
        check_roles(self.kind, found, filled, table, path)
        reading = answers or ("text" if options else survey.answers.reading())
        self._questions = Questions(
            found, self.kind, reading, filled, option_content, names=table.names,
            decimal_commas=commas or survey.answers.has_decimal_commas,
        )  # fmt: skip
        beside = image_root is None and local.is_dir()
        self._pictures = RowImages(root, found.images, beside=beside)
        further = {*(filled.names if filled else ()), *self._keep, *(where or ())}
        missing = missing_roles(found, columns or {})
        self._use = replace(
            column_use(roles_of(found), table, further, missing, self._pictures.root),
            kind=self._told_kind(
                is_told=answers is not None, is_listed=listed is not None, is_chosen=kind == "vqa"
            ),
        )
        whole = local.resolve().name if local.is_dir() else local.name
        self.name = name or (whole if local.is_dir() or source == "hub" else local.stem)
        self.wording, self.metric = OWN[self.kind].wording, OWN[self.kind].metric
        self.random_accuracy = self._chance()
        _tell(path, len(self), self._use)

    @classmethod
    def grouped_by(cls, keys: Mapping[str, Any] | None = None) -> dict[str, str]:
        """The usual groupings and the columns that are kept."""
        kept = (keys or {}).get("keep") or ()
        return super().grouped_by() | {column: column for column in kept}

    def column_use(self) -> ColumnUse:
        """Which column became what, and which are not used."""
        return self._use

    @property
    def _common(self) -> tuple[object, ...]:
        """What the samples have from other rows than their own."""
        commas = ("decimal commas",) if self._survey.answers.has_decimal_commas else ()
        return self.kind, self._questions.reading, *commas, *self._options

    def _image_columns(self) -> list[str]:
        return [top_column(name, self._table.columns) for name in self.columns.images]

    def _images(self, position: int, row: Row) -> tuple[Image, ...]:
        return self._pictures.of(row, self._table.locate(position)) if self.columns.images else ()

    def _asked(self, row: Row, images: int) -> Question:
        return self._questions.ask(row, images)

    @cached_property
    def _group_columns(self) -> Mapping[str, str]:
        """The columns by which samples are grouped, by the names of the fields."""
        given = {"category": self.columns.category, "l2-category": self.columns.l2_category,
                 "split": self.columns.split}  # fmt: skip
        columns = {field: one[0] for field, one in given.items() if one}
        return columns | dict(zip(self._keep, self._keep, strict=True))

    def _fields(
        self,
        position: int,  # noqa: ARG002
        row: Row,
        asked: Question,  # noqa: ARG002
        images: tuple[Image, ...],  # noqa: ARG002
    ) -> dict[str, Any]:
        """The fields by which the sample is grouped."""
        names, groups = self._table.names, dict[str, Any]()
        for name, column in self._group_columns.items():
            if text := as_where(named(value_at(row, column), names.get(column))):
                groups[name] = text
        return groups

    def _chance(self) -> float | None:
        """The score of random guessing, over the rows with an answer if there are any."""
        is_known = self._table.is_whole or self.kind == "yesno"
        return self._survey.chance.score(self.kind) if is_known else None

    def _told_kind(self, *, is_told: bool, is_listed: bool, is_chosen: bool) -> str:
        """The kind of questions and how answers are read, by the recipe or not, for a person."""
        told, answers = [_KIND_NAMES[self.kind]], self._survey.answers
        if self.kind == "mcq" and (reading := self._questions.reading) in _READINGS:
            told.append(f"the answers are {_READINGS[reading]}")
            if answers.is_open and not is_told:
                told.append("if they count from 1, write answers: from 1")
            if answers.may_be_texts and not is_told:
                told.append("if they are the options themselves, write answers: text")
        if is_listed:
            told.append(FROM_QUESTIONS)
        if self.kind == "mcq" and were_labelled(self._table, self.columns.options):
            told.append(OWN_LABELS)
        if self.kind == "vqa" and answers.all_letters and not is_chosen:
            told.append(LETTERS_ALONE)
        if self.kind == "yesno" and answers.all_bits:
            told.append("the answers 1 and 0 are yes and no")
        if self.kind == "vqa" and self._survey.answers.has_decimal_commas:
            told.append(DECIMAL_COMMAS)
        if not self.columns.answer:
            told.append("no column has the answers: nothing is scored")
        return "; ".join(told)


def _tell(path: str, rows: int, use: ColumnUse) -> None:
    """Log what was made of a table; what may be meant in another way is a warning, which Python
    shows where it shows no notes.
    """
    is_doubtful = "write answers: " in use.kind or LETTERS_ALONE in use.kind
    level = logging.WARNING if is_doubtful else logging.INFO
    _log.log(level, "%s: %s rows, %s; %s", path, f"{rows:,}", use.kind, use)
