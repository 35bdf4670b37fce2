"""The journals of a run: read, their end repaired, and open for appending.

``predictions.jsonl`` is one, and ``judgements.jsonl`` another. A journal is append-only. A process
killed at any time leaves at most one half-written last line, which the next run removes; nothing
else is ever removed from it.
"""

from __future__ import annotations

import gc
import io
import os
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from chef.common.logs import logger
from chef.common.writing import append
from chef.errors import ConfigError, RunError
from chef.guard.files import NotAFileError
from chef.guard.folder import content_of, open_descriptor, read_bytes, state_of
from chef.run.answers import Answers, decode
from chef.run.reading import readable
from chef.types import Prediction

#: So many new objects there are before young ones are looked at; Python's default is 700.
_MANY = 7_000


@contextmanager
def no_collection() -> Iterator[None]:
    """A block without collection of garbage, which takes longer than to read what is to be kept."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def rare_collection() -> Iterator[None]:
    """A block that makes many objects, most of which stay: cycles are looked for less often.

    What was there before, such as modules and the model, is not looked at within the block. What
    the calling program has frozen itself stays so.
    """
    before = gc.get_threshold()
    is_frozen = gc.get_freeze_count() > 0
    if not is_frozen:
        gc.freeze()
    gc.set_threshold(max(before[0], _MANY) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not is_frozen:
            gc.unfreeze()


_log = logger(__name__)
T = TypeVar("T")

JOURNAL = "predictions.jsonl"
#: The answers of a session whose journal was lost while it ran.
KEPT = "predictions.kept.jsonl"
#: Maximum number of lines and of seconds between two fsyncs. A killed process loses nothing (the
#: kernel has the lines); a power failure loses at most this much.
SYNC_LINES, SYNC_SECONDS = 64, 1.0
#: So many unreadable lines are named one by one.
_NAMED = 5


class Lines(Generic[T]):
    """A journal, open for appending.

    Args:
        path: the file; created if it does not exist.
        read: what a line means; raises `msgspec.DecodeError` where it is none of this journal.
        key: what a line is about.

    Attributes:
        entries: the lines of earlier sessions by their key; the last of each key counts.
        unreadable: how many lines cannot be read.

    Raises:
        ConfigError: it is no file, may not be opened, or most of its lines are unreadable.
    """

    def __init__(
        self, path: Path, read: Callable[[bytes], T], key: Callable[[T], Hashable]
    ) -> None:
        self.path, self._key = path, key
        self.entries: dict[Hashable, T] = {}
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
        with readable(path):
            self._descriptor: int | None = open_descriptor(path, flags)
            try:
                self.unreadable = _read_and_repair(self._descriptor, path, read, self._keep)
            except BaseException:
                self.close()
                raise
        state = os.fstat(self._descriptor)
        self._identity, self._length = (state.st_dev, state.st_ino), state.st_size
        self._unsynced, self._synced_at = 0, time.monotonic()

    def _keep(self, line: bytes, entry: T) -> int:
        """Keep a line of an earlier session; return how many keys there are."""
        del line
        self.entries[self._key(entry)] = entry
        return len(self.entries)

    def append(self, line: bytes) -> bool:
        """Append a line; whether all so far survives a power failure.

        RunError: it cannot be written.
        """
        assert self._descriptor is not None, "the run folder is closed"
        try:
            append(self._descriptor, line)
        except OSError as error:
            # Perhaps a part of the line is there. The next session removes it.
            self._length = os.fstat(self._descriptor).st_size
            raise self._unwritable(error) from None
        self._length += len(line)
        self._unsynced += 1
        due = time.monotonic() - self._synced_at > SYNC_SECONDS
        if is_synced := due or self._unsynced >= SYNC_LINES:
            self.sync()
        return is_synced

    def sync(self) -> None:
        """Make everything so far survive a power failure. RunError: the disk is full or fails."""
        assert self._descriptor is not None
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise self._unwritable(error) from None
        self._unsynced, self._synced_at = 0, time.monotonic()

    def loss(self) -> str | None:
        """What became of the file if it is not the one that was written; writing goes on without a
        name.
        """
        try:
            state = state_of(self.path)
        except NotAFileError:
            return "was replaced"
        except OSError as error:
            return f"cannot be reached ({error.strerror})"
        if state is None:
            return "was deleted or moved"
        if (state.st_dev, state.st_ino) != self._identity:
            return "was replaced"
        if state.st_size != self._length:
            return "was emptied or cut" if state.st_size < self._length else "was written to"
        return None

    def close(self) -> None:
        """Close the file. Calling this more than once is allowed."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _unwritable(self, error: OSError) -> RunError:
        return RunError(
            f"the journal cannot be written ({error})",
            where=str(self.path),
            hint="free disk space; the same command resumes the run",
        )


class Journal(Lines[Prediction]):
    """The journal of the answers of one run, open for appending; ``predictions`` of earlier
    sessions, see `Answers`.
    """

    def __init__(self, path: Path, *, whole: bool = False) -> None:
        self.predictions = Answers(whole=whole)
        super().__init__(path, decode, _sample_id)

    def _keep(self, line: bytes, entry: Prediction) -> int:
        self.predictions.add(line, entry)
        return len(self.predictions)


def load_predictions(path: Path) -> dict[str, Prediction]:
    """The predictions of a journal by id, the last of each; the file stays as it is.

    Raises ConfigError.
    """
    return {item.sample_id: item for item in load_lines(path, decode, _sample_id).values()}


def load_lines(
    path: Path, read: Callable[[bytes], T], key: Callable[[T], Hashable]
) -> dict[Hashable, T]:
    """The last line of each key in a journal; the file stays as it is. Raises ConfigError."""
    with readable(path):
        try:
            data = read_bytes(path)
        except FileNotFoundError:
            data = b""
        found: dict[Hashable, T] = {}

        def keep(_: bytes, entry: T) -> int:
            found[key(entry)] = entry
            return len(found)

        _parse(data, path, read, keep)
    return found


def _sample_id(prediction: Prediction) -> str:
    return prediction.sample_id


def _read_and_repair(
    descriptor: int, path: Path, read: Callable[[bytes], T], keep: Callable[[bytes, T], int]
) -> int:
    """Read the journal, and give it an end at which a line can be appended; how many lines are
    unreadable.

    A half-written line is removed. A whole one that lacks its line feed gets it, and so does what
    chef never wrote.
    """
    data = content_of(descriptor)
    whole = data.rfind(b"\n") + 1
    if last := data[whole:]:
        if last.startswith(b"{") and not _is_line(last, read):
            os.ftruncate(descriptor, whole)
            data = data[:whole]
        else:
            append(descriptor, b"\n")
    return _parse(data, path, read, keep)


def _is_line(line: bytes, read: Callable[[bytes], T]) -> bool:
    try:
        read(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


@no_collection()
def _parse(
    data: bytes, path: Path, read: Callable[[bytes], T], keep: Callable[[bytes, T], int]
) -> int:
    """Keep what the lines say; return how many cannot be read."""
    notices, kept = [], 0
    for number, line in enumerate(io.BytesIO(data), start=1):
        line = line.removesuffix(b"\n")  # noqa: PLW2901
        if not line:
            continue
        try:
            entry = read(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            notices.append(f"line {number} of {path.name} is unreadable and is skipped ({error})")
            continue
        kept = keep(line, entry)
    if len(notices) > max(1, kept):
        raise ConfigError(
            f"most lines of {path.name} are unreadable; the first: {notices[0]}",
            where=str(path),
            hint="another version of chef may have written the file; choose another name for this "
            "run with --run_name NAME (Python: name=)",
        )
    for notice in notices[:_NAMED]:
        _log.warning("%s: %s", path.parent, notice)
    if more := notices[_NAMED:]:
        _log.warning("%s: %d more lines are unreadable and are skipped", path.parent, len(more))
    return len(notices)
