"""The ``scenario_cfg`` section: a scenario and its keys, its method, and whether it is rotated.

The recipes of one call share scenarios, and the pools that in-context examples come from: a sweep
has many recipes of few scenarios. Making a scenario may read a large table, and a pool is embedded
to find similar examples, which takes longer than asking a small model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import field

from chef.common.keys import class_keys
from chef.common.yaml_text import within
from chef.config.document import Document
from chef.config.model import ModelSpec, model_of_key
from chef.config.override import Key
from chef.config.spec import Spec, check_value, make_spec
from chef.errors import ConfigError, similar
from chef.frozen import Frozen
from chef.instruction.retriever import ExamplePool, Retriever
from chef.method import METHODS, Method
from chef.method.base import Several, with_method
from chef.scenario import SCENARIOS
from chef.scenario.base import Scenario, checked_scenario
from chef.scenario.circular import Circular, Rotated
from chef.scenario.vlmevalkit.table import registered_name, root_folder
from chef.scenario.wrapped import Sampled

AT = ("scenario_cfg",)
#: The key of every scenario that asks for the rotations of its questions.
CIRCULAR = "circular"
#: The key of every scenario that moves the options of its questions by so many places.
ROTATION = "rotation"
#: The key of every scenario that asks each of its questions so many times.
SAMPLES = "samples"
#: The least number of each, which is what happens without the key.
_LEAST = {ROTATION: 0, SAMPLES: 1}
#: What the number of each counts.
_COUNTED = {ROTATION: "places", SAMPLES: "answers to each question"}
#: The key of every scenario that names what is done to its samples.
METHOD = "method_cfg"


class WrappedSpec(Spec[Scenario]):
    """A scenario whose samples a method changes, or whose options are rotated.

    Attributes:
        is_rotated: whether its questions are asked with every rotation of their options.
        rotation: by how many places the options of every question are moved.
        samples: how often each question is asked; 0: once.
    """

    method: MethodsSpec | None = None
    is_rotated: bool = False
    rotation: int = 0
    samples: int = 0

    def effective(self) -> dict[str, Any]:
        found = Spec.effective(self)
        if self.method is not None:
            found[METHOD] = self.method.effective()
        if self.rotation:
            found[ROTATION] = self.rotation
        if self.samples:
            found[SAMPLES] = self.samples
        return {**found, CIRCULAR: True} if self.is_rotated else found

    def build(self, *given: Any) -> Scenario:
        scenario = Spec.build(self, *given)
        if self.method is not None:
            scenario = with_method(scenario, self.method.build())
        if self.rotation:
            scenario = Rotated(scenario, self.rotation)
        if self.samples:
            return Sampled(scenario, self.samples)
        return Circular(scenario) if self.is_rotated else scenario


def load_scenario(
    section: Mapping[str, Any], document: Document, handed: Mapping[str, Any]
) -> Spec[Scenario]:
    """Check the section; the paths in it are those at which something is. Raises ConfigError."""
    values = dict(section)
    if "dataset_name" in values:
        values["dataset_name"] = _registered(values, document)
    is_rotated = False
    method = load_methods(values.pop(METHOD, None), document)
    if CIRCULAR in values and not _takes(CIRCULAR, values.get("dataset_name")):
        is_rotated = check_value(values.pop(CIRCULAR), bool, document.where(*AT, CIRCULAR))
    rotation, samples = (_times(key, n, values, document) for key, n in _LEAST.items())
    root = root_folder(data_root if isinstance(data_root := values.get("data_root"), str) else None)
    _check_own_name(values.get("dataset_name"), root, document)
    spec = make_spec(
        values,
        "dataset_name",
        SCENARIOS,
        document,
        AT,
        also=(CIRCULAR, ROTATION, SAMPLES, METHOD),
        handed=handed,
        unknown=f"a table of yours is found by its name in {root} (--data_root)",
    )
    if is_rotated or rotation or samples or method is not None:
        given = spec.name, spec.kind, spec.options, spec.compat, spec.notices
        spec = WrappedSpec(*given, method, is_rotated, rotation, samples)
    return with_paths(spec, document)


def _registered(values: Mapping[str, Any], document: Document) -> Any:
    """The name of the scenario, after a file of one's own was registered under it."""
    name = values["dataset_name"]
    if isinstance(name, str) and name in SCENARIOS and registered_name(name) == name:
        return name
    from chef.scenario.vlmevalkit.benchmarks import registered  # with the readers of tables

    return registered(values, SCENARIOS, document.path.parent)


def _check_own_name(name: Any, root: Path, document: Document) -> None:
    """Raise ConfigError where a name is no scenario's, and nearest to a table in the data root."""
    if not isinstance(name, str) or name in SCENARIOS or "plugins" in document.values:
        return
    from chef.scenario.vlmevalkit.benchmarks import own_tables

    own = own_tables(root)
    if (near := similar(name, [*own, *SCENARIOS.all_names()])) in own:
        raise ConfigError(
            f"unknown scenario '{name}'",
            where=document.where(*AT, "dataset_name"),
            hint=f"did you mean '{near}', the table {own[near]}?",
        )


def _times(key: str, least: int, values: dict[str, Any], document: Document) -> int:
    """Take the key ``rotation`` or ``samples``; 0 where it changes nothing, or is a key of the
    scenario.

    ConfigError: no whole number from ``least``, or every rotation is asked.
    """
    if key not in values or _takes(key, values.get("dataset_name")):
        return 0
    where = document.where(*AT, key)
    number: int = check_value(values.pop(key), int, where)
    if number < least:
        hint = f"give {least} or more {_COUNTED[key]}, or leave it out"
        raise ConfigError(f"{key} is {number}", where=where, hint=hint)
    if number > least and document.values["scenario_cfg"].get(CIRCULAR):
        what = "circular asks each question several times already, once for every rotation"
        raise ConfigError(what, where=where, hint=f"leave out {key} or {CIRCULAR}")
    return number if number > least else 0


def _takes(key: str, name: Any) -> bool:
    """Whether the scenario has a key of that name itself: then it decides what it means."""
    if not isinstance(name, str) or name not in SCENARIOS:
        return False
    return key in {own.name for own in class_keys(SCENARIOS.get(name))}


_SECTION = "scenario_cfg"


def with_paths(scenario: Spec[Scenario], document: Document) -> Spec[Scenario]:
    """The scenario with each path as found: beside the recipe, then in the current folder.

    For the command line it is the other way round. A path that leads nowhere stays as it is.
    """
    found: dict[str, Any] = {}
    for key, written in paths_as_written(scenario, document).items():
        beside = document.path.parent / written
        here_first = document.where(_SECTION, key).startswith("override ")
        if beside.exists() and not (here_first and Path(written).exists()):
            found[key] = str(beside)
    return replace(scenario, options={**scenario.options, **found}) if found else scenario


def folders_looked_in(scenario: Spec[Scenario], document: Document) -> str | None:
    """A sentence on where relative paths were looked for that lead nowhere; None without any."""
    lost = {
        key: written
        for key, written in paths_as_written(scenario, document).items()
        if not Path(str(scenario.options[key])).exists()
    }
    if not lost:
        return None
    key, written = next(iter(lost.items()))
    folders = dict.fromkeys((document.path.parent.resolve(), Path.cwd()))
    where = document.where(_SECTION, key)
    place = "" if where.startswith("override ") else f" ({where})"
    return f"'{written}'{place} was looked for in {' and '.join(map(str, folders))}"


def paths_as_written(scenario: Spec[Scenario], document: Document) -> dict[str, str]:
    """The relative paths of the recipe: config.yaml has these, because folders change no answer."""
    section = document.values.get(_SECTION)
    values = {key: section.get(key) for key in scenario.kind.paths} if section else {}
    return {
        key: value
        for key, value in values.items()
        if isinstance(value, str) and value and key in scenario.options and _is_relative(value)
    }


def _is_relative(path: str) -> bool:
    return not Path(path).is_absolute() and not path.startswith("~") and "://" not in path


#: Keys of a retriever that do not change how its pool is searched.
_OF_THE_CHOICE = ("ice_num", "random_seed")


class Shared:
    """Makes each scenario and each pool once, for sections of plain data that are equal."""

    def __init__(self) -> None:
        self._scenarios: dict[Any, Scenario] = {}
        self._pools: dict[Any, tuple[Scenario, ExamplePool]] = {}

    def scenario(self, spec: Spec[Scenario]) -> Scenario:
        """The scenario of a section, made if none of an equal one was; ConfigError or DataError if
        it cannot be.
        """
        key = _key(spec, spec.effective())
        if key is not None and key in self._scenarios:
            return self._scenarios[key]
        made = checked_scenario(spec.build())
        if key is not None:
            self._scenarios[key] = made
        return made

    def pool(self, spec: Spec[Retriever], scenario: Scenario) -> ExamplePool:
        """The pool of a scenario for a retriever, whatever its number of examples and seed."""
        options = {k: v for k, v in spec.effective().items() if k not in _OF_THE_CHOICE}
        key = _key(spec, options)
        if key is not None and (id(scenario), key) in self._pools:
            return self._pools[id(scenario), key][1]
        split = scenario.pool()
        # A split of its own that is empty has no examples; the evaluated set takes no part.
        pool = ExamplePool(scenario if split is None else split, is_split=split is not None)
        if key is not None:
            self._pools[id(scenario), key] = scenario, pool  # which keeps the id from another's use
        return pool


def _key(spec: Spec[Any], options: dict[str, Any]) -> Any:
    """What an ingredient is made of; None where that cannot be compared."""
    try:
        text = json.dumps(options, sort_keys=True)
    except (TypeError, ValueError):
        return None
    method = getattr(spec, "method", None)
    return type(spec), spec.kind, spec.name, () if method is None else method.kinds, text


METHOD_AT = ("scenario_cfg", "method_cfg")
_MODEL_KEY = "model_cfg"


class MethodSpec(Spec[Method]):
    """A method as a recipe configures it; ``found`` has the paths that were found beside the
    recipe, by their keys. ``options`` has them as written, because folders change no answer.
    """

    model: ModelSpec | None = None
    found: Mapping[str, str] = field(default_factory=dict)

    def effective(self) -> dict[str, Any]:
        model = {} if self.model is None else {_MODEL_KEY: self.model.effective()}
        return {**Spec.effective(self), **model}

    def build(self, *given: Any) -> Method:
        model = [] if self.model is None else [cache(self.model.model.build)]
        placed = replace(self, options={**self.options, **self.found})
        return Spec.build(placed, *given, *model)


class MethodsSpec(Frozen):
    """The methods of a recipe, in the order in which they are applied."""

    methods: tuple[MethodSpec, ...]
    is_list: bool = False

    @property
    def kinds(self) -> tuple[type[Method], ...]:
        """Their classes."""
        return tuple(method.kind for method in self.methods)

    def effective(self) -> dict[str, Any] | list[dict[str, Any]]:
        """The section with all keys of the methods."""
        listed = [{method.name: method.effective()} for method in self.methods]
        return listed if self.is_list else listed[0]

    def build(self) -> Method:
        """The methods as one."""
        built = [method.build(method.name) for method in self.methods]
        return built[0] if len(built) == 1 else Several(built)


def load_methods(given: Any, document: Document) -> MethodsSpec | None:
    """Check the section ``{method: {key: value}}``, or a list of such; None where empty.

    Raises ConfigError.
    """
    if not isinstance(given, list):
        method = _load_method(given, document, METHOD_AT)
        return None if method is None else MethodsSpec((method,))
    loaded = []
    for place, item in enumerate(given):
        at = (*METHOD_AT, str(place))
        method = _load_method(item, document, at)
        if method is None:
            raise ConfigError("names no method", where=document.where(*at), hint="remove the item")
        loaded.append(method)
    return MethodsSpec(tuple(loaded), is_list=True) if loaded else None


def _load_method(given: Any, document: Document, at: Key) -> MethodSpec | None:
    """Check one method."""
    where = document.where(*at)
    section: Mapping[str, Any] = check_value(given or {}, dict[str, Any], where)
    if not section:
        return None
    if len(section) > 1:
        listed = ", ".join(f"{{{name}: ...}}" for name in section)
        raise ConfigError(
            f"there are {len(section)} methods: {', '.join(section)}",
            where=where,
            hint=f"keep one; several are a list, in the order in which they are applied: "
            f"[{listed}]",
        )
    ((name, keys),) = section.items()
    at = (*at, name)
    kind = METHODS.get(name, where=document.where(*at))  # an unknown one is refused by its name
    options = dict(check_value(keys or {}, dict[str, Any], document.where(*at)))
    takes_model = kind.needs_model or kind.takes_model
    used = options.pop(_MODEL_KEY, None) if takes_model else None
    spec = make_spec(
        {"method_id": name, **options}, "method_id", METHODS, document, at,
        also=((_MODEL_KEY,) if takes_model else ()),
    )  # fmt: skip
    model = _model(used, kind, document, at) if kind.needs_model or used is not None else None
    paths = {key: spec.options.get(key) for key in kind.paths}
    found = {
        key: str(document.path.parent / path)
        for key, path in paths.items()
        if isinstance(path, str) and path and (document.path.parent / path).exists()
    }
    return MethodSpec(spec.name, spec.kind, spec.options, None, spec.notices, model, found)


def _model(given: Any, kind: type[Method], document: Document, at: Key) -> ModelSpec:
    """The model file of a method."""
    called = "attacked model" if kind.needs_gradients else "rewriting model"
    if given is None:
        use = "is attacked" if kind.needs_gradients else "rewrites"
        raise ConfigError(
            f"the method {at[-1]} needs the key '{_MODEL_KEY}', the model that {use}",
            where=document.where(*at),
            hint=f"for example {at[-1]}: {{{_MODEL_KEY}: tiny}}",
        )
    here = (*at, _MODEL_KEY)
    model = model_of_key(given, within(document.raw, here), document, here, called)
    if kind.needs_gradients and not model.model.kind.has_gradients:
        from chef.models.huggingface.gradients import no_gradients

        raise no_gradients(model.model.name, document.where(*here))
    return model
