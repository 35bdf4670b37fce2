"""What may have been meant by a key that a recipe does not have at that place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chef.common.keys import keys_of
from chef.common.yaml_text import within
from chef.config.document import Document
from chef.config.spec import of_command, of_generation
from chef.errors import ConfigError, nearest, similar
from chef.inferencer import INFERENCERS
from chef.instruction import INSTRUCTIONS, RETRIEVERS
from chef.metric import METRICS
from chef.models import MODELS
from chef.registry import Registry
from chef.scenario import SCENARIOS

#: Where each kind of ingredient stands, the key of its name, the class of sections without one,
#: and keys that belong to the section but not to the class.
_SECTIONS: tuple[tuple[tuple[str, ...], str, Registry[Any], str, tuple[str, ...]], ...] = (
    (("scenario_cfg",), "dataset_name", SCENARIOS, "", ("dataset_name",)),
    (
        ("eval_cfg", "inferencer_cfg"),
        "inferencer_type",
        INFERENCERS,
        "",
        ("inferencer_type", "batch_size"),
    ),
    (
        ("eval_cfg", "instruction_cfg"),
        "instruction_type",
        INSTRUCTIONS,
        "InstructionHandler",
        ("incontext_cfg",),
    ),
    (
        ("eval_cfg", "instruction_cfg", "incontext_cfg"),
        "retriever_type",
        RETRIEVERS,
        "random",
        ("retriever_type",),
    ),
    (("eval_cfg", "metric_cfg"), "metric_type", METRICS, "", ("metric_type",)),
)


def suggestion(key: tuple[str, ...], known: Mapping[str, Any] | Any, document: Document) -> str:
    """A hint for an unknown key: the place where a key of that name belongs, or a similar name."""
    is_override = document.where(*key).startswith("override ")
    path = _full_path(document, key) if is_override else key
    if reason := of_generation(_inferencer(document), path[-1]) or of_command(path[-1]):
        return reason
    given = ".".join(path)
    places = list(dict.fromkeys(_places(document)))
    meant = next((item for item in places if _ends_with(item, given)), None)
    if meant is None and (near := similar(key[-1], known)):
        if not is_override:
            return f"did you mean '{near}'?"
        meant = ".".join((*key[:-1], near, *path[len(key) :]))
    if meant is None:
        last = {item.rpartition(".")[2]: item for item in reversed(places)}
        near = similar(path[-1], last)
        meant = similar(given, places) or (last[near] if near else None)
    if meant is None:
        return nearest(key[-1], known)
    return f"did you mean '{meant}{'=...' if is_override else ''}'?"


def _inferencer(document: Document) -> type[Any] | None:
    name = within(document.values, ("eval_cfg", "inferencer_cfg", "inferencer_type"))
    return INFERENCERS.get(name) if isinstance(name, str) and name in INFERENCERS else None


def _ends_with(place: str, given: str) -> bool:
    return f".{place}".lower().endswith(f".{given}".lower())


def _full_path(document: Document, key: tuple[str, ...]) -> tuple[str, ...]:
    """The path as an override gives it: the unknown key is only the beginning of it."""
    longer = (path for path in document.places if path[: len(key)] == key)
    return max(longer, key=len, default=key)


def _places(document: Document) -> Iterator[str]:
    """The paths of all keys that the ingredients of the recipe take, and of those of a model."""
    for at, name_key, registry, default, others in _SECTIONS:
        section = within(document.values, at)
        name = section.get(name_key, default) if isinstance(section, dict) else default
        names = [*others, *_keys(registry, name)]
        yield ".".join(at)
        yield from (".".join((*at, item)) for item in names)
    # The classes of models that are loaded by now: the model is read before the recipe.
    loaded = [name for name in MODELS if not isinstance(MODELS.target(name), str)]
    models = dict.fromkeys(("HuggingFace", *loaded))
    yield from (f"model_cfg.{key}" for name in models for key in _keys(MODELS, name))


def _keys(registry: Registry[Any], name: Any) -> list[str]:
    if not isinstance(name, str) or name not in registry:
        return []
    try:
        return [key.name for key in keys_of(registry.get(name).__init__)]
    except ConfigError:
        return []
