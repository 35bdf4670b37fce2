"""The terminal, or whatever reads the output: its width, and when it is gone."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def terminal_width() -> int | None:
    """The columns of the terminal; None if the output goes elsewhere, where lines may be long."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


@contextmanager
def quiet_pipe() -> Iterator[None]:
    """Go on if the reader of the output (``| head``) has closed the pipe."""
    try:
        yield
    except BrokenPipeError:
        silence()


def silence() -> None:
    """Let everything that is still written, also at the end of the process, go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
