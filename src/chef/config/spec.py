"""One ingredient with its options, as a recipe configures it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from chef.common.constructors import class_keys, make
from chef.common.user_code import contained
from chef.config.document import Document
from chef.config.ignored import drop_ignored
from chef.config.signature import check_options, check_value
from chef.errors import ConfigError, nearest, similar
from chef.registry import Registry
from chef.types import Compat

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Spec(Generic[T]):
    """One ingredient: its class, its name in the recipe, and its checked options.

    Attributes:
        name: its name in the recipe.
        kind: the class.
        options: the values of all its keys.
        compat: which class was picked, where the registry has one with ChEF's own rules; else None.
        notices: one sentence for each key of the recipe that has no effect.
    """

    name: str
    kind: type[T]
    options: Mapping[str, Any]
    compat: Compat | None = None
    notices: Sequence[str] = ()

    def effective(self) -> dict[str, Any]:
        """All its keys in the recipe, with defaults filled in, except its name."""
        return {**self.options, **({} if self.compat is None else {"compat": self.compat})}

    @property
    def follows_upstream(self) -> bool:
        """Whether it follows ChEF's own rules, as ``compat: upstream`` asks."""
        return "upstream" in (self.compat, self.options.get("compat"))

    def build(self, *given: Any) -> T:
        """Make the ingredient; ``given`` are the arguments that the evaluator provides."""
        with contained(f"{self.name}.__init__"):
            made: T = make(self.kind, given, self.options)
        return made


def make_spec(
    section: Mapping[str, Any],
    name_key: str,
    registry: Registry[T],
    document: Document,
    at: tuple[str, ...],
    *,
    reserved: Sequence[str] = (),
    also: Sequence[str] = (),
    handed: Mapping[str, Any] | None = None,
) -> Spec[T]:
    """The ingredient that ``section`` names and configures.

    Args:
        section: its name under ``name_key``, and its options.
        name_key: ``dataset_name``, ``inferencer_type``, ...
        registry: the classes by name.
        document: the file, for line numbers.
        at: the key path of the section.
        reserved: constructor arguments that the evaluator provides, not the recipe.
        also: other keys of the section, for suggestions only.
        handed: values of the recipe, used for keys of the same name that the section lacks; None
            for sections outside recipes.

    Raises:
        ConfigError: an unknown name or key, a missing key or a wrong type.
    """
    options = dict(section)
    name = options.pop(name_key, None)
    if not isinstance(name, str):
        given = name is not None
        raise ConfigError(
            f"{name!r} is not the name of any {registry.kind}"
            if given
            else f"needs the key '{name_key}', the name of the {registry.kind}",
            where=document.where(*at, *([name_key] if given else [])),
            hint=f"known: {', '.join(registry)}",
        )
    compat: Compat | None = None
    if name in registry.upstream:
        given = options.pop("compat", (handed or {}).get("compat", "corrected"))
        compat = check_value(given, Compat, document.where(*at, "compat"))
    where = document.where(*at, name_key)
    if name not in registry and "plugins" not in document.values:
        raise ConfigError(
            f"unknown {registry.kind} '{name}'",
            where=where,
            hint=_unknown_hint(name, registry),
        )
    kind = registry.get(name, where=where, upstream=compat == "upstream")
    if missing := sorted(getattr(kind, "__abstractmethods__", ())):
        raise ConfigError(
            f"the {registry.kind} {name} lacks {', '.join(missing)}",
            where=where,
            hint=f"its class {kind.__qualname__} in {kind.__module__} has to define them",
        )
    takes = {key.name for key in class_keys(kind)}
    if compat is None and handed is not None and "compat" not in takes:
        _without_compat(options, name, document, at)
    known = (name_key, *also, *(["compat"] if name in registry.upstream else []))
    notices = drop_ignored(registry.kind, name, options, takes)
    checked = check_options(
        kind, options, document, at, reserved=reserved, also=known, handed=handed
    )
    return Spec(name, kind, checked, compat, notices)


def _unknown_hint(name: str, registry: Registry[Any]) -> str:
    """What may have been meant by an unknown name, in a file without plugins."""
    known = nearest(name, registry)
    if similar(name, registry):
        return known
    return f"{known}; if it is a class of yours, name its file: plugins: [FILE.py]"


def _without_compat(
    options: dict[str, Any], name: str, document: Document, at: tuple[str, ...]
) -> None:
    """Remove the key ``compat`` of an ingredient that has only one set of rules."""
    where = document.where(*at, "compat")
    if check_value(options.pop("compat", "corrected"), Compat, where) == "upstream":
        raise ConfigError(
            f"{name} has no rules of ChEF's own",
            where=where,
            hint="remove this key, or write compat: corrected",
        )
