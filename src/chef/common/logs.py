"""The loggers of chef: what they are given loses its secrets before any handler has it."""

from __future__ import annotations

import logging

from chef.common.redaction import redact
from chef.common.text import encodable


class _Redacting(logging.Filter):
    """Gives a record its final text, without secrets."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if (safe := redact(encodable(text))) != text:
            record.msg, record.args = safe, ()
        if record.exc_info:
            told = logging.Formatter().formatException(record.exc_info)
            record.exc_text, record.exc_info = redact(encodable(told)), None
        return True


_REDACTING = _Redacting()


def logger(name: str) -> logging.Logger:
    """The logger of a module of chef, by ``__name__``; its records have no secrets."""
    found = logging.getLogger(name)
    found.addFilter(_REDACTING)  # adding it twice adds it once
    return found
