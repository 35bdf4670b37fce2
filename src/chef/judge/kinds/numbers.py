"""Numbers as verdicts."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,6})?|\.\d{1,6}")


def number_within(verdict: str, least: float, most: float) -> float | None:
    """The number that a verdict is, if it is in the range; None otherwise.

    >>> number_within("0.5", 0, 1), number_within("7", 1, 10), number_within("11", 1, 10)
    (0.5, 7.0, None)
    >>> number_within("8/10", 1, 10), number_within("50%", 0, 1), number_within("nan", 0, 1)
    (None, None, None)
    """
    if not _NUMBER.fullmatch(verdict) or not verdict.isascii():
        return None
    number = float(verdict)
    return number if least <= number <= most else None
