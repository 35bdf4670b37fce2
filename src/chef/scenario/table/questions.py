"""The rows of a table as questions: their text, options and reference answer, and a survey of them.

The survey is one pass over the few columns that tell what the rows are: ids, kind, chance.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import msgspec

from chef.errors import DataError, SampleError, nearest
from chef.frozen import Frozen
from chef.scenario.questions.family import OWN, Chance, Kind
from chef.scenario.questions.question import Question, marked, question_of
from chef.scenario.records.values import as_text, bad_value
from chef.scenario.table.answer_column import AnswerColumn
from chef.scenario.table.answers import (
    NO_OPTIONS,
    QuestionOptions,
    Reading,
    choice_label,
    options_of,
    position_of,
    references,
    with_point,
    yes_no,
)
from chef.scenario.table.columns import Columns, Template
from chef.scenario.table.rows import (
    Problem,
    Row,
    RowTable,
    is_missing,
    spare_id,
    top_column,
    value_at,
)

#: How a clause that asks for yes or no begins, and what asks for it wherever it stands.
_ASKS = re.compile(
    r"(?:\A|[.,:;!?\n])\W*(?:is|are|was|were|am|do|does|did|can|could|will|would|should|has|have|had"
    r"|may|must|isn't|aren't|doesn't|don't|ist|sind|gibt es|war|hat|haben|kann|est-ce|y a-t-il|hay"
    r"|está|están|es|son|é|há|c'è|ci sono|czy)\b[^?]*[?？]"
    r"|\b(?:yes|true|ja|oui|sí|sim|sì|да)\W{1,3}(?:(?:or|oder|ou|o|или)\W{1,2})?"
    r"(?:no|false|nein|non|não|нет)\b|\sли\s|吗|是否|(?:ます|です)か",
    re.IGNORECASE,
)


def asks_yes_no(text: str) -> bool:
    """Whether a question asks for yes or no.

    >>> asks_yes_no("In the image, is there a dog?"), asks_yes_no("How many dogs are there?")
    (True, False)
    """
    return _ASKS.search(text) is not None


class Questions(Frozen):
    """Makes the questions of rows.

    Attributes:
        reading: how the answers of multiple-choice questions are read.
        template: makes the text of the question; None: the column of the question.
        option_content: score the texts of the options instead of their letters.
        names: the texts that the whole numbers of a column stand for.
        decimal_commas: whether the answer ``1,5`` is the number 1.5.
    """

    columns: Columns
    kind: Kind
    reading: Reading | None = None
    template: Template | None = None
    option_content: bool = False
    names: Mapping[str, Sequence[str]] = msgspec.field(default_factory=dict)
    decimal_commas: bool = False

    def ask(self, row: Row, images: int) -> Question:
        """The question of a row with so many images; SampleError where a part of it is wrong."""
        options = options_of(row, self.columns.options) if self.kind == "mcq" else NO_OPTIONS
        text = "" if self.kind == "caption" else self._text(row, options)
        cells = {
            "question": text,
            "hint": self._hint(row) if self.columns.hint else "",
            "answer": self._answer(row, options),
            **options.texts,
        }
        labels, number = list(options.texts), images if self.columns.images else None
        by_text = self.option_content
        question = question_of(OWN[self.kind], cells, labels, number, option_content=by_text)
        if self.template is None or "options" not in self.template.names or self.kind == "caption":
            return question
        (text,), marks = marked([text], "any" if self.columns.images else "", images)
        return replace(question, question=text, image_marks=marks)

    def _text(self, row: Row, options: QuestionOptions) -> str:
        if self.template is None:
            (column,) = self.columns.question
            value = value_at(row, column)
            if isinstance(value, str) and (text := value.strip()):
                return text
            if is_missing(value):
                raise SampleError(
                    f"the question is missing (column '{column}')",
                    hint=f"give the row a question{_keys_beside(row, column)}",
                )
            if isinstance(value, Mapping):
                within = " or ".join(f"{column}.{key}" for key in value)
                what = f"column '{column}' holds a mapping, not a text"
                raise SampleError(
                    what, hint=f"name a part of it: columns: {{question: ...}} is {within}"
                )
            if isinstance(value, list | tuple):
                raise SampleError(
                    f"column '{column}' holds a list, not a text",
                    hint=f"name a text in it: columns: {{question: {column}.0}}, or deeper",
                )
            return as_text(column, value).strip()
        text = self.template.filled(lambda name: self._filling(row, options, name))
        if not text:
            raise SampleError("the question is empty", hint="fill the columns of the template")
        return text

    def _filling(self, row: Row, options: QuestionOptions, name: str) -> str:
        """What a name of the template stands for: the options, a column, or that of a role."""
        if name == "options" and options.texts:
            return "\n".join(f"({label}) {text}" for label, text in options.texts.items())
        columns = [name]
        if name not in row and hasattr(self.columns, name):
            columns = list(self.columns.of(name)) or columns
        value = named(value_at(row, columns[0]), self.names.get(columns[0]))
        if is_missing(value):
            return ""
        if isinstance(value, bool):
            return str(value)
        return as_text(columns[0], value)

    def _hint(self, row: Row) -> str:
        if self.template is not None and "hint" in self.template.names:
            return ""
        value = value_at(row, self.columns.hint[0])
        return "" if is_missing(value) else as_text(self.columns.hint[0], value)

    def _answer(self, row: Row, options: QuestionOptions) -> str:
        """The answer as in the cell of a TSV."""
        if not self.columns.answer:
            return ""
        (column,) = self.columns.answer
        try:
            answer = value_at(row, column)
            if column in self.names:
                answer = named(answer, self.names[column])
            if self.kind == "mcq" and options.texts:
                return choice_label(answer, options, self.reading)
            if self.kind == "yesno":
                return yes_no(answer)
            return references(with_point(answer) if self.decimal_commas else answer)
        except SampleError as error:
            raise SampleError(f"column '{column}': {error.what}", hint=error.hint) from None


def _keys_beside(row: Row, column: str) -> str:
    """What a mapping has instead of the key that a path within it names; empty: nothing to say."""
    within, _, key = column.rpartition(".")
    keys = value_at(row, within) if within else None
    if not isinstance(keys, Mapping) or key in keys:
        return ""
    return f"; '{within}' has no '{key}': {nearest(key, map(str, keys))}"


def named(value: Any, names: Sequence[str] | None) -> Any:
    """The text of a whole number, where classes have names; SampleError for no class."""
    if names is None or not isinstance(value, int) or isinstance(value, bool):
        return value
    if value == -1:  # as `datasets` writes a class that is not known
        return None
    if not 0 <= value < len(names):
        raise bad_value("class", value, f"one of the {len(names)} that the data set names")
    return names[value]


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
            if self._where:
                self._positions.append(position)
            return row
        problem = self._ids.add_row(row, position, columns.id[0]) if columns.id else None
        if problem is not None:
            self._found.problems[position] = problem
        is_taken = True
        if self._where and (is_taken := self._is_taken(row)):
            self._positions.append(position)
        if problem is None and (is_taken or not self._found.answers.known):
            self._count(self._found if is_taken else self._others, row)
        return problem

    def survey(self, path: str) -> Survey:
        """What is known after the last row; DataError where none is taken, or none can be used."""
        positions = self._positions if self._where else range(self._number)
        self._check_taken(path, positions)
        if not self._found.answers.known:  # those of a test split, say
            self._found.answers = self._others.answers
        self._found.positions = positions
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

    def _check_taken(self, path: str, positions: Sequence[int]) -> None:
        problems = self._found.problems
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
        value, problem = value_at(row, column), None
        name = value.strip() if isinstance(value, str) else ""
        if not name and is_missing(value):
            problem = Problem(f"column '{column}': the id is missing", "give the row an id")
        elif not name:
            try:
                name = str(int(value)) if _is_whole(value) else as_text(column, value).strip()
            except SampleError as error:
                problem = Problem(error.what, "give the row an id that is a text or a number")
        if problem is None and name in self.places:
            problem = Problem(
                f"column '{column}': the id '{name}' is that of row {self.places[name] + 1}",
                self._if_twice,
            )
        self.add(name, position, is_usable=problem is None)
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
