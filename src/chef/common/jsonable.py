"""Conversion of any value to data that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

#: The types whose values JSON holds as they are; most values are of them.
_PLAIN = frozenset({str, int, bool, type(None)})


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
    if type(item) in _PLAIN or isinstance(item, int):
        return item
    if isinstance(item, float):
        return float(item) if math.isfinite(item) or (nan and math.isnan(item)) else None
    if type(item) is dict or isinstance(item, Mapping):
        return {
            str(key): value if type(value) in _PLAIN else to_jsonable(value, nan=nan)
            for key, value in item.items()
        }
    if isinstance(item, set | frozenset):
        return sorted((to_jsonable(value, nan=nan) for value in item), key=repr)
    if isinstance(item, list | tuple):
        return [to_jsonable(value, nan=nan) for value in item]
    return to_jsonable(item.tolist(), nan=nan) if hasattr(item, "tolist") else str(item)
