"""The rules of others: a row of ``rules.yaml`` says what is otherwise than by chef's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any, TypeVar

from chef.common.yaml_text import shipped

T = TypeVar("T")
#: By ``compat`` and the name of an ingredient what makes the class with these rules of chef's own.
Rows = Mapping[str, Mapping[str, Callable[[type[T]], type[T]]]]


def metrics() -> Rows[Any]:
    """The metrics that have rules of others."""
    return _rows("metrics", "chef.metric.{}.rules")


def evaluators() -> Rows[Any]:
    """The evaluators of MMTrustEval that have rules of others."""
    return _rows("evaluators", "chef.metric.mmtrusteval.{}")


def _rows(kind: str, module: str) -> Rows[Any]:
    return {
        compat: {
            name: partial(with_rules, {"module": module.format(compat), **row})
            for name, row in rows.items()
            if not name.startswith(".")  # parts that several rows have
        }
        for compat, rows in _table()[kind].items()
    }


def with_rules(row: Mapping[str, Any], own: type[T]) -> type[T]:
    """The class that a row stands for: ``doc``, ``module``, and what takes the place of parts of
    ``own``.

    For a method it is the name of a function of the module; one with an argument less is not given
    the object: `score_sample` a record alone, say. Raises TypeError where ``own`` has no such part.
    """
    parts = {name: part for name, part in row.items() if name not in ("doc", "module")}
    if unknown := sorted(parts.keys() - set(dir(own))):
        raise TypeError(f"{own.__name__} has no {', '.join(unknown)}")
    module = import_module(row["module"])
    body = {name: _bound(module, part, getattr(own, name)) for name, part in parts.items()}
    about = {"__doc__": row["doc"].strip(), "__module__": row["module"]}
    if hasattr(own, "own_rules"):
        about["own_rules"] = own
    kind: Any = type(own)
    made: type[T] = kind(own.__name__, (own,), {**about, **body})
    return made


def _bound(module: Any, part: Any, own: Any) -> Any:
    """A part as it stands in the body of a class."""
    if isinstance(part, list):
        return tuple(part)
    if not inspect.isroutine(own):
        return part
    function = getattr(module, part)
    fewer = len(inspect.signature(function).parameters) < len(inspect.signature(own).parameters)
    return staticmethod(function) if fewer else function


@cache
def _table() -> Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]]:
    table: Mapping[str, Any] = shipped("chef.metric", "rules.yaml")
    return table
