"""The one way to the files of a run folder: relative to it, and through no link.

A run folder may come from somebody else, with links in place of its files: to read one shows a
file of the reader's own, and to append to it changes one. So the folder is opened, and each part
of the way below it relative to what was opened before (``openat`` with ``O_NOFOLLOW``): nothing
that is swapped in between leads anywhere else. Links above the folder, and to the folder itself,
are the user's own and are followed. `tests/test_style.py` allows no other way.

Every function takes the path of a file, of which the last ``below`` parts are within the folder:
one for ``RUN/results.json``, two for ``RUN/thumbnails/x.webps``.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from chef.guard.files import (
    NotAFileError,
    TooLargeError,
    check_kind,
    check_name,
    check_regular,
    decoded,
)

#: To open a named pipe without it waits until a process comes to the other end.
_FLAGS = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
#: How the files end that chef writes into a run folder.
_OWN = (".yaml", ".json", ".jsonl", ".txt", ".lock", ".seal")


class LinkError(NotAFileError):
    """A link stands where a run folder has a file or a folder.

    >>> LinkError("run/results.json").strerror
    'is a link, which is not followed'
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__("is a link", path)
        self.strerror = "is a link, which is not followed"


@contextmanager
def _within(path: Path, below: int) -> Iterator[tuple[int, str]]:
    """The descriptor of the folder that a file is in, and its name there. LinkError, OSError."""
    check_name(path)
    top = path
    for _ in range(below):
        top = top.parent
    *folders, name = path.parts[-below:]
    if ".." in (*folders, name):
        raise FileNotFoundError(None, "leads out of the folder", str(path))
    descriptor = os.open(top, _FOLDER)
    try:
        for part in folders:
            inner = _opened_folder(part, descriptor, path)
            os.close(descriptor)
            descriptor = inner
        yield descriptor, name
    finally:
        os.close(descriptor)


def _refuse_link(name: str, folder: int, path: Path) -> None:
    with suppress(FileNotFoundError):
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            raise LinkError(path)


def open_descriptor(path: Path, flags: int, *, below: int = 1) -> int:
    """Open a regular file of a run folder with flags of `os.open`; the call never waits.

    The last ``below`` parts of the path are within the folder; the caller closes the descriptor.
    LinkError: it is a link, or below one. NotAFileError: a folder, a pipe, a device or a socket.
    OSError.
    """
    with _within(path, below) as (folder, name):
        try:
            descriptor = os.open(name, flags | _FLAGS, 0o644, dir_fd=folder)
        except OSError:
            _refuse_link(name, folder, path)
            check_regular(path)  # the system's message for a socket or a folder is odd
            raise
    try:
        check_kind(os.fstat(descriptor).st_mode, path)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_bytes(path: Path, limit: int | None = None, *, below: int = 1) -> bytes:
    """The content of a file of a run folder; OSError as `open_descriptor`, or more bytes than
    ``limit``.
    """
    descriptor = open_descriptor(path, os.O_RDONLY, below=below)
    try:
        if limit is not None and (size := os.fstat(descriptor).st_size) > limit:
            raise TooLargeError(size, limit, path)
        return content_of(descriptor)
    finally:
        os.close(descriptor)


def content_of(descriptor: int) -> bytes:
    """All bytes of a file that is open for reading; its descriptor stays open."""
    with os.fdopen(descriptor, "rb", buffering=0, closefd=False) as file:
        return file.read()


def read_text(path: Path, limit: int | None = None) -> str:
    """The content of a UTF-8 file of a run folder, line breaks as line feeds.

    OSError, UnicodeDecodeError.
    """
    return decoded(read_bytes(path, limit))


def state_of(path: Path, *, below: int = 1) -> os.stat_result | None:
    """Size, times and identity of a file of a run folder; None if it is absent.

    LinkError, NotAFileError.
    """
    try:
        if below == 1:  # only the last part is within the folder; asked often, and one call
            check_name(path)
            state = os.stat(path, follow_symlinks=False)  # noqa: PTH116
        else:
            with _within(path, below) as (folder, name):
                state = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(state.st_mode):
        raise LinkError(path)
    check_kind(state.st_mode, path)
    return state


def has_file(path: Path, *, below: int = 1) -> bool:
    """Whether a run folder has a file, which is no link and may be looked at."""
    try:
        return state_of(path, below=below) is not None
    except (OSError, ValueError):
        return False


@contextmanager
def replaced(path: Path, *, below: int = 1, sync: bool = True) -> Iterator[BinaryIO]:
    """Write a file whole or not at all: it takes its place when the block ends without an error.

    A link in its place is replaced itself. Without ``sync`` a power failure may leave a part of it.
    LinkError: a folder on the way is one. OSError.
    """
    with _within(path, below) as (folder, name):
        temporary = f".{name}.{os.getpid()}.tmp"
        _discard(temporary, folder)  # of a killed process; or a link, which is not followed
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            descriptor = os.open(temporary, flags | _FLAGS, 0o666, dir_fd=folder)
            with os.fdopen(descriptor, "wb") as stream:
                yield stream
                stream.flush()
                if sync:
                    os.fsync(stream.fileno())
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:  # also Ctrl-C
            _discard(temporary, folder)
            raise


def remove(path: Path, *, below: int = 1) -> None:
    """Remove a file of a run folder, if it is there; of a link, the link itself. Raises OSError."""
    with suppress(FileNotFoundError), _within(path, below) as (folder, name):
        os.unlink(name, dir_fd=folder)


def make_folder(path: Path) -> None:
    """Make a folder within a run folder, if it is not there. LinkError, OSError."""
    with _within(path, 1) as (folder, name):
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
        os.close(_opened_folder(name, folder, path))


def names_in(path: Path, *, below: int = 0) -> list[str]:
    """The names of all that is in a run folder, or in a folder within it, in order.

    LinkError, OSError.
    """
    with opened_folder(path, below=below) as descriptor:
        return sorted(os.listdir(descriptor))  # noqa: PTH208 (a descriptor is no path)


def files_in(path: Path) -> set[str]:
    """The names of the regular files in a folder of a run folder, which are no links.

    LinkError, OSError.
    """
    with opened_folder(path, below=1) as descriptor, os.scandir(descriptor) as entries:
        return {entry.name for entry in entries if entry.is_file(follow_symlinks=False)}


@contextmanager
def opened_folder(path: Path, *, below: int = 0) -> Iterator[int]:
    """The descriptor of a run folder, or of a folder within it. LinkError, OSError."""
    with _within(path / "-", below + 1) as (descriptor, _):
        yield descriptor


def may_write(path: Path) -> bool:
    """Whether the permissions of a folder, and of its disk, let files be made in it; True of one
    that is not there.
    """
    return os.access(path, os.W_OK) or not path.is_dir()


def refuse_links(path: Path) -> None:
    """LinkError if a link stands in a run folder in place of a file that chef may write."""
    with os.scandir(path) as entries:
        links = [entry.name for entry in entries if entry.is_symlink()]
    if own := sorted(name for name in links if name.endswith(_OWN)):
        raise LinkError(path / own[0])


def holds_links(path: Path) -> bool:
    """Whether a link is in a folder within a run folder, or below it."""
    found = (Path(at, name) for at, *lists in os.walk(path) for names in lists for name in names)
    return any(item.is_symlink() for item in found)


def _opened_folder(name: str, folder: int, path: Path) -> int:
    try:
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
    except OSError:
        _refuse_link(name, folder, path)
        raise


def _discard(name: str, folder: int) -> None:
    with suppress(OSError):
        os.unlink(name, dir_fd=folder)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no one else is in this block for a folder; nothing waits where there are no locks.

    The lock is on the folder itself, so that no file is left behind, and it ends with the process.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            fcntl.flock(stack.enter_context(opened_folder(folder)), fcntl.LOCK_EX)
        yield
