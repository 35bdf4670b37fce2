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
