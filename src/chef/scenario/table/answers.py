"""Options and reference answers as tables give them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType, NoneType
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from chef.common.options import YES_NO, letters, list_literal, yes_or_no
from chef.errors import SampleError
from chef.scenario.questions.family import by_text, find_choice, without_labels
from chef.scenario.records.values import as_text, bad_value
from chef.scenario.table.json_tables import json_value
from chef.scenario.table.rows import Row, is_missing, value_at

_LIST = "write a JSON list of texts, put | between them, or name a column for each option"


_VALUE = itemgetter(1)
#: The kinds of numbers, and of empty cells beside them.
_NUMBERS = frozenset({int, float, NoneType})


class QuestionOptions(NamedTuple):
    """The options by letter: ``texts``, none for an empty place, and names that the data gives.

    ``were_labelled``: each text began with its own letter, which is left out; ``are_numbers``: all
    are numbers in the table, and no texts.
    """

    texts: dict[str, str]
    given: Mapping[str, str] = MappingProxyType({})
    were_labelled: bool = False
    are_numbers: bool = False

    @property
    def places(self) -> int:
        """The number of places up to the last option, with those that are empty.

        >>> QuestionOptions({"A": "cat", "C": "dog"}).places
        3
        """
        number = 0
        for letter in next(reversed(self.texts), ""):
            number = 26 * number + ord(letter) - ord("A") + 1
        return number


#: How a text that lists its options by letters begins: ``A)``, ``(A)``, ``A.`` or ``A:``.
_OPENING = re.compile(r"(?:\(A\)|A[).:])\s*")

#: Of a question without options.
NO_OPTIONS = QuestionOptions({})


def options_of(row: Row, columns: Sequence[str]) -> QuestionOptions:
    """The options of a row, none if its cells are empty: a column for each, or one with a list, its
    text in JSON or Python (not executed), as `lettered_texts` reads it, with ``|`` or ``;``
    between, or a mapping, or ``label`` and ``text``. SampleError for others.
    """
    if not columns:
        return NO_OPTIONS
    if len(columns) > 1:
        return _lettered(
            [(name, row[name] if name in row else value_at(row, name)) for name in columns]
        )
    (column,) = columns
    value = value_at(row, column)
    if isinstance(value, str) and value.strip():
        value = _literal(value.strip(), column)
    if isinstance(value, Mapping):
        return _named(value, column)
    if isinstance(value, list | tuple):
        if value and all(isinstance(item, Mapping) and "text" in item for item in value):
            texts = [item["text"] for item in value]
            names = [item.get("label") for item in value]
            both = {"label": names, "text": texts}
            return _named(both, column) if all(names) else _listed(texts, column)
        return _listed(value, column)
    if is_missing(value):
        return NO_OPTIONS
    raise SampleError(bad_value(column, value, "a list of options").what, hint=_LIST)


def _listed(value: Sequence[Any], column: str) -> QuestionOptions:
    return _lettered([(f"{column}[{place}]", item) for place, item in enumerate(value)])


def _literal(text: str, column: str) -> Any:
    value: Any = None
    if text.startswith("["):
        value = list_literal(text)
    elif text.startswith("{"):
        found = json_value(text.encode("utf-8", "surrogatepass"))
        value = found if isinstance(found, dict) else None
    else:
        value = lettered_texts(text) or _parted(text)
    if value is None:
        raise SampleError(f"the list in column '{column}' cannot be read", hint=_LIST)
    return value


def _parted(text: str) -> list[str] | None:
    """Options that line breaks, bars or semicolons part; a comma may belong to an option."""
    mark = next((mark for mark in ("\n", "|", ";") if mark in text), None)
    texts = [part.strip() for part in text.split(mark)] if mark else []
    return texts if all(texts) and len(texts) > 1 else None


def lettered_texts(text: str) -> list[str] | None:
    """The options of a text that lists them by letters from A on; None of any other text.

    >>> lettered_texts("A) a cat B) a dog"), lettered_texts("(A) 1; (B) 2"), lettered_texts("a cat")
    (['a cat', 'a dog'], ['1', '2'], None)
    """
    if (opening := _OPENING.match(text)) is None:
        return None
    form, texts, at = opening.group().replace("A", "{}").strip(), [], opening.end()
    for label in letters(26)[1:]:
        following = re.compile(rf"[\s,;|]+{re.escape(form.format(label))}\s*").search(text, at)
        texts.append(text[at : following.start() if following else None].strip(" ,;|\n\t"))
        if following is None:
            break
        at = following.end()
    return texts if len(texts) > 1 and all(texts) else None


def _named(value: Mapping[str, Any], column: str) -> QuestionOptions:
    """Options with names: ``{"A": "cat"}``, or ``{"label": ["A"], "text": ["cat"]}``."""
    names, texts = value.get("label"), value.get("text")
    if isinstance(names, list) and isinstance(texts, list):
        if len(names) != len(texts):
            what = f"column '{column}' has {len(names)} labels and {len(texts)} texts"
            raise SampleError(what, hint="give each option one label and one text")
        pairs = list(zip(map(str, names), texts, strict=True))
    else:
        pairs = [(name, text) for name, text in value.items() if not is_missing(text)]
    found = _lettered([(f"{column}.{name}", text) for name, text in pairs])
    given = dict(zip(letters(len(pairs)), (name for name, _ in pairs), strict=True))
    return found._replace(given={label: given[label] for label in found.texts})


def _lettered(listed: Sequence[tuple[str, Any]]) -> QuestionOptions:
    """Options in order; the key of each is for messages. More than 702 have no letters."""
    if len(listed) > 702:
        raise SampleError(f"there are {len(listed)} options", hint="give at most 702")
    kinds = {*map(type, map(_VALUE, listed))}
    if kinds >= {int, float}:  # pandas makes floats of a column with an empty cell: 6.0 beside 3
        listed = [
            (key, int(value) if isinstance(value, float) and value.is_integer() else value)
            for key, value in listed
        ]
    # As in a TSV, only what is empty is no option: "None" and "NA" are answers.
    texts = {
        label: value if isinstance(value, str) else as_text(key, value)
        for label, (key, value) in zip(letters(len(listed)), listed, strict=True)
        if value != "" and (isinstance(value, str) or not is_missing(value))
    }
    bare = dict(without_labels(texts))
    return QuestionOptions(bare, were_labelled=bare != texts, are_numbers=kinds <= _NUMBERS)


#: What the answer of a multiple-choice question is: a letter, the text of an option, or a position.
Reading: TypeAlias = Literal["letter", "text", "from 0", "from 1"]
READINGS: tuple[Reading, ...] = get_args(Reading)
_TRUTH = {"true": YES_NO[0], "false": YES_NO[1]}


def choice_label(answer: Any, options: QuestionOptions, reading: Reading | None) -> str:
    """The letter of the right option, empty without an answer; SampleError for none or several."""
    answer = only_one(answer)
    if is_missing(answer):
        return ""
    if isinstance(answer, list | tuple):
        raise SampleError(
            f"the answer names {len(answer)} options", hint="give one right option, or kind: vqa"
        )
    labels = list(options.texts)
    if reading in ("from 0", "from 1"):
        return _at(answer, options, first=int(reading == "from 1"))
    if not isinstance(answer, str):
        answer = str(answer) if isinstance(answer, bool) else as_text("answer", answer)
    if options.given and reading != "text":
        for label, name in options.given.items():
            if name == answer.strip():
                return label
    if reading == "text":
        return _only_text(answer, options.texts)
    texts = {label: label for label in labels} if reading == "letter" else options.texts
    return answer if answer in texts else labels[find_choice(answer, texts)]


#: A number with a decimal comma; with three digits behind it, thousands may be parted.
_DECIMAL_COMMA = re.compile(r"\s*[-+−]?\d+,(?:\d{1,2}|\d{4,})\s*")
#: A number that has no point.
WITHOUT_POINT = re.compile(r"\s*[-+−]?\d+(?:,\d+)?\s*")


def has_decimal_comma(text: str) -> bool:
    """Whether a text is a number whose comma can only be a decimal one.

    >>> has_decimal_comma("1,5"), has_decimal_comma("1,500"), has_decimal_comma("1,5 kg")
    (True, False, False)
    """
    return _DECIMAL_COMMA.fullmatch(text) is not None


def with_point(answer: Any) -> Any:
    """``1,5`` of a table with decimal commas, as it is and as ``1.5``; other answers as is."""
    if isinstance(answer, str) and has_decimal_comma(answer):
        return [answer, answer.replace(",", ".")]
    return answer


def references(answer: Any) -> str:
    """The answers of an open question as in a TSV, a text or a JSON list; else SampleError."""
    if isinstance(answer, list | tuple):
        if not answer:
            raise SampleError("the list of answers is empty", hint="give at least one answer")
        return json.dumps([_reference(item, place) for place, item in enumerate(answer)])
    if is_missing(answer):
        return ""
    return _plain(answer)


def yes_no(answer: Any) -> str:
    """A yes/no answer as ``Yes`` or ``No``; 1 is yes and 0 is no. SampleError for others."""
    answer = only_one(answer)
    if is_missing(answer):
        return ""
    found = verdict(answer) or {1: YES_NO[0], 0: YES_NO[1]}.get(position_of(answer) or 0)
    if found is None or (verdict(answer) is None and position_of(answer) is None):
        raise SampleError(
            f"the answer {answer!r} is neither yes nor no", hint="write yes or no, or true or false"
        )
    return found


def verdict(answer: Any) -> str | None:
    """``Yes`` or ``No`` for a verdict, which may also be true or false; None for anything else."""
    if isinstance(answer, bool):
        return _TRUTH[str(answer).lower()]
    if not isinstance(answer, str):
        return None
    return yes_or_no(answer) or _TRUTH.get(answer.strip().lower())


def position_of(answer: Any) -> int | None:
    """A whole number, also as text or as the float that pandas makes of it; else None.

    >>> position_of(2.0), position_of(" 2 "), position_of("B"), position_of(True)
    (2, 2, None, None)
    """
    if isinstance(answer, bool):
        return None
    if isinstance(answer, int):
        return answer
    if isinstance(answer, float):
        return int(answer) if answer.is_integer() else None
    if isinstance(answer, str) and (digits := answer.strip()).isdecimal() and digits.isascii():
        return int(digits) if len(digits) < 10 else None
    return None


def only_one(answer: Any) -> Any:
    """The item of a list of one, which may be written as text; anything else as it is."""
    if isinstance(answer, str) and answer.strip().startswith("["):
        listed = list_literal(answer.strip())
        answer = answer if listed is None else listed
    return answer[0] if isinstance(answer, list | tuple) and len(answer) == 1 else answer


def _at(answer: Any, options: QuestionOptions, first: int) -> str:
    """The letter at a position. Where options are empty, the positions count them too."""
    position = position_of(answer)
    if position is None:
        raise SampleError(
            f"the answer {answer!r} is no number, and the answers are positions from {first}",
            hint=f"correct it, or set answers in scenario_cfg to one of {', '.join(READINGS)}",
        )
    places = letters(options.places)
    label = places[position - first] if first <= position < options.places + first else None
    if label not in options.texts:
        raise SampleError(
            f"the answer {position} is no position of an option, which are counted from {first}: "
            f"there are {len(options.texts)}",
            hint="correct it; `answers: from 0` or `answers: from 1` in scenario_cfg says how "
            "positions are counted",
        )
    return label


def _only_text(answer: str, texts: Mapping[str, str]) -> str:
    if len(matches := by_text(answer, texts)) == 1:
        return matches[0]
    if matches:
        raise SampleError(
            f"the answer {answer!r} is the text of {len(matches)} options",
            hint="give each option another text, or the answer as a letter",
        )
    raise SampleError(
        f"the answer {answer!r} is the text of no option", hint=f"options: {list(texts.values())}"
    )


def plain_answer(answer: Any) -> str:
    """One answer as a text, empty where there is none; SampleError for several."""
    answer = only_one(answer)
    return "" if is_missing(answer) else _plain(answer)


def _reference(item: Any, place: int) -> str:
    """One of several references; as in VQA, it may be a mapping with the key ``answer``."""
    if isinstance(item, Mapping) and "answer" in item:
        item = item["answer"]
    if is_missing(item):
        raise bad_value(f"answer[{place}]", item, "a text")
    return _plain(item)


def _plain(answer: Any) -> str:
    return str(answer) if isinstance(answer, bool) else as_text("answer", answer)
