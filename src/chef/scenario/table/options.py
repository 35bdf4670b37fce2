"""The options of a question, from a column with a list or from one column each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from chef.common.options import letters, list_literal
from chef.errors import SampleError
from chef.scenario.records.values import as_text, bad_value
from chef.scenario.table.json_scan import json_value
from chef.scenario.table.rows import Row, is_missing, value_at

_LIST = "write a JSON list of texts, or name a column for each option"


class Options(NamedTuple):
    """The options of one question.

    Attributes:
        texts: the text of each option, by its letter; a place that is empty has no letter.
        given: the names that the data gives the options, where it does, by letter.
    """

    texts: dict[str, str]
    given: Mapping[str, str] = MappingProxyType({})

    @property
    def places(self) -> int:
        """The number of places up to the last option, with those that are empty.

        >>> Options({"A": "cat", "C": "dog"}).places
        3
        """
        number = 0
        for letter in next(reversed(self.texts), ""):
            number = 26 * number + ord(letter) - ord("A") + 1
        return number


#: Of a question without options.
NO_OPTIONS = Options({})


def options_of(row: Row, columns: Sequence[str]) -> Options:
    """The options of a row; none if its cells are empty.

    Args:
        row: the row.
        columns: one that holds a list (or its text in JSON or Python, which is not executed, or a
            mapping from names to texts), or one for each option.

    Raises:
        SampleError: a cell holds something else.
    """
    if not columns:
        return NO_OPTIONS
    if len(columns) > 1:
        return _lettered((name, value_at(row, name)) for name in columns)
    (column,) = columns
    value = value_at(row, column)
    if isinstance(value, str) and value.strip():
        value = _literal(value.strip(), column)
    if isinstance(value, Mapping):
        return _named(value, column)
    if isinstance(value, list | tuple):
        return _lettered((f"{column}[{place}]", item) for place, item in enumerate(value))
    if is_missing(value):
        return NO_OPTIONS
    raise SampleError(bad_value(column, value, "a list of options").what, hint=_LIST)


def _literal(text: str, column: str) -> Any:
    value: Any = None
    if text.startswith("["):
        value = list_literal(text)
    elif text.startswith("{"):
        found = json_value(text.encode("utf-8", "surrogatepass"))
        value = found if isinstance(found, dict) else None
    if value is None:
        raise SampleError(f"the list in column '{column}' cannot be read", hint=_LIST)
    return value


def _named(value: Mapping[str, Any], column: str) -> Options:
    """Options with names: ``{"A": "cat"}``, or ``{"label": ["A"], "text": ["cat"]}``."""
    names, texts = value.get("label"), value.get("text")
    if isinstance(names, list) and isinstance(texts, list):
        if len(names) != len(texts):
            what = f"column '{column}' has {len(names)} labels and {len(texts)} texts"
            raise SampleError(what, hint="give each option one label and one text")
        pairs = list(zip(map(str, names), texts, strict=True))
    else:
        pairs = [(name, text) for name, text in value.items() if not is_missing(text)]
    found = _lettered((f"{column}.{name}", text) for name, text in pairs)
    given = dict(zip(letters(len(pairs)), (name for name, _ in pairs), strict=True))
    return found._replace(given={label: given[label] for label in found.texts})


def _lettered(values: Iterable[tuple[str, Any]]) -> Options:
    """Options in order; the key of each is for messages. More than 702 have no letters."""
    listed = list(values)
    if len(listed) > 702:
        raise SampleError(f"there are {len(listed)} options", hint="give at most 702")
    # As in a TSV, only what is empty is no option: "None" and "NA" are answers.
    return Options(
        {
            label: value if isinstance(value, str) else as_text(key, value)
            for label, (key, value) in zip(letters(len(listed)), listed, strict=True)
            if value != "" and (isinstance(value, str) or not is_missing(value))
        }
    )
