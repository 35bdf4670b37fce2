"""What an ``evaluate`` of VLMEvalKit's interface returns, as metrics by name."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from chef.errors import RunError

_FORMS = "return a dict of numbers by name, a pandas DataFrame of scores, or a number"


def metrics_of(returned: Any) -> dict[str, Any]:
    """The values by name; what is nested, or stands in a row, has the names joined by ``/``.

    Args:
        returned: a number, a dict, or a frame. Of a frame with several rows the texts of a row name
            it; its numbers are the values.

    Returns:
        Numbers as they come, and other values for the details.

    Raises:
        RunError: it is none of these, or has no number.

    >>> metrics_of({"Overall": [0.5], "sub": {"a": 1}, "judge": "none"})
    {'Overall': 0.5, 'sub/a': 1, 'judge': 'none'}
    """
    if returned is None:
        raise RunError("it returned None", hint=_FORMS)
    named = _named(returned)
    if named is None:
        raise RunError(f"it returned a {type(returned).__name__}", hint=_FORMS)
    if not any(_is_number(value) for value in named.values()):
        given = ", ".join(f"{name}: {value!r:.40}" for name, value in named.items()) or "nothing"
        raise RunError(f"it returned no number: {given:.200}", hint=_FORMS)
    return named


def main_of(named: Mapping[str, Any]) -> str:
    """The key of the headline metric: ``Overall`` or the like, else the first number."""
    numbers = [name for name, value in named.items() if _is_number(value)]
    last = {name: name.rpartition("/")[2].lower() for name in numbers}
    for wanted in ("overall", "final score", "total", "score", "acc", "accuracy"):
        if found := [name for name in numbers if last[name] == wanted]:
            return found[0]
    return numbers[0]


def _named(item: Any) -> dict[str, Any] | None:
    """Values by name; None for what has none."""
    if _is_number(item):
        return {"score": item}
    if isinstance(item, Mapping):
        return _joined(item)
    if hasattr(item, "columns") and hasattr(item, "to_dict"):
        return _of_frame(item)
    if hasattr(item, "to_dict"):  # a Series
        return _joined(item.to_dict())
    return None


def _joined(items: Mapping[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in items.items():
        if isinstance(value, list | tuple) and len(value) == 1:
            (value,) = value  # noqa: PLW2901 (columns of a frame with one row)
        inner = None if _is_number(value) else _named(value)
        if inner is None and isinstance(value, list | tuple) and all(map(_is_number, value)):
            inner = {str(place): number for place, number in enumerate(value)}
        if inner is None:
            found[str(key)] = _number(value)
        else:
            found |= {f"{key}/{name}": number for name, number in inner.items()}
    return found


def _of_frame(frame: Any) -> dict[str, Any]:
    """The numbers of a table by row and column."""
    rows = frame.to_dict("records")
    if len(rows) == 1:
        return _joined(rows[0])
    found: dict[str, Any] = {}
    for label, row in zip(frame.index, rows, strict=True):
        values = {str(name): _number(value) for name, value in row.items()}
        texts = [str(value) for value in values.values() if not _is_number(value)]
        name = "/".join(text for text in texts if text) or str(label)
        while any(key.startswith(f"{name}/") for key in found):
            name += "'"  # two rows of one name
        found |= {f"{name}/{key}": value for key, value in values.items() if _is_number(value)}
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) or (
        hasattr(value, "item") and getattr(value, "ndim", None) == 0 and not callable(value)
    )


def _number(value: Any) -> Any:
    """The number that a text is; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value
