"""One ingredient with its options, as a recipe configures it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from chef.common.constructors import class_keys, make
from chef.common.user_code import contained
from chef.config.document import Document
from chef.config.ignored import drop_ignored
from chef.config.signature import check_options, check_value
from chef.errors import ConfigError, similar
from chef.frozen import Frozen
from chef.registry import Registry, nearest_name
from chef.types import RULES_OF, Compat

T = TypeVar("T")


class Spec(Frozen, Generic[T]):
    """One ingredient: its class, its name in the recipe, and its checked options.

    Attributes:
        name: its name in the recipe.
        kind: the class.
        options: the values of all its keys.
        compat: whose rules its class has, where the registry has more than one; else None.
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

    def follows(self, compat: Compat) -> bool:
        """Whether it follows the rules that this ``compat`` asks for."""
        return compat in (self.compat, self.options.get("compat"))

    def build(self, *given: Any) -> T:
        """Make the ingredient; ``given`` are the arguments that the evaluator provides.

        A class whose constructor may be slow says how it is made later (``made_later``).
        """
        later = getattr(self.kind, "made_later", None)
        with contained(f"{self.name}.__init__"):
            made: T = make(self.kind, given, self.options) if later is None else later(self.options)
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
    unknown: str = "",
) -> Spec[T]:
    """The ingredient that ``section`` names under ``name_key`` and configures.

    ``reserved``, ``also``, ``handed``: see `check_options`; ``unknown`` ends the hint for an
    unknown name. Raises ConfigError.
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
    known_rules = registry.compats(name)
    if known_rules:
        inherited: Compat = (handed or {}).get("compat", "corrected")
        where = document.where(*at, "compat")
        compat = _compat(options, name, known_rules, where, inherited)
    where = document.where(*at, name_key)
    if name not in registry and "plugins" not in document.values:
        raise ConfigError(
            f"unknown {registry.kind} '{name}'",
            where=where,
            hint=_unknown_hint(name, registry, unknown),
        )
    kind = registry.get(name, where=where, compat=compat or "corrected")
    if missing := sorted(getattr(kind, "__abstractmethods__", ())):
        raise ConfigError(
            f"the {registry.kind} {name} lacks {', '.join(missing)}",
            where=where,
            hint=f"its class {kind.__qualname__} in {kind.__module__} has to define them",
        )
    takes = {key.name for key in class_keys(kind)}
    if compat is None and handed is not None and "compat" not in takes:
        _without_compat(options, name, document, at)
    known = (name_key, *also, *(["compat"] if known_rules else []))
    notices = drop_ignored(registry.kind, name, options, takes)
    checked = check_options(
        kind, options, document, at, reserved=reserved, also=known, handed=handed
    )
    return Spec(name, kind, checked, compat, notices)


def _unknown_hint(name: str, registry: Registry[Any], otherwise: str) -> str:
    """What may have been meant by an unknown name, in a file without plugins."""
    known = nearest_name(name, registry)
    if similar(name, registry.all_names()):
        return known
    own = f"{known}; if it is a class of yours, name its file: plugins: [FILE.py]"
    return "; ".join(filter(None, [own, otherwise]))


def _compat(
    options: dict[str, Any], name: str, rules: Sequence[str], where: str, inherited: Compat
) -> Compat:
    """Remove and return ``compat``; the inherited one counts where the ingredient has such rules.

    ConfigError: the section names others.
    """
    if "compat" not in options:
        return inherited if inherited in rules else "corrected"
    given: Compat = check_value(options.pop("compat"), Compat, where)
    if given not in (*rules, "corrected"):
        raise no_such_rules(name, given, where, ("corrected", *rules))
    return given


def _without_compat(
    options: dict[str, Any], name: str, document: Document, at: tuple[str, ...]
) -> None:
    """Remove the key ``compat`` of an ingredient that has only one set of rules."""
    where = document.where(*at, "compat")
    given: Compat = check_value(options.pop("compat", "corrected"), Compat, where)
    if given != "corrected":
        raise no_such_rules(name, given, where)


def no_such_rules(
    name: str, compat: Compat, where: str, known: Sequence[str] = ("corrected",)
) -> ConfigError:
    """The error for an ingredient that is asked to follow rules that it does not have."""
    return ConfigError(
        f"{name} has no rules of {RULES_OF[compat]}'s own",
        where=where,
        hint=f"remove this key, or write compat: {' or '.join(known)}",
    )
