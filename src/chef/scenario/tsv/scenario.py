"""Benchmarks in the TSV format of VLMEvalKit, with one question in each row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from chef.common.circular import circular_group, group_sizes, has_rotations
from chef.common.logs import logger
from chef.errors import DataError
from chef.guard.files import user_path
from chef.image import Image
from chef.scenario.base import ColumnUse
from chef.scenario.circular import circular_metric
from chef.scenario.questions.family import (
    OWN,
    Family,
    Kind,
    chance,
    choices_of,
    row_groups,
    without_labels,
)
from chef.scenario.questions.question import Question, question_of
from chef.scenario.table.answers import references, with_point
from chef.scenario.table.base import TableScenario, column_use, kind_of
from chef.scenario.table.columns import Columns
from chef.scenario.table.listed import DECIMAL_COMMAS, LETTERS_ALONE, OWN_LABELS, were_labelled
from chef.scenario.table.opening import refuse_other_formats
from chef.scenario.table.rows import Row
from chef.scenario.tsv.table import IMAGES, TsvTable, check_md5, row_images

_log = logger(__name__)
#: The columns of each role.
_ROLES: Mapping[str, tuple[str, ...]] = {
    "question": ("question",), "images": IMAGES, "answer": ("answer",), "id": ("index",),
    "hint": ("hint",), "category": ("category",), "l2-category": ("l2-category",),
    "split": ("split",), "setting": ("setting",), "rotations": ("g_index",),
}  # fmt: skip
#: What a column has to be called, whose role is lacking.
_HEADERS = {"images": "image_path", "answer": "answer"}


class Tsv(TableScenario):
    """The questions of a TSV file, with images in the file or in a folder.

    Columns: ``index`` and ``question`` (not needed for captions); ``image`` (base64, the index
    of the row that has the image, or a list of these) or ``image_path``; ``hint``; options in
    ``A`` to ``Z``; ``answer`` (a label or the text of an option; yes or no; a text or a list of
    accepted texts; if it is empty, the model's answer is recorded but not scored); ``category``,
    ``l2-category``, ``split``, ``setting`` and ``g_index``.

    The file is indexed once, with a few short strings for each row, and a row is read when its
    sample is made. An invalid row becomes one `SampleError` with its number; the other rows are not
    affected. Rows are numbered from 1, without the header and blank lines. A row without an image
    is a question without an image; a file without a column of images, or of answers, is refused
    where it has columns that nothing is made of (``--allow text-only unscored`` asks it).

    Rows are rotations of one question where they have the same ``g_index``, or indices such as 7,
    1000007 and 2000007. Multiple choice is then scored by `MMBenchVQA`: a question is right in
    ``circular_acc`` if all its rows are.

    Args:
        path: the file; a relative path is looked for next to the recipe, then in the current
            folder.
        name: the name of the folder of results; default: the name of the file without ``.tsv``.
        kind: the kind of questions; default: ``mcq`` if the columns A and B exist, ``yesno`` if
            every known answer is yes or no, else ``vqa``.
        image_root: the folder that image paths are relative to; default: the folder of the file.
        hint: put the hint before the question.
        option_content: score the texts of the options instead of the labels ``(A``, ``(B``...
        md5: the md5 digest of the file, to be checked.
        split: take only the rows of this split.
        category: take only the rows of this category.

    Raises:
        DataError: the file is missing, empty or not UTF-8, has another md5 digest, lacks a required
            column, or has no row of that split and category.
    """

    may_have_turns = False

    _id_column = "index"

    def __init__(
        self,
        *,
        path: str,
        name: str | None = None,
        kind: Kind | None = None,
        image_root: str | None = None,
        hint: bool = True,
        option_content: bool = False,
        md5: str | None = None,
        split: str | None = None,
        category: str | None = None,
    ) -> None:
        refuse_other_formats(path)
        file = user_path(path)
        if md5 is not None:
            check_md5(file, md5)
        given = {"split": split, "category": category}
        where = {column: [value] for column, value in given.items() if value is not None}
        self._table = self._index = index = TsvTable(file, where)
        self._survey = index.survey
        self.kind = kind or kind_of(self._columns, self._survey, None, index)
        if kind is None and self.kind == "vqa" and self._survey.answers.all_letters:
            _log.warning("%s: %s", path, LETTERS_ALONE)
        self._check_columns()
        self.name = name or file.stem
        self.random_accuracy = self._chance()
        self._root = user_path(image_root) if image_root else file.parent
        self._hint, self._option_content = hint, option_content
        self._has_images = not {*IMAGES}.isdisjoint(index.columns)
        self._is_circular = has_rotations(index.survey.places)
        self._has_groups = self._is_circular or "g_index" in index.columns
        self.family = self._family()
        self.wording = self.family.wording
        is_open = self.family is OWN["vqa"]
        self._has_commas = is_open and self._survey.answers.has_decimal_commas
        if self._has_commas:
            _log.info("%s: %s", path, DECIMAL_COMMAS)
        if self._is_own and were_labelled(index, index.labels):
            _log.info("%s: %s", path, OWN_LABELS)
        self.metric = self._scored_together(self.family.metric)
        self.metric_by_name = self.family.metric

    def fingerprint(self) -> str:
        """A digest of the rows, without their images."""
        return self._index.digest()

    def row_state(self) -> str:
        """The size of the file, when it was written, and what is concluded from all its rows."""
        return f"({self._index.state()}, {self._common!r})"

    @property
    def _columns(self) -> Columns:
        """The columns that tell the kind of the questions."""
        columns, labels = self._index.columns, self._index.labels
        options = labels if {"A", "B"} <= {*labels} else ()
        question = ("question",) if "question" in columns else ()
        return Columns(question=question, options=options)

    @property
    def _common(self) -> tuple[object, ...]:
        """What the samples have from other rows than their own."""
        commas = ("decimal commas",) if self._has_commas else ()
        return self.kind, self._is_circular, *commas

    def _from_others(self, index: int) -> object:
        return self._common, self._sizes[self.group(index) or ""]

    def column_use(self) -> ColumnUse | None:
        """Which column became what, and which are not used."""
        columns = self._index.columns
        roles = {
            role: present
            for role, names in {**_ROLES, "options": self._index.labels}.items()
            if (present := tuple(name for name in names if name in columns))
        }
        missing = [role for role in _HEADERS if role not in roles]
        return column_use(roles, self._index, (), missing, self._root, headers=_HEADERS)

    def _image_columns(self) -> tuple[str, ...]:
        return ("image",)

    def _images(self, position: int, row: Row) -> tuple[Image, ...]:
        return row_images(self._index, self._root, row, (position,))

    def _asked(self, row: Row, images: int) -> Question:
        cells = row if self._hint else {**row, "hint": ""}
        labels, by_text = self._index.labels, self._option_content
        if self._is_own:
            cells = {**cells, **without_labels(choices_of(cells, labels))}
        if self._has_commas:
            cells = {**cells, "answer": references(with_point(cells["answer"]))}
        number = images if self._has_images else None
        return question_of(self.family, cells, labels, number, option_content=by_text)

    def _fields(
        self, position: int, row: Row, asked: Question, images: tuple[Image, ...]
    ) -> dict[str, Any]:
        return {**self._groups(row), **self._scored_by(position, row, asked, images)}

    def _scored_by(
        self,
        position: int,  # noqa: ARG002
        cells: Mapping[str, str],  # noqa: ARG002
        asked: Question,  # noqa: ARG002
        images: tuple[Image, ...],  # noqa: ARG002
    ) -> dict[str, Any]:
        """The fields that a metric reads by other names than the columns."""
        return {}

    def _groups(self, cells: Mapping[str, str]) -> dict[str, Any]:
        """The fields that say what a row belongs to."""
        groups: dict[str, Any] = row_groups(cells, is_circular=self._is_circular)
        if "circular_group" in groups:
            # So that metrics see where a rotation was not answered.
            groups["circular_size"] = self._sizes[groups["circular_group"]]
        if (holder := self._image_rows.get(cells["index"].strip())) is not None:
            groups["image_row"] = holder
        return groups

    @cached_property
    def _image_rows(self) -> dict[str, str]:
        """The row that has the image, of rows that share one."""
        return self._index.shared_images()

    @cached_property
    def _sizes(self) -> Counter[str]:
        """The number of rows of each group."""
        return group_sizes(
            (self._survey.id(position), self.group(index), self._index.rows[position].options)
            for index, position in enumerate(self._survey.positions)
            if position not in self._survey.problems
        )

    def group(self, index: int) -> str | None:
        """The question that the row is a rotation of; None if the file has no rotations."""
        if not self._has_groups:
            return None
        position = self._survey.positions[index]
        given = self._index.rows[position].light.get("g_index", "")
        return circular_group(self._survey.id(position), given, is_circular=self._is_circular)

    @property
    def _is_own(self) -> bool:
        """Whether it is multiple choice of a table of the user's: no benchmark of VLMEvalKit's."""
        return self.family is OWN["mcq"]

    def _family(self) -> Family:
        """How the rows are asked and scored."""
        return OWN[self.kind]

    def _scored_together(self, metric: str) -> str:
        """The metric for rows that may be rotations; it is told where that makes a difference."""
        circular = circular_metric(metric)
        if self.kind != "mcq" or not self._has_groups or circular == metric:
            return metric
        # Not those of a subclass, which may have groups of another kind.
        sizes = Counter(Tsv.group(self, index) for index in range(len(self)))
        alone = sizes.pop(None, 0)
        questions = sum(size > 1 for size in sizes.values())
        if not questions:
            return metric
        message = (
            "%s: scored circularly, as %d of %d questions have rotations of their options, unless "
            "metric_cfg says metric_type: %s, or by VLMEvalKit's rules the name says otherwise"
        )
        _log.info(message, self.name, questions, len(sizes) + alone, metric)
        return circular

    def _check_columns(self) -> None:
        """DataError where a column is missing that the kind of question needs."""
        index = self._index
        if self.kind != "caption" and "question" not in index.columns:
            raise DataError(
                "has no column 'question'",
                where=index.path,
                hint="add it, or set kind: caption in scenario_cfg",
            )
        if self.kind == "mcq" and len(index.labels) < 2:
            raise DataError(
                "has no option columns A and B",
                where=index.path,
                hint="add them, or set kind: vqa in scenario_cfg",
            )

    def _chance(self) -> float | None:
        """The score of random guessing over the rows that are scored."""
        usable = (
            self._index.rows[position]
            for position in self._survey.positions
            if position not in self._survey.problems
        )
        return chance(self.kind, ((row.options, row.light.get("answer", "")) for row in usable))
