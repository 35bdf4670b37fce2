"""The code of a class, for the fingerprint of a user's model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import CodeType
from typing import Any


def own_code(kind: type[Any]) -> str:
    """The source of a class; of one from a notebook or an interpreter what it compiles to."""
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):  # a class without a file
        return "\n".join(_compiled(kind))


def _compiled(kind: type[Any]) -> Iterator[str]:
    for name, value in sorted(vars(kind).items()):
        for function in _functions(value):
            yield from (f"{name}: {part}" for part in _parts(function.__code__))
        if isinstance(value, str | int | float | bool) and not name.startswith("__"):
            yield f"{name} = {value!r}"


def _functions(value: Any) -> Iterator[Any]:
    """The functions behind an attribute: itself, or what a decorator has wrapped."""
    if isinstance(value, property):
        candidates = [value.fget, value.fset, value.fdel]
    else:
        candidates = [inspect.unwrap(getattr(value, "__func__", value))]
    yield from (item for item in candidates if inspect.isfunction(item))


def _parts(code: CodeType) -> Iterator[str]:
    """Instructions, names and constants; those of inner functions too."""
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant)))  # its order differs from process to process
        else:
            yield repr(constant)
