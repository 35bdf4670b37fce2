"""Processes that write the same files take turns."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from chef.guard.folder import opened_folder


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no one else is in this block for a folder, and let others wait for its end.

    The lock is on the folder itself, so that no file is left behind, and it ends with the process.
    Where the file system has no locks, or the folder may not be read, nothing waits.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            fcntl.flock(stack.enter_context(opened_folder(folder)), fcntl.LOCK_EX)
        yield
