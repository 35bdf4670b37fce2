"""What can become of a value before it is read: named transforms, for any table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, Literal, TypeAlias

from chef.common.options import list_literal
from chef.errors import SampleError
from chef.scenario.questions.images import decoded

Transform: TypeAlias = Literal[
    "as_is", "text", "known", "yes_no", "verdict", "first", "list", "commas", "lines",
    "after_hashes", "stem", "base64",
]  # fmt: skip


def as_text(field: str, value: Any) -> str:
    """A text that is not blank; SampleError for anything else."""
    if not isinstance(value, str) or not value.strip():
        raise SampleError(f"its {field} is {value!r}", hint="write a text")
    return value


def yes_no(truth: Any, otherwise: Any = None) -> Any:
    """1 for yes and 0 for no; ``otherwise`` for any other truth.

    >>> yes_no("Yes"), yes_no("No"), yes_no("Maybe", "Maybe")
    (1, 0, 'Maybe')
    """
    word = truth.strip().casefold() if isinstance(truth, str) else ""
    return {"yes": 1, "no": 0}.get(word, otherwise)


def transformed(transform: Transform, field: str, value: Any) -> Any:
    """What becomes of a value.

    Args:
        transform: its name.
        field: the column, for messages.
        value: the cell.

    >>> transformed("commas", "tags", "red, green"), transformed("after_hashes", "a", "2+2 #### 4")
    (['red', 'green'], '4')

    Raises:
        SampleError: the value is not of the kind that the transform takes.
    """
    return TRANSFORMS[transform](field, value)


def _verdict(field: str, value: Any) -> int:
    if (target := yes_no(value)) is None:
        raise SampleError(f"its {field} is {value!r}", hint="write Yes or No")
    return int(target)


def _known(field: str, value: Any) -> str:
    if value is None or not str(value).strip():
        raise SampleError(f"its {field} is empty", hint="write the true answer")
    return str(value)


def _first(field: str, value: Any) -> str:
    if not isinstance(value, list) or not value:
        raise SampleError(f"its {field} is {value!r}", hint="write a list of classes")
    return str(value[0])


def _list(field: str, value: Any) -> Any:
    values = list_literal(value.strip()) if isinstance(value, str) else value
    if not isinstance(values, list):
        raise SampleError(f"its {field} is no list: {str(value)[:60]!r}", hint='write ["a", "b"]')
    return values


def _after_hashes(field: str, value: Any) -> str:
    before, hashes, answer = as_text(field, value).rpartition("####")
    if not hashes or not answer.strip():
        raise SampleError(f"its {field} has no answer after ####: {before[-60:]!r}", hint="add it")
    return answer.strip()


#: Each takes the column, for messages, and the value.
#: as_is: the value. text: it has to be one. known: the text of any value.
#: yes_no: 1 and 0, other truths themselves. verdict: the same without others.
#: first: of a list. list: of the text of a list, in JSON or Python. commas, lines: what they part.
#: after_hashes: what follows the last ####, as in solutions of problems.
#: stem: the name of a file without its folder and ending. base64: the bytes.
TRANSFORMS: Mapping[Transform, Callable[[str, Any], Any]] = {
    "as_is": lambda _, value: value,
    "text": as_text,
    "known": _known,
    "yes_no": lambda _, value: yes_no(value, value),
    "verdict": _verdict,
    "first": _first,
    "list": _list,
    "commas": lambda field, value: [one.strip() for one in as_text(field, value).split(",")],
    "lines": lambda field, value: as_text(field, value).splitlines(),
    "after_hashes": _after_hashes,
    "stem": lambda field, value: PurePosixPath(as_text(field, value)).stem,
    "base64": lambda field, value: decoded(as_text(field, value), f"its {field}"),
}
