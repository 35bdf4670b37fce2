"""What every table has as a scenario, whatever its format, its columns and its rules for images."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from chef.common.digest import content_digest
from chef.errors import SampleError
from chef.image import Image
from chef.scenario.base import Scenario
from chef.scenario.questions.question import Question
from chef.scenario.table.rows import Problem, Row, RowTable, usable
from chef.scenario.table.survey import Survey
from chef.types import Sample


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
