"""A table some of whose columns are made from its own: by named transforms, of conversations, or of
a list of options in the text of the question, where answers are their letters.

Two forms of conversations are common: ``{"from": "human", "value": ...}`` of LLaVA and ShareGPT,
and ``{"role": "user", "content": ...}`` of chats, whose content may be a list of texts and images.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias

from chef.common.options import letters
from chef.errors import ConfigError, SampleError
from chef.scenario.questions.family import find_choice
from chef.scenario.questions.values import Transform, transformed
from chef.scenario.table.answers import lettered_texts, only_one, options_of, plain_answer
from chef.scenario.table.columns import ROLES, Columns
from chef.scenario.table.questions import Survey, named
from chef.scenario.table.rows import (
    Problem,
    Row,
    RowTable,
    is_missing,
    top_column,
    usable,
    value_at,
)

_WHERE = "scenario_cfg.transforms"
_OPTIONS = "scenario_cfg.options"
#: The options of all rows: texts, or the different answers of the table.
SameOptions: TypeAlias = list[str] | Literal["answers"]
#: So many conversations tell which parts all of them have.
_LOOKED_AT = 32


class Transformed(RowTable):
    """The rows of another table with changed columns, each made from its ``sources``."""

    def __init__(
        self,
        table: RowTable,
        changed: Callable[[Row], Row | Problem],
        sources: Mapping[str, str],
    ) -> None:
        self._table, self._changed, self._sources = table, changed, sources
        self.path, self.is_whole = table.path, table.is_whole
        self.columns = tuple(dict.fromkeys([*table.columns, *sources]))
        self.names = {name: texts for name, texts in table.names.items() if name not in sources}

    def __len__(self) -> int:
        return len(self._table)

    def locate(self, position: int) -> tuple[str, int]:
        return self._table.locate(position)

    def read(self, position: int) -> Row:
        return usable(self._changed(self._table.read(position)))

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        needed = list(dict.fromkeys(self._sources.get(name, name) for name in columns))
        for row in self._table.scan(needed):
            changed = row if isinstance(row, Problem) else self._changed(row)
            if isinstance(changed, Problem):
                yield changed
            else:
                yield {name: changed[name] for name in columns if name in changed}

    def state(self) -> str:
        return self._table.state()

    def digests(self) -> Iterator[str]:
        """Those of the other table: what is changed follows from its rows and from the recipe."""
        return self._table.digests()

    def fingerprint(self) -> str:
        return self._table.fingerprint()


def with_conversations(table: RowTable) -> RowTable:
    """The table with the question and the answer of a conversation as columns, if a column of
    `COLUMNS` begins with a list of messages.
    """
    for column in COLUMNS:
        if column in table.columns:
            rows = islice(table.scan([column]), _LOOKED_AT)
            first = [row for row in rows if not isinstance(row, Problem)]
            if first and is_conversation(first[0].get(column)):
                added = _Conversation(column)
                names = {name for row in map(added, first) if not isinstance(row, Problem)
                         for name in row if name in PARTS} or {*PARTS[:2]}  # fmt: skip
                return Transformed(table, added, {name: column for name in PARTS if name in names})
    return table


class _Conversation:
    """Adds the question, the answer and the images of a conversation to a row."""

    def __init__(self, column: str) -> None:
        self._column = column

    def __call__(self, row: Row) -> Row | Problem:
        if is_missing(row.get(self._column)):
            return row
        try:
            return {**row, **parts_of(row[self._column])}
        except SampleError as error:
            return Problem(f"column '{self._column}': {error.what}", error.hint or "correct it")


class _Transforms:
    """Changes columns by named transforms; cells that hold nothing stay as they are."""

    def __init__(self, transforms: Mapping[str, Transform]) -> None:
        self._transforms = transforms

    def __call__(self, row: Row) -> Row | Problem:
        values = dict(row)
        for column, transform in self._transforms.items():
            if not is_missing(values.get(column)):
                try:
                    values[column] = transformed(transform, column, values[column])
                except SampleError as error:
                    return Problem(f"column '{column}': {error.what}", error.hint or "correct it")
        return values


def with_transforms(
    table: RowTable, columns: Columns, transforms: Mapping[str, Transform]
) -> RowTable:
    """The table with its columns changed as ``columns`` of a recipe says, by role; ConfigError if
    there is no such role, or it is no whole columns.
    """
    by_column: dict[str, Transform] = {}
    for key, transform in transforms.items():
        role = "images" if key == "image" else key.replace("-", "_")
        names = columns.of(role) if role in ROLES else ()
        if not names or any(name not in table.columns for name in names):
            raise ConfigError(
                f"no whole column of {table.path} is the {key}",
                where=f"{_WHERE}.{key}",
                hint=f"name one of these: {', '.join(role for role in ROLES if columns.of(role))}",
            )
        by_column |= dict.fromkeys(names, transform)
    if not by_column:
        return table
    return Transformed(table, _Transforms(by_column), dict(zip(by_column, by_column, strict=True)))


def same_options(table: RowTable, columns: Columns, options: SameOptions) -> list[str]:
    """The texts of the options of all rows; ConfigError where a column has options already, or
    these are fewer than two or alike.
    """
    if columns.options:
        raise ConfigError(
            f"{table.path} has options in its columns: {', '.join(columns.options)}",
            where=_OPTIONS,
            hint="remove options, or set columns: {options: null}",
        )
    texts = _answers(table, columns) if options == "answers" else list(options)
    if len({text.strip() for text in texts}) < max(2, len(texts)) or not all(map(str.strip, texts)):
        raise ConfigError(
            f"the options {texts} are not two different texts or more",
            where=_OPTIONS,
            hint="write options: [red, blue]",
        )
    return texts


def with_options(table: RowTable, columns: Columns, texts: list[str]) -> RowTable:
    """The table with the same texts in a column ``options`` of all rows."""
    one = (columns.question or columns.images or columns.answer or table.columns)[0]
    source = {"options": top_column(one, table.columns)}
    return Transformed(table, lambda row: {**row, "options": texts}, source)


def _answers(table: RowTable, columns: Columns) -> list[str]:
    """The different answers of a table, in alphabetical order; ConfigError where it has none."""
    if not columns.answer or not table.is_whole:
        why = "no column has the answers" if table.is_whole else "the answers are not known before"
        raise ConfigError(
            f"{table.path}: {why}", where=_OPTIONS, hint="write the texts: options: [red, blue]"
        )
    (column,) = columns.answer
    names, found = table.names.get(column), set[str]()
    for row in table.scan([top_column(column, table.columns)]):
        if isinstance(row, Problem):
            continue
        try:
            found.add(plain_answer(named(value_at(row, column), names)).strip())
        except SampleError:  # the sample says so
            continue
    return sorted(found - {""})


#: The columns that hold them.
COLUMNS = ("conversations", "conversation", "messages")
#: The columns that a conversation is taken apart to.
PARTS = ("conversation.question", "conversation.answer", "conversation.images")
_ASKING, _REPLYING = ("human", "user"), ("gpt", "assistant", "model", "bot")
_ONE = "ask one question a row, or name the texts: columns: {question: conversations.0.value}"


def is_conversation(value: Any) -> bool:
    """Whether a cell is a list of messages with a speaker and a text.

    >>> is_conversation([{"from": "human", "value": "Which color?"}])
    True
    """
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(
        isinstance(item, Mapping)
        and ({"from", "value"} <= {*item} or {"role", "content"} <= {*item})
        for item in value
    )


def parts_of(messages: Any) -> dict[str, Any]:
    """The question with what the system says before it, the reply, and images within the text.

    Args:
        messages: the cell.

    >>> talk = [{"from": "human", "value": "Which color?"}, {"from": "gpt", "value": "red"}]
    >>> [*parts_of(talk).values()]
    ['Which color?', 'red']

    Raises:
        SampleError: it is no list of messages, or asks nothing or several questions.
    """
    if not is_conversation(messages):
        raise SampleError(
            "holds no list of messages", hint='write [{"from": "human", "value": ...}]'
        )
    system, asked, replies, images = list[str](), list[str](), list[str](), list[Any]()
    for message in messages:
        speaker = str(message.get("from", message.get("role"))).casefold()
        text = _text(message.get("value", message.get("content")), images)
        places = asked if speaker in _ASKING else replies if speaker in _REPLYING else system
        places.append(text)
    if len(asked) != 1:
        raise SampleError(f"a conversation with {len(asked)} questions", hint=_ONE)
    values = ("\n".join([*system, *asked]), replies[0] if replies else None, images or None)
    return {name: value for name, value in zip(PARTS, values, strict=True) if value is not None}


def _text(content: Any, images: list[Any]) -> str:
    """The text of a message, with ``<image>`` where an image stands, which is added to a list."""
    if isinstance(content, str):
        return content
    parts: Sequence[Any] = content if isinstance(content, list | tuple) else [content]
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, Mapping) or part.get("type", "text") not in (
            "text", "image", "image_url", "input_text", "input_image",
        ):  # fmt: skip
            raise SampleError(f"a message holds {part!r:.60}", hint="write texts and images")
        elif "image" in str(part.get("type")):
            texts.append("<image>")
            source = next(
                (part[key] for key in ("image", "image_url", "url", "path") if key in part), None
            )
            images += [] if source is None else [source]
        else:
            texts.append(str(part.get("text", "")))
    return "\n".join(texts)


#: What the note says of it; of letters that no list in the question explains.
FROM_QUESTIONS = "the options are read from the text of the questions"
LETTERS_ALONE = (
    "all answers are letters, and compared as texts: if they are labels of options, give these in "
    "a column (options, or A, B, ...)"
)
DECIMAL_COMMAS = "the answers have decimal commas: 1,5 is 1.5"
OWN_LABELS = "the options begin with their own labels, which are left out"
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
