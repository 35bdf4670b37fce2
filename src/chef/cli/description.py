"""What `chef list` prints of an ingredient, written from its class."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any, Literal

from chef.cli.example import PLACES, example, further
from chef.common.keys import REQUIRED, Key, group_keys, recipe_keys
from chef.registry import Registry
from chef.scenario.mmtrusteval.table import Dataset
from chef.types import RULES_OF

#: How a kind is called, where its name in the code is not what it is.
_CALLED = {"chat": "chat model"}
_ITEM = re.compile(r"^(\w+(?:, \w+)*): (.*)$")


def description(registry: Registry[Any], name: str, plugin: str | None = None) -> str:
    """The text on one ingredient; ``plugin`` is the file that a recipe names to have it."""
    kind = registry.get(name)
    keys = keys_in_files(registry, name)
    place = PLACES[registry.kind][1]
    article = "an" if registry.kind[0] in "aeiou" else "a"
    lines = [
        f"{name}: {article} {_CALLED.get(registry.kind, registry.kind)}",
        "",
        _prose(kind),
        "",
        f"keys of {place or 'the file'}:",
    ]
    of_class = [f"  {line}" for line in _key_lines(kind, keys)]
    lines += [*of_class, *_keys_of_all(registry, name, keys)] or ["  (none)"]
    shown = example(registry.kind, name, keys)
    if plugin is not None:
        others = (line for line in shown if not line.startswith("plugins:"))
        shown = [f"plugins: [{plugin}]", *others]
    lines += ["", "example:", *(f"  {line}" for line in shown)]
    lines += further(registry.kind, name)
    return "\n".join([*lines, *_used_in(registry.kind, name)]) + "\n"


def _keys_of_all(registry: Registry[Any], name: str, keys: list[Key]) -> list[str]:
    """The lines of keys that ingredients of its kind take, whatever their class."""
    lines = []
    if registry.kind == "scenario" and "circular" not in {key.name for key in keys}:
        lines += [
            "  circular: true | false = false",
            "      ask multiple-choice questions with every rotation of their options",
        ]
    if registry.kind == "scenario":
        lines += [
            "  samples: int = 1",
            "      sampled answers to each question (--samples)",
            "  method_cfg: {METHOD: {key: value}}",
            "      what is done to each sample before it is asked; `chef list methods`",
        ]
    if rules := registry.compats(name):
        lines.append(f"  compat: {' | '.join(('corrected', *rules))} = corrected")
        owners = {**RULES_OF, **getattr(registry.get(name), "rules_of", {})}
        lines += [
            f"      {compat}: {owner}'s own rules, including their defects"
            for compat, owner in owners.items()
            if compat in rules
        ]
    return lines


def dataset_description(known: Dataset) -> str:
    """The text on one data set of MMTrustEval."""
    keys = [*known.about.keys, *known.paths]
    dataset_key = Key("dataset_id", Literal[known.id], REQUIRED, "dataset_id")
    lines = [
        f"{known.id}: a data set of MMTrustEval",
        "",
        known.line,
        "",
        "what it needs below the data root:",
        *(f"  {key}: {path}" for key, path in known.needs.items()),
        "",
        f"keys of scenario_cfg: {', '.join(keys)}; `chef list MMTrustEval` explains them",
        "",
        "example:",
        *(f"  {line}" for line in example("scenario", "MMTrustEval", [dataset_key])),
    ]
    return "\n".join(lines) + "\n"


def keys_in_files(registry: Registry[Any], name: str) -> list[Key]:
    """The keys of an ingredient that a recipe or a model file gives."""
    kind = registry.get(name)
    keys = recipe_keys(kind, registry.kind)
    if (needs := getattr(kind, "needs_model", False)) or getattr(kind, "takes_model", False):
        default = REQUIRED if needs else None
        keys.insert(0, Key("model_cfg", str | dict[str, Any], default, "model", field="model"))
    return keys


def _prose(kind: type[Any]) -> str:
    """The docstring up to its sections."""
    owner = next((item for item in kind.__mro__[:-1] if item.__doc__), kind)
    if not owner.__doc__ or inspect.isabstract(owner):  # says how to write a class, not what it is
        return f"The class {kind.__name__} has no docstring."
    text = inspect.cleandoc(owner.__doc__)
    return re.split(r"\n\n(?:Args|Attributes|Raises|Returns|Example)s?:", text)[0].strip()


def _key_lines(kind: type[Any], keys: list[Key]) -> Iterator[str]:
    explained = {**_notes_of_groups(kind), **notes(kind)}
    for key in keys:
        wanted = "(required)" if key.default is REQUIRED else f"= {_yaml(key.default)}"
        yield f"{key.name}: {type_name(key.annotation)} {wanted}"
        if note := explained.get(key.name) or explained.get(key.field or ""):
            yield from wrap(note, 100, initial_indent="    ", subsequent_indent="    ")


def notes(kind: type[Any]) -> dict[str, str]:
    """What the docstrings of a class and its bases say on each argument."""
    notes: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        for text in (owner.__doc__, getattr(vars(owner).get("__init__"), "__doc__", None)):
            for name, note in _arguments(inspect.cleandoc(text or "")).items():
                if name not in notes or not note.startswith("as for"):
                    notes[name] = note
    return notes


def _notes_of_groups(kind: type[Any]) -> dict[str, str]:
    """The same of the dataclasses whose fields are keys, under the names of the keys."""
    hints = typing.get_type_hints(kind.__init__)
    notes = {}
    for group in hints.values():
        if isinstance(group, type) and hasattr(group, "__dataclass_fields__"):
            texts = _arguments(inspect.getdoc(group) or "")
            for key in group_keys(group):
                notes[key.name] = texts.get(key.name) or texts.get(key.field or "", "")
    return notes


def _arguments(text: str) -> dict[str, str]:
    r"""Names and explanations of the sections ``Args`` and ``Attributes``.

    >>> _arguments("One.\n\nArgs:\n    path: the file,\n        or none.\n    a, b: two.")
    {'path': 'the file, or none.', 'a': 'two.', 'b': 'two.'}
    """
    arguments: dict[str, str] = {}
    for section in re.findall(r"(?:Args|Attributes):\n((?:    .*\n?|\n(?=    ))+)", text):
        current: list[str] = []
        for line in section.splitlines():
            item = _ITEM.match(line.removeprefix("    "))
            if item:
                current = item[1].split(", ")
            words = item[2] if item else line.strip()
            for name in current:
                arguments[name] = f"{arguments[name]} {words}" if not item else words
    return arguments


def type_name(annotation: Any) -> str:
    """A type as a reader of YAML calls it.

    >>> type_name(int | None), type_name(list[str]), type_name(typing.Literal["a", "b"])
    ('whole number or null', 'list of text', 'a | b')
    """
    plain = {
        str: "text", int: "whole number", float: "number", bool: "true | false",
        types.NoneType: "null", dict: "mapping", list: "list", Any: "any",
    }  # fmt: skip
    if annotation in plain:
        return plain[annotation]
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return " | ".join(map(str, inner))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(map(type_name, inner)))
    if origin is not None and issubclass(origin, Mapping):
        return "mapping"
    if origin is not None and inner:
        return f"list of {type_name(inner[0])}"
    return getattr(annotation, "__name__", str(annotation))


def _yaml(value: Any) -> str:
    """A default as YAML on one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return str(list(value))
    return str(value) or "''"


def _used_in(kind: str, name: str) -> list[str]:
    """The files of chef that name the ingredient."""
    from chef.config.shipped import shipped, shipped_names

    folder: typing.Literal["recipes", "models"] = "models" if kind == "model" else "recipes"
    named = re.compile(rf"\b{PLACES[kind][0]}:\s*['\"]?{re.escape(name)}['\"]?\s*(?:[,}}#\n]|\Z)")
    users = [
        item
        for item in shipped_names(folder)
        if named.search((shipped(folder) / f"{item}.yaml").read_text(encoding="utf-8"))
    ]
    if not users:
        return []
    more = f", and {len(users) - 6} more" if len(users) > 6 else ""
    what = "model files" if kind == "model" else "recipes"
    return ["", f"{what} of chef that use it: {', '.join(users[:6])}{more}"]
