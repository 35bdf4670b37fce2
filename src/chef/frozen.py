"""The base of what never changes once it is made: values with named fields."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, dataclass_transform

import msgspec


class _Fields:
    """The fields of a class as `dataclasses` knows them, made when somebody first asks."""

    def __get__(self, instance: object, owner: type[msgspec.Struct]) -> dict[str, Any]:
        return _fields_of(owner)


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Frozen(msgspec.Struct, frozen=True):
    """The base of values with named fields that are compared by them and cannot be changed.

    They are structs of msgspec, since one is made in a sixth of the time of a frozen dataclass,
    and the class itself in a twentieth: hundreds of classes are made before a command begins.
    `dataclasses.replace`, `fields`, `asdict` and `is_dataclass` take them as they take dataclasses.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]] = _Fields()  # type: ignore[assignment]


@cache
def _fields_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    from dataclasses import field, fields, make_dataclass

    types = {
        name: hint
        for base in reversed(kind.__mro__)
        for name, hint in vars(base).get("__annotations__", {}).items()
    }
    defaults = kind.__struct_defaults__
    names = kind.__struct_fields__
    by_name = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    items = [(name, types[name], field(**_default(by_name, name))) for name in names]
    made = make_dataclass(kind.__name__, items, namespace={"__module__": kind.__module__})
    return {item.name: item for item in fields(made)}


def _default(by_name: dict[str, Any], name: str) -> dict[str, Any]:
    """The default of a field, or what makes it, as `dataclasses.field` takes them."""
    default = by_name.get(name, msgspec.NODEFAULT)
    if default is msgspec.NODEFAULT:
        return {}
    # msgspec has no public name for the class of what makes a default.
    factory = getattr(default, "factory", None)
    if type(default).__name__ == "Factory" and factory is not None:
        return {"default_factory": factory}
    return {"default": default}
