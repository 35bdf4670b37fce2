"""What a run folder keeps of an error that ends a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from chef.common.user_code import traceback_of
from chef.common.writing import write_atomically
from chef.errors import ChefError
from chef.guard.folder import remove
from chef.run.folder import TRACEBACK, RunFolder


@contextmanager
def traceback_in(folder: RunFolder) -> Iterator[None]:
    """Write the traceback of an error that ends a run into the run folder, and note where it is."""
    file = folder.path / TRACEBACK
    with suppress(OSError):  # it may be a folder, or may not be removed
        remove(file)  # of an earlier session
    try:
        yield
    except Exception as error:
        try:
            write_atomically(file, traceback_of(error))
        except (ChefError, OSError):  # the disk may be full, which is perhaps the error itself
            raise error from error.__cause__
        error.add_note(f"the whole traceback: {file}")
        raise
