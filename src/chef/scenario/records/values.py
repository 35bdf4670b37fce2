"""The values of a record: each has the type that its meaning needs, or its sample is an error.

What is given, and not asked for here, would be compared with answers all the same: a class that is
not in the list, or a count of -3, makes every answer wrong.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from chef.errors import SampleError, nearest
from chef.scenario.records.files import Record
from chef.types import check_choice

#: How much of a value that is wrong is shown.
_SHOWN = 60


def bad_value(key: str, value: Any, wanted: str) -> SampleError:
    """The error for the value of a key that cannot be what it should be.

    >>> bad_value("num", -3, "a count").what
    "'num' is -3, not a count"
    """
    shown = repr(value)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
    return SampleError(f"'{key}' is {shown}, not {wanted}", hint=f"correct '{key}' of the record")


def text(record: Record, key: str) -> str:
    """A text that is not blank; a number counts as its digits. SampleError for others."""
    return as_text(key, record[key])


def as_text(key: str, value: Any) -> str:
    """`text`, of a value."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if is_whole or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise bad_value(key, value, "a text")
    return value


def texts(record: Record, key: str, *, blank: bool = False) -> list[str]:
    """A list of texts, at least one; options may be ``blank``. SampleError for others."""
    value = record[key]
    if not isinstance(value, list | tuple) or not value:
        raise bad_value(key, value, "a list of texts")
    return [
        item if blank and isinstance(item, str) else as_text(f"{key}[{place}]", item)
        for place, item in enumerate(value)
    ]


def count(record: Record, key: str) -> int:
    """A whole number, 0 or more, which may be written as a text; SampleError for others."""
    value = record[key]
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not number.is_integer() or number < 0:
        raise bad_value(key, value, "a count (0, 1, 2, ...)")
    return int(number)


def choice(record: Record, key: str, options: int) -> int:
    """The position of the right option, from 0, as a number or a text; SampleError for others."""
    value = record[key]
    if value is None or isinstance(value, bool | list | tuple | set):
        raise bad_value(key, value, "the position of an option")
    check_choice(value, options)
    return int(value)


def one_of(key: str, value: Any, known: Collection[str]) -> str:
    """A value that has to be one of some texts; SampleError where it is not."""
    if not isinstance(value, str) or value not in known:
        error = bad_value(key, value, f"one of the {len(known)} that are known")
        raise SampleError(error.what, hint=nearest(str(value)[:_SHOWN], known))
    return value


def points(record: Record, key: str) -> list[list[float]]:
    """A list of lists of finite numbers; SampleError where it is something else, or empty."""
    value = record[key]
    rows = value if isinstance(value, list | tuple) else []
    if not rows or not all(isinstance(row, list | tuple) and row for row in rows):
        raise bad_value(key, value, "a list of points")
    return [numbers(f"{key}[{place}]", row) for place, row in enumerate(rows)]


def numbers(key: str, value: Any) -> list[float]:
    """A list of finite numbers, which may be written as texts; SampleError for others."""
    items: Sequence[Any] = value if isinstance(value, list | tuple) else ()
    try:
        numbers = [float("nan") if isinstance(item, bool) else float(item) for item in items]
    except (TypeError, ValueError, OverflowError):
        numbers = []
    if not numbers or not all(map(math.isfinite, numbers)):
        raise bad_value(key, value, "a list of finite numbers")
    return numbers
