"""The ids of samples, as words or in a file with one a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from chef.common.writing import write_atomically
from chef.errors import ConfigError
from chef.guard.files import read_text


def sample_ids(words: Sequence[str]) -> tuple[str, ...] | None:
    """The ids of ``--ids``, also of text files with one a line; None if not written.

    Raises ConfigError.
    """
    if not words:
        return None
    return tuple(name for word in words for name in _ids_of(word))


def _ids_of(word: str) -> list[str]:
    if not word.endswith(".txt"):
        return [word]
    try:
        ids = [line for line in read_text(word, "utf-8-sig").split("\n") if line.strip()]
    except (OSError, ValueError) as error:
        reason = "is no text" if isinstance(error, ValueError) else error.strerror or str(error)
        raise ConfigError(
            f"cannot be read: {reason}",
            where=word,
            hint="name a file with one id a line: `chef show RUN --wrong --save-ids FILE` writes "
            "one; an id that ends with .txt stands in a file, too",
        ) from None
    if not ids:
        raise ConfigError("has no ids", where=word, hint="write one id a line")
    return ids


def save_ids(file: Path, ids: Iterable[str]) -> None:
    """Write ids to a file, one a line. ConfigError: ``--ids`` could not read it."""
    names = [*ids]
    if file.suffix != ".txt":
        raise ConfigError(
            f"'{file}' does not end with .txt",
            where="--save-ids",
            hint=f"write {file.with_suffix('.txt')}; --ids takes another word for an id",
        )
    if broken := [name for name in names if len(name.splitlines()) != 1]:
        raise ConfigError(
            f"the id {broken[0]!r} has no line of its own",
            where=str(file),
            hint="name the samples in Python: chef.evaluate(..., ids=[...])",
        )
    write_atomically(file, "".join(f"{name}\n" for name in names))
