"""The only way from chef to a file of text: whole or not at all, and without secrets; and images.

`tests/test_style.py` forbids every other one.
"""

from __future__ import annotations

import errno
import io
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.redaction import may_hold_secret, redact, redact_data
from chef.common.text import encodable, encodable_data
from chef.errors import RunError
from chef.guard import folder

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


def write_atomically(path: Path, text: str) -> None:
    """Write a file; readers see the old or the new content, even after a crash.

    RunError: it cannot be.
    """
    _replace(path, [redact(encodable(text)).encode()])


def write_json(path: Path, content: Any, *, nan: bool = False) -> None:
    """Write a JSON file, whole or not at all; with ``nan`` it may hold NaN, which only Python
    takes.
    """
    safe = redact_data(encodable_data(content))
    text = json.dumps(safe, indent=2, ensure_ascii=False, allow_nan=nan) + "\n"
    _replace(path, [text.encode()])


def write_table(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file of texts and mappings of texts as `write_json` does, in a tenth of the
    time.
    """
    try:
        line = json_line(content)
    except UnicodeEncodeError:
        line = json_line(encodable_data(content))
    _replace(path, [msgspec.json.format(line, indent=2), b"\n"])


def write_lines(path: Path, items: Iterable[Mapping[str, Any]]) -> None:
    """Write a JSON-lines file, whole or not at all."""
    _replace(path, map(json_line, items))


def json_line(item: Any, keep: str = "") -> bytes:
    """A value, or a dataclass, as one line of JSON without secrets, but in the field ``keep``.

    TypeError, ValueError, OverflowError, RecursionError: JSON cannot hold it, such as lone
    surrogates.
    """
    line = _ENCODER.encode(item)
    if may_hold_secret(line):
        plain = msgspec.json.decode(line)
        kept = {keep: plain[keep]} if keep else {}
        safe = redact_data(plain)
        line = msgspec.json.encode({**safe, **kept} if keep else safe)
    return line + b"\n"


_ENCODER = msgspec.json.Encoder(enc_hook=to_jsonable)


def write_parts(
    path: Path, parts: Iterable[bytes], *, below: int = 1, otherwise: str = "run the command again"
) -> None:
    """Write a file of UTF-8 parts, whole or not at all, with one part in memory. Raises RunError.

    The parts are redacted already, for a secret may be a word of the code among them; ``below`` as
    in `chef.guard.folder`, ``otherwise`` what to do besides mending what is in the way.
    """
    _replace(path, parts, otherwise, below)


def append(descriptor: int, line: bytes) -> None:
    """Append a line of `json_line` by one call: a kill can truncate it, and lines never interleave.

    OSError.
    """
    written = os.write(descriptor, line)
    while written < len(line):
        written += os.write(descriptor, line[written:])


def _replace(
    path: Path,
    parts: Iterable[bytes],
    then: str = "the same command resumes the run",
    below: int = 1,
) -> None:
    try:
        with folder.replaced(path, below=below) as stream:
            for part in parts:
                stream.write(part)
    except OSError as error:
        raise RunError(
            f"the file cannot be written ({error.strerror or error})",
            where=str(path),
            hint=f"{_remedy(error, path)}; {then}",
        ) from None


def _remedy(error: OSError, path: Path) -> str:
    if isinstance(error, IsADirectoryError):
        return f"remove the folder {path}"
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return f"is {path.parent} still the folder of the run?"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"make {path.parent} writable"
    return "free disk space"


def write_image(path: Path, image: Pixels | bytes, hint: str) -> None:
    """Write pixels, as a PNG, or bytes; the image appears complete to other processes.

    Raises RunError.
    """
    if not isinstance(image, bytes):
        encoded = io.BytesIO()
        image.save(encoded, "PNG", compress_level=1)  # four times as fast as the default
        image = encoded.getvalue()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        from tempfile import NamedTemporaryFile  # which loads six modules

        with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            file.write(image)
        Path(file.name).replace(path)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise RunError(f"an image cannot be written ({reason})", where=str(path), hint=hint) from (
            error
        )
