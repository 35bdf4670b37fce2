"""Files from outside, opened only if they are regular files.

To open a named pipe waits for a writer, possibly for ever, and a device such as ``/dev/zero`` has
no end. Every file whose path comes from a recipe, a data set or the command line is opened here;
those of run folders by `chef.guard.folder`, which follows no link.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from functools import lru_cache
from pathlib import Path

#: What a path is that follows links without end; the system speaks of too many levels.
CIRCLE = "is a link that leads in a circle"
#: What a path can lead to besides a regular file.
_KINDS = (
    (stat.S_ISDIR, "is a folder"),
    (stat.S_ISFIFO, "is a named pipe"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISCHR, "is a device"),
    (stat.S_ISBLK, "is a device"),
)


class NotAFileError(OSError):
    """The path leads to a folder, a pipe, a device or a socket, or by links in a circle.

    >>> NotAFileError("is a folder", "data").strerror
    'is a folder, not a file'
    """

    def __init__(self, kind: str, path: str | Path) -> None:
        super().__init__(None, f"{kind}, not a file", str(path))

    def __str__(self) -> str:
        return f"{self.strerror}: '{self.filename}'"


class TooLargeError(OSError):
    """The file has more bytes than are read."""

    def __init__(self, size: int, limit: int, path: str | Path) -> None:
        super().__init__(None, f"has {size:,} bytes, and {limit:,} are allowed", str(path))

    def __str__(self) -> str:
        return f"{self.strerror}: '{self.filename}'"


def user_path(path: str | os.PathLike[str]) -> Path:
    """A path in which ``~`` and ``~name`` stand for home folders, as in a shell.

    One whose home is not known stays as it is: a folder may be called ``~x``, and a process in a
    container may have neither ``$HOME`` nor an entry in the list of users.

    >>> str(user_path("~of_no_user/x.csv"))
    '~of_no_user/x.csv'
    """
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def open_file(path: str | Path) -> io.BufferedReader:
    """Open a regular file, and nothing else (NotAFileError), for reading; the call never waits."""
    check_name(path)
    # Without O_NONBLOCK, to open a named pipe waits until a process writes to it.
    flags = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        check_regular(path)  # a socket cannot be opened, and the system's message is odd
        raise
    try:
        check_kind(os.fstat(descriptor).st_mode, path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_bytes(path: str | Path, limit: int | None = None) -> bytes:
    """The content of a regular file; `TooLargeError`, an OSError, where it has more than ``limit``
    bytes.
    """
    with open_file(path) as file:
        if limit is not None and (size := os.fstat(file.fileno()).st_size) > limit:
            raise TooLargeError(size, limit, path)
        return file.read()


def read_text(path: str | Path, encoding: str = "utf-8", limit: int | None = None) -> str:
    """The content of a regular text file, with line feeds as line breaks.

    OSError, UnicodeDecodeError.
    """
    return decoded(read_bytes(path, limit), encoding)


def decoded(data: bytes, encoding: str = "utf-8") -> str:
    """Bytes as text with line feeds as line breaks. UnicodeDecodeError: they are no text."""
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def check_regular(path: str | Path) -> None:
    """NotAFileError if the path leads to something that is no regular file."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError) as error:  # what does not exist is for the caller to report
        if getattr(error, "errno", None) == errno.ELOOP:
            raise NotAFileError(CIRCLE, path) from None
        return
    check_kind(mode, path)


def problem_of(path: str | Path) -> str | None:
    """What is wrong with a path that should lead to a regular file; None if nothing is.

    >>> problem_of("/")
    'is a folder, not a file'
    """
    try:
        check_regular(path)
        return None if Path(path).is_file() else "no such file"
    except OSError as error:  # also a name that is too long
        return str(error.strerror)


def case_hint(path: str | Path, otherwise: str) -> str:
    """What to do for a path that leads to nothing: which one is there that differs in upper and
    lower case or in its slashes alone, as on another system; else what ``otherwise`` says.
    """
    there = _other_case(Path(str(path).replace("\\", "/")))
    if there is None or there == Path(path):
        return otherwise
    what = "folder" if there.is_dir() else "file"
    kind = "with / between folders" if "\\" in str(path) else "in upper and lower case"
    return f"the {what} there is {there}, {kind}"


def _other_case(path: Path) -> Path | None:
    found = Path(path.anchor)
    for part in path.relative_to(found).parts:
        name: str | None = part
        if not os.path.lexists(found / part):
            try:
                name = _by_small_letters(found, found.stat().st_mtime_ns).get(part.lower())
            except OSError:
                return None
        if name is None:
            return None
        found /= name
    return found


@lru_cache(maxsize=16)
def _by_small_letters(folder: Path, written: int) -> dict[str, str]:
    """The names in a folder by their small letters; read again where it was written since."""
    del written
    return {name.lower(): name for name in sorted(os.listdir(folder), reverse=True)}  # noqa: PTH208


def check_name(path: str | Path) -> None:
    """FileNotFoundError if a path has a character that no name of a file can have."""
    if "\0" in os.fspath(path):
        shown = str(path).replace("\0", "\\0")
        raise FileNotFoundError(None, "the name has a NUL character", shown)


def check_kind(mode: int, path: str | Path) -> None:
    """NotAFileError if the mode is that of a folder, a pipe, a device or a socket."""
    for holds, kind in _KINDS:
        if holds(mode):
            raise NotAFileError(kind, path)
