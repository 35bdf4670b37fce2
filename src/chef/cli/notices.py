"""What the package logs, as notes on standard error."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Notes(logging.Handler):
    """Prints each record as ``note: ...``, above a progress bar if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        from tqdm import tqdm

        from chef.config.secrets import redact

        tqdm.write(f"note: {redact(self.format(record))}", sys.stderr)


@contextmanager
def notes_on_stderr() -> Iterator[None]:
    """Print what ``chef`` logs, from level INFO up, until the end of the block."""
    logger = logging.getLogger("chef")
    handler, level = Notes(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
