"""Print log messages of the package as notes on standard error."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Notes(logging.Handler):
    """Prints each log record as ``note: ...``, above the progress bar if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        from tqdm import tqdm

        from chef.common.printing import shown

        tqdm.write(f"note: {shown(self.format(record))}", sys.stderr)


@contextmanager
def notes_on_stderr() -> Iterator[None]:
    """Print log records of ``chef`` from level INFO up until the end of the block."""
    logger = logging.getLogger("chef")
    handler, level = Notes(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
