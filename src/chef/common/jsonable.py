"""Conversion of any value to data that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def to_jsonable(item: Any, *, nan: bool = False) -> Any:
    """``item`` as data that JSON can hold.

    Infinite numbers and NaN become None, NumPy's values become Python's, sets become sorted lists,
    and objects of other types become their ``str``.

    Args:
        item: any value.
        nan: NaN stays, which Python's JSON has and the standard has not.

    >>> to_jsonable({"a": (1, float("nan"))})
    {'a': [1, None]}
    """
    if isinstance(item, float):
        return float(item) if math.isfinite(item) or (nan and math.isnan(item)) else None
    if item is None or isinstance(item, str | int):
        return str(item) if isinstance(item, str) else item  # a subclass of str is text too
    if isinstance(item, Mapping):
        return {str(key): to_jsonable(value, nan=nan) for key, value in item.items()}
    if isinstance(item, set | frozenset):
        return sorted((to_jsonable(value, nan=nan) for value in item), key=repr)
    if isinstance(item, list | tuple):
        return [to_jsonable(value, nan=nan) for value in item]
    return to_jsonable(item.tolist(), nan=nan) if hasattr(item, "tolist") else str(item)
