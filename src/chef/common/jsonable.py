"""Any value as data that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def plain(item: Any) -> Any:
    """``item`` as data that JSON can hold: NaN is null, NumPy becomes Python, the rest text.

    >>> plain({"a": (1, float("nan"))})
    {'a': [1, None]}
    """
    if isinstance(item, float):
        return float(item) if math.isfinite(item) else None
    if item is None or isinstance(item, str | int):
        return str(item) if isinstance(item, str) else item  # a subclass of str is text too
    if isinstance(item, Mapping):
        return {str(key): plain(value) for key, value in item.items()}
    if isinstance(item, set | frozenset):
        return sorted((plain(value) for value in item), key=repr)
    if isinstance(item, list | tuple):
        return [plain(value) for value in item]
    return plain(item.tolist()) if hasattr(item, "tolist") else str(item)
