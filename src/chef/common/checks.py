"""Checks of settings that come from Python, where any value may arrive."""

from __future__ import annotations

import math
import operator
from typing import Any

from chef.errors import ConfigError


def whole_number(value: Any, key: str, least: int, most: int | None = None) -> int:
    """Return ``value`` as an int; integers of NumPy are accepted, texts and booleans are not.

    Args:
        value: the number.
        key: the name of the setting, for the error.
        least: the smallest number that is allowed.
        most: the largest number that is allowed; None for any.

    Raises:
        ConfigError: the value is no whole number, or it is out of range.

    >>> whole_number(3, "limit", 1)
    3
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise ConfigError(f"{value!r} is not a whole number", where=key)
    if number < least or (most is not None and number > most):
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        raise ConfigError(f"{number} is out of range", where=key, hint=f"give a number {bounds}")
    return number


def seconds(value: Any, key: str) -> float:
    """Return ``value`` as a float: a time above 0.

    Args:
        value: the number.
        key: the name of the setting, for the error.

    Raises:
        ConfigError: the value is no number, or not above 0.

    >>> seconds(30, "timeout")
    30.0
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not (0 < value < math.inf):
        raise ConfigError(
            f"{value!r} is no time in seconds", where=key, hint="give a number above 0"
        )
    return float(value)


def points(value: Any, key: str) -> float:
    """Return ``value`` as a float: points of percent, above 0 and below 50.

    Args:
        value: the number.
        key: the name of the setting, for the error.

    Raises:
        ConfigError: the value is no number, or out of range.

    >>> points(1.5, "precision")
    1.5
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not (0 < value < 50):
        raise ConfigError(
            f"{value!r} is no number of points",
            where=key,
            hint="give points of percent, above 0 and below 50: 1.5 is 1.5% to each side",
        )
    return float(value)
