"""Options that stand in the text of the question, of a table whose answers are their letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from chef.common.options import letters
from chef.errors import SampleError
from chef.scenario.questions.family import find_choice
from chef.scenario.table.answers import lettered_texts, only_one, options_of
from chef.scenario.table.columns import Columns
from chef.scenario.table.rows import Problem, Row, RowTable, is_missing, top_column, value_at
from chef.scenario.table.survey import Survey
from chef.scenario.table.transformed import Transformed

#: What the note says of it; of letters that no list in the question explains.
FROM_QUESTIONS = "the options are read from the text of the questions"
LETTERS_ALONE = (
    "all answers are letters, and compared as texts: if they are labels of options, give these in "
    "a column (options, or A, B, ...)"
)
OWN_LABELS = "the options begin with their own labels, which are left out"
#: So many rows of a stream, or of labelled options, are looked at.
_LOOKED_AT = 32
#: Where a list may begin.
_BEGINNING = re.compile(r"(?:(?<=\s)|\A)(?:\(A\)|A[).:])\s")
#: What stands before a list, and is written anew.
_HEADING = re.compile(r"(?:\b(?:answer\s+)?(?:options|choices)\s*:?)?\s*\Z", re.IGNORECASE)
#: An instruction that follows the last option on its line.
_INSTRUCTION = re.compile(
    r"(?:(?<=[.;!?])|\n)\s*(?:please\s+)?(?:answer|choose|select|respond|reply|pick|give|output)\b",
    re.IGNORECASE,
)


class ListedOptions(NamedTuple):
    """A question without its list of options, and their texts."""

    question: str
    texts: list[str]


def listed_options(text: str) -> ListedOptions | None:
    r"""The last list of options in a question, by letters from A on; None without one.

    What follows the last option, on a line of its own or as an instruction, stays in the question.

    >>> listed_options("Which color? A. red B. blue")
    ListedOptions(question='Which color?', texts=['red', 'blue'])
    >>> listed_options("Which?\nOptions:\n(A) red\n(B) blue\nAnswer with the letter.").question
    'Which?\nAnswer with the letter.'
    """
    for beginning in reversed([*_BEGINNING.finditer(text)]):
        texts = lettered_texts(text[beginning.start() :])
        if texts is None:
            continue
        last = texts[-1]
        has_lines = text.count("\n", beginning.start()) >= len(texts) - 1
        ends = [len(last)]
        if has_lines and not any("\n" in one for one in texts[:-1]) and "\n" in last:
            ends.append(last.index("\n"))
        if instruction := _INSTRUCTION.search(last, 1):
            ends.append(instruction.start())
        after = last[min(ends) :].strip()
        texts[-1] = last[: min(ends)].strip()
        before = _HEADING.sub("", text[: beginning.start()]).strip()
        return ListedOptions("\n".join(filter(None, [before, after])), texts)
    return None


def with_listed_options(table: RowTable, columns: Columns, survey: Survey) -> RowTable | None:
    """The table with the options of its questions in a column ``options``, and without them in the
    question; None where a question has no list, or an answer is no label of it.
    """
    if not survey.answers.all_letters or columns.options or "options" in table.columns:
        return None
    if len(columns.question) != 1 or columns.question[0] not in table.columns:
        return None
    (question,), (answer,) = columns.question, columns.answer
    positions = set(survey.positions) if table.is_whole else range(_LOOKED_AT)
    rows = islice(table.scan([question, answer]), None if table.is_whole else _LOOKED_AT)
    for position, row in enumerate(rows):
        is_usable = position in positions and position not in survey.problems
        if is_usable and not isinstance(row, Problem) and not _fits(row, question, answer):
            return None
    return Transformed(
        table, lambda row: _parted(row, question), {question: question, "options": question}
    )


def _fits(row: Row, question: str, answer: str) -> bool:
    """Whether the answer of a row, if it has one, is a label in the list of its question."""
    value, listed = only_one(value_at(row, answer)), _listed(row, question)
    if listed is None or is_missing(value):
        return is_missing(value) and (listed is not None or is_missing(row.get(question)))
    texts = dict(zip(letters(len(listed.texts)), listed.texts, strict=True))
    try:
        find_choice(str(value), texts)
    except SampleError:
        return False
    return True


def _listed(row: Row, question: str) -> ListedOptions | None:
    text = row.get(question)
    return listed_options(text) if isinstance(text, str) else None


def _parted(row: Row, question: str) -> Row | Problem:
    """A row whose question and options are columns of their own."""
    if (listed := _listed(row, question)) is None:
        if is_missing(row.get(question)):
            return {**row, "options": None}
        return Problem("the question lists no options, as others do", "list them, or kind: vqa")
    return {**row, question: listed.question, "options": listed.texts}


def were_labelled(table: RowTable, columns: Sequence[str]) -> bool:
    """Whether the options of one of the first rows begin with their own labels."""
    names = list(dict.fromkeys(top_column(name, table.columns) for name in columns))
    for row in islice(table.scan(names), _LOOKED_AT):
        try:
            if not isinstance(row, Problem) and options_of(row, columns).were_labelled:
                return True
        except SampleError:  # the sample says so
            continue
    return False
