"""The text side of a row: its question, its options and its reference answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import field

from chef.errors import SampleError, nearest
from chef.frozen import Frozen
from chef.scenario.questions.family import OWN, Kind
from chef.scenario.questions.question import Question, marked, question_of
from chef.scenario.records.values import as_text, bad_value
from chef.scenario.table.answers import (
    NO_OPTIONS,
    QuestionOptions,
    Reading,
    choice_label,
    options_of,
    references,
    yes_no,
)
from chef.scenario.table.columns import Columns, Template
from chef.scenario.table.rows import Row, is_missing, value_at

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
    """

    columns: Columns
    kind: Kind
    reading: Reading | None = None
    template: Template | None = None
    option_content: bool = False
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

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
            return yes_no(answer) if self.kind == "yesno" else references(answer)
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
