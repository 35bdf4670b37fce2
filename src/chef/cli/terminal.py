"""The terminal, or whatever reads the output: its width, when it is gone, and notes above it."""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def terminal_width() -> int | None:
    """The columns of the terminal; None if the output goes elsewhere, where lines may be long."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def page_width() -> int:
    """The columns of the terminal, or of ``COLUMNS``; 80 through a pipe."""
    return shutil.get_terminal_size().columns


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


class Notes(logging.Handler):
    """Prints each log record as ``note: ...``, above the progress bar if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        from tqdm import tqdm

        from chef.common.printing import shown

        tqdm.write(f"note: {shown(self.format(record))}", sys.stderr)


@contextmanager
def notes_on_stderr() -> Iterator[None]:
    """Print log records of ``chef`` from level INFO up until the end of the block.

    They go nowhere else: libraries such as transformers give the root logger a handler, which would
    print every note a second time.
    """
    logger = logging.getLogger("chef")
    handler, level, propagates = Notes(), logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagates
