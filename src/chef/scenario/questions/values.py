"""What stands in a cell: images as text, and the named transforms of values, for any table."""

from __future__ import annotations

import base64
from collections.abc import Callable, Container, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias, TypeVar

from chef.common.options import list_literal
from chef.errors import SampleError
from chef.guard.files import case_hint, problem_of, user_path

#: How encoded images begin: PNG, JPEG, GIF, BMP, and the container of WebP.
_SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"RIFF")
#: An image cell of at most this length names another row, unless it decodes to a tiny image.
MAX_REFERENCE = 64
#: The longest chain of references to references.
MAX_CHAIN = 100
K = TypeVar("K")


def decoded(text: str, what: str = "the image") -> bytes:
    """The bytes of an image in base64 or a data URL, white space or not; else SampleError."""
    content = text.partition(",")[2] if text.startswith("data:") else text
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except ValueError as error:  # not ASCII, or not base64
        raise SampleError(
            f"{what} is not base64: {error}", hint="encode the bytes of the image file"
        ) from None


def is_image(text: str) -> bool:
    """Whether a text is an image in base64, without white space."""
    try:
        return base64.b64decode(text, validate=True).startswith(_SIGNATURES)
    except ValueError:
        return False


def names_row(entry: str, rows: Container[str]) -> bool:
    """Whether an entry is the index of a row, and no image; SampleError for a short text that is
    neither, so an index or a name was meant.
    """
    if len(entry) > MAX_REFERENCE:
        return False
    if entry in rows:
        return True
    if not is_image(entry):
        raise SampleError(
            f"refers to the image of '{entry}', but no valid row has that index",
            hint=_entry_hint(entry),
        )
    return False


def followed(row: K, chain: tuple[K, ...], shown: Callable[[K], object]) -> tuple[K, ...]:
    """The rows whose references led to an image, and this one; SampleError for a circle."""
    if row in chain:
        rows = " -> ".join(str(shown(one)) for one in (*chain[chain.index(row) :], row))
        raise SampleError(f"image references form a circle: rows {rows}")
    if len(chain) > MAX_CHAIN:
        raise SampleError(f"there is a chain of more than {MAX_CHAIN} image references")
    return (*chain, row)


def _entry_hint(entry: str) -> str:
    """What to write instead of an image cell that is neither an image nor an index."""
    if entry.startswith("data:"):
        return "the text of the image is cut off: give all of it"
    if "://" in entry:
        return "download the images, and name the files in the column image_path"
    if Path(entry).suffix or "/" in entry:
        return "names of files belong in the column image_path"
    return "give the index of a row of this file, or the image in base64"


def string_list(cell: str, column: str) -> list[str]:
    """The texts of a list literal of JSON or Python; it is parsed and not executed.

    >>> string_list("['a', 'b']", "image"), string_list('["a", 7]', "image")
    (['a', 'b'], ['a', '7'])

    Raises:
        SampleError: the cell is not a list of texts.
    """
    values = list_literal(cell)
    if not values or not all(type(value) in {str, int} and value != "" for value in values):
        raise SampleError(
            f"the list in column '{column}' cannot be read", hint="write a JSON list of strings"
        )
    return [str(value).strip() for value in values]


def image_file(root: Path, name: str, hint: str = "check image_root in scenario_cfg") -> Path:
    """The image file below a root that a cell names; SampleError if it is not there."""
    path = root / user_path(name)
    if problem := problem_of(path):
        what = f"image file not found: {path}"
        what = what if problem == "no such file" else f"{what} ({problem})"
        hint = case_hint(path, f"paths begin at {root.resolve()}; {hint}")
        if "://" in name:
            hint = "download the images, and give the names of the files"
        raise SampleError(what, hint=hint)
    return path


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
