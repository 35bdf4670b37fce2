"""One pass over the few columns that tell what the rows of a table are: ids, kind, chance."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from chef.errors import DataError, SampleError, nearest
from chef.scenario.questions.family import Chance
from chef.scenario.records.values import as_text
from chef.scenario.table.answers import NO_OPTIONS, AnswerColumn, options_of, position_of
from chef.scenario.table.columns import Columns
from chef.scenario.table.questions import named
from chef.scenario.table.rows import (
    Problem,
    Row,
    RowTable,
    is_missing,
    spare_id,
    top_column,
    value_at,
)

Wanted = Mapping[str, Sequence[str]]
#: What to do about an id that two rows have.
_IF_TWICE = "give each row another id; columns: {id: null} takes the row's number"


@dataclass(slots=True)
class Survey:
    """What is known of the rows of a table.

    Attributes:
        positions: the rows that are taken, in order.
        ids: the id of each row of the table; None: its number.
        places: the position of each row that can be used, by its id; empty: ids are numbers.
        problems: why a row cannot be used, by position.
        digest: of the columns that were looked at.
    """

    positions: Sequence[int] = ()
    ids: list[str] | None = None
    places: Mapping[str, int] = field(default_factory=dict)
    problems: dict[int, Problem] = field(default_factory=dict)
    answers: AnswerColumn = field(default_factory=AnswerColumn)
    chance: Chance = field(default_factory=Chance)
    digest: str = ""

    def id(self, position: int) -> str:
        """The id of the sample of a row."""
        return str(position + 1) if self.ids is None else self.ids[position]


def look_at(table: RowTable, columns: Columns, where: Wanted, rows: int | None) -> Survey:
    """Pass over the (first ``rows``) rows with the values of ``where``; DataError without one."""
    light = [*columns.id, *columns.answer, *columns.options, *where]
    names = list(dict.fromkeys(top_column(name, table.columns) for name in light))
    surveyor = Surveyor(columns, where, table.names)
    state = hashlib.blake2b(digest_size=16)
    for row in islice(table.scan(names), rows):
        surveyor.add(row)
        if not isinstance(row, Problem):
            state.update(repr(row).encode("utf-8", "surrogatepass"))
    survey = surveyor.survey(table.path)
    if not table.is_whole:
        survey.positions = range(min(len(table), rows or len(table)))
    survey.digest = state.hexdigest()
    return survey


class Surveyor:
    """Takes rows into account, one after the other; ``where`` are the values that they need."""

    def __init__(
        self,
        columns: Columns,
        where: Wanted,
        names: Mapping[str, Sequence[str]] | None = None,
        if_twice: str = _IF_TWICE,
    ) -> None:
        self._columns, self._where, self._names = columns, where, names or {}
        self._found, self._ids, self._positions = Survey(), _Ids(if_twice), list[int]()
        self._number, self._others = 0, Survey()
        self._seen: dict[str, set[str]] = {column: set() for column in where}

    def add(self, row: Row | Problem) -> Problem | None:
        """Why the next row cannot be used; None for a row that can."""
        position, columns = self._number, self._columns
        self._number += 1
        if isinstance(row, Problem):
            self._ids.add("", position, is_usable=False)
            self._found.problems[position] = row
            self._positions.append(position)
            return row
        problem = self._ids.add_row(row, position, columns.id[0]) if columns.id else None
        if problem is not None:
            self._found.problems[position] = problem
        is_taken = not self._where or self._is_taken(row)
        if is_taken:
            self._positions.append(position)
        if problem is None and (is_taken or not self._found.answers.known):
            self._count(self._found if is_taken else self._others, row)
        return problem

    def survey(self, path: str) -> Survey:
        """What is known after the last row; DataError where none is taken, or none can be used."""
        self._check_taken(path)
        if not self._found.answers.known:  # those of a test split, say
            self._found.answers = self._others.answers
        self._found.positions = self._positions
        if self._columns.id:
            self._found.ids, self._found.places = self._ids.unique(), self._ids.places
        return self._found

    def _is_taken(self, row: Row) -> bool:
        for column, wanted in self._where.items():
            value = value_at(row, column)
            classes = self._names.get(column, ())
            if isinstance(value, int) and 0 <= value < len(classes):
                value = classes[value]
            text = as_where(value)
            if len(self._seen[column]) < 1000:
                self._seen[column].add(text)
            if text not in wanted:  # what is seen of the next column is of rows taken so far
                return False
        return True

    def _count(self, found: Survey, row: Row) -> None:
        """Take the answer and the options of a row into account, if they can be read."""
        try:
            answer: Any = None
            if self._columns.answer:
                column = self._columns.answer[0]
                answer = named(value_at(row, column), self._names.get(column))
            texts = [row.get(name) for name in self._columns.options]
            # Where each option has a column, what they say matters only beside a number.
            if len(texts) > 1 and {*map(type, texts)} == {str} and position_of(answer) is None:
                options, number = NO_OPTIONS, len(texts) - texts.count("")
            else:
                options = options_of(row, self._columns.options)
                number = len(options.texts)
        except SampleError:
            return
        found.answers.add(answer, options)
        if self._columns.options:
            found.chance.add(number, is_answered=not is_missing(answer))

    def _check_taken(self, path: str) -> None:
        positions, problems = self._positions, self._found.problems
        if any(position not in problems for position in positions):
            return
        before = ""
        for column, wanted in self._where.items():
            known = self._seen[column] - {""}
            if known and not known & set(wanted):
                raise DataError(
                    f"no row with {column} '{wanted[0]}'{before}",
                    where=path,
                    hint=nearest(wanted[0], known),
                )
            before += f" and {column} '{wanted[0]}'"
        if not positions:
            raise DataError("no row is as `where` wants it", where=path, hint="correct it")
        problem = next(iter(problems.values()))
        raise DataError(
            f"no row can be used; the first: {problem.what}", where=path, hint=problem.hint
        )


class _Ids:
    """The ids of rows, with another one for each row that cannot be used."""

    def __init__(self, if_twice: str) -> None:
        self._if_twice = if_twice
        self._given: list[str] = []
        self._problems: set[int] = set()
        self.places: dict[str, int] = {}

    def add(self, given: str, position: int, *, is_usable: bool) -> None:
        if is_usable:
            self.places[given] = position
        else:
            self._problems.add(position)
        self._given.append(given)

    def add_row(self, row: Row, position: int, column: str) -> Problem | None:
        value, given, problem = value_at(row, column), "", None
        if is_missing(value):
            problem = Problem(f"column '{column}': the id is missing", "give the row an id")
        else:
            try:
                given = str(int(value)) if _is_whole(value) else as_text(column, value).strip()
            except SampleError as error:
                problem = Problem(error.what, "give the row an id that is a text or a number")
        if problem is None and given in self.places:
            problem = Problem(
                f"column '{column}': the id '{given}' is that of row {self.places[given] + 1}",
                self._if_twice,
            )
        self.add(given, position, is_usable=problem is None)
        return problem

    def unique(self) -> list[str]:
        """The ids in order."""
        return [
            spare_id(given, number, self.places) if number - 1 in self._problems else given
            for number, given in enumerate(self._given, 1)
        ]


def _is_whole(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer()


def as_where(value: Any) -> str:
    """A value as it is compared with that of a recipe: ``true`` and ``3`` are those of YAML."""
    if isinstance(value, bool):
        return str(value).lower()
    if _is_whole(value):
        return str(int(value))
    return "" if is_missing(value) else str(value)
