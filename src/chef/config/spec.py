"""One ingredient with its options, as a recipe configures it.

The keys of an ingredient are the keyword arguments of its class. So the constructor is the schema:
names, types and defaults are written once, where they are used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any, Generic, TypeVar

from chef.common.checked import check_value
from chef.common.keys import REQUIRED, arguments, class_keys, make, own_keys, passes_on, recipe_keys
from chef.common.user_code import contained
from chef.config.document import Document
from chef.config.ignored import drop_ignored
from chef.errors import ConfigError, nearest, similar
from chef.frozen import Frozen
from chef.guard.secrets import is_secret_key
from chef.inferencer.decoding import Decoding
from chef.registry import Registry, nearest_name, of_session, recipe_name
from chef.types import RULES_OF, Compat

_GENERATION = frozenset(item.name for item in fields(Decoding))

#: What keys for the number of samples are called elsewhere, and what says it here.
LIMITS = ("limit", "limits", "max_samples", "n", "n_samples", "num_samples", "sample_len")

__all__ = ["check_options", "check_value", "further_keys"]


def check_options(
    kind: type[Any],
    options: Mapping[str, Any],
    document: Document,
    at: tuple[str, ...],
    *,
    ingredient: str = "",
    also: Collection[str] = (),
    handed: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Every option of ``kind`` in the order of its constructor, checked, with defaults filled in.

    ``ingredient`` is what kind of one it is, ``also`` further keys for suggestions, ``handed``
    values of the recipe for keys that ``options`` lacks. ConfigError names file and line.
    """
    keys = {key.name: key for key in recipe_keys(kind, ingredient)}
    own = own_keys(kind)
    inherited = {name: value for name, value in (handed or {}).items() if name in keys}
    options = {**inherited, **options}
    further = further_keys(kind, options)
    for name in options:
        if name not in keys and name not in further:
            raise ConfigError(
                f"unknown key for {recipe_name(kind)}",
                where=document.where(*at, name),
                hint=_known(kind, name, {*keys, *also}) + _own_key_hint(kind, name),
            )
    complete: dict[str, Any] = {}
    for name, key in keys.items():
        if name in options:
            complete[name] = check_value(options[name], key.annotation, document.where(*at, name))
        elif name not in own:
            continue  # the class may give it itself when it passes its **kwargs on
        elif key.default is REQUIRED:
            raise ConfigError(
                f"{recipe_name(kind)} needs the key '{name}'",
                where=document.where(*at),
                hint=f"add '{name}: ...'",
            )
        else:
            complete[name] = key.default
    _check_groups(kind, complete, document, at)
    return complete | further


def further_keys(kind: type[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that no constructor names, of a class with ``takes_further_keys``: VLMEvalKit's
    models hand ``**kwargs`` on.
    """
    if not (getattr(kind, "takes_further_keys", False) and passes_on(kind)):
        return {}
    named = {key.name for key in class_keys(kind)}
    return {name: value for name, value in options.items() if name not in named}


def _check_groups(
    kind: type[Any], options: Mapping[str, Any], document: Document, at: tuple[str, ...]
) -> None:
    """Make the dataclasses once, so that their errors have the line of the key."""
    try:
        arguments(kind, options)
    except ConfigError as error:
        if error.where is None or error.where in options:
            key = () if error.where is None else (error.where,)
            place = document.where(*at, *key)
            raise ConfigError(error.what, where=place, hint=error.hint) from None
        raise document.located(error) from None
    except ValueError as error:
        raise ConfigError(str(error), where=document.where(*at)) from None


def of_generation(kind: type[Any] | None, name: str) -> str:
    """Why a key of generation is none of an inferencer that scores options; else empty."""
    if kind is None or not getattr(kind, "scores_options", False) or name not in _GENERATION:
        return ""
    return (
        f"{recipe_name(kind)} scores the options and generates no answer, so {name} would change "
        "nothing; inferencers that generate have it: `chef list Direct`"
    )


def _known(kind: type[Any], name: str, keys: Collection[str]) -> str:
    variables = sorted(key for key in keys if key.endswith("_env"))
    if variables and is_secret_key(name):
        return (
            "a file holds no keys and passwords: put it into an environment variable, and write "
            f"the name of that: {variables[0]}: NAME"
        )
    if reason := of_generation(kind, name) or of_command(name):
        return reason
    key, colon, value = name.partition(":")
    if colon and key in keys:
        return f"write a space after the colon: {key}: {value}"
    return nearest(name, keys) if keys else f"{recipe_name(kind)} takes no keys"


def _own_key_hint(kind: type[Any], name: str) -> str:
    """What the author of a class with ``**kwargs`` may have meant."""
    if not passes_on(kind):
        return ""
    return (
        f"; if {kind.__name__} is to have the key, name it in its __init__: "
        f"def __init__(self, {name}=..., **kwargs)"
    )


def of_command(name: str) -> str:
    """What says it instead of a key that belongs to the command; empty for others."""
    if name.lower() not in LIMITS:
        return ""
    return "how many samples are asked is no key: --limit N of chef eval, limit=N in Python"


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
    also: Sequence[str] = (),
    handed: Mapping[str, Any] | None = None,
    unknown: str = "",
) -> Spec[T]:
    """The ingredient that ``section`` names under ``name_key`` and configures.

    ``also``, ``handed``: see `check_options`; ``unknown`` ends the hint for an unknown name. Raises
    ConfigError.
    """
    options = dict(section)
    name = options.pop(name_key, None)
    if not isinstance(name, str):
        given = name is not None
        if not given and (near := similar(name_key, options)):
            value = near.removeprefix(f"{name_key} ")
            hint = f"did you mean '{name_key}'?"
            hint = hint if value == near else f"put a colon after the key: {name_key}: {value}"
            raise ConfigError("unknown key", where=document.where(*at, near), hint=hint)
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
        if near := similar("plugins", document.values):
            hint = "did you mean 'plugins'?"
            raise ConfigError("unknown key", where=document.where(near), hint=hint)
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
        kind, options, document, at, ingredient=registry.kind, also=known, handed=handed
    )
    return Spec(name, kind, checked, compat, notices)


def _unknown_hint(name: str, registry: Registry[Any], otherwise: str) -> str:
    """What may have been meant by an unknown name, in a file without plugins."""
    known = nearest_name(name, registry)
    if of_session(name) or similar(name, registry.all_names()):
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
