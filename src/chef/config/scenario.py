"""The ``scenario_cfg`` section: a scenario and its keys, its method, and whether it is rotated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.common.constructors import class_keys
from chef.config.document import Document
from chef.config.method import MethodsSpec, load_methods
from chef.config.signature import check_value
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError, similar
from chef.method.base import with_method
from chef.scenario import SCENARIOS, Scenario
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
    for key, written in _given(scenario, document).items():
        beside = document.path.parent / written
        here_first = document.where(_SECTION, key).startswith("override ")
        if beside.exists() and not (here_first and Path(written).exists()):
            found[key] = str(beside)
    return replace(scenario, options={**scenario.options, **found}) if found else scenario


def paths_as_written(scenario: Spec[Scenario], document: Document) -> dict[str, str]:
    """The relative paths of the recipe: config.yaml has these, because folders change no answer."""
    return _given(scenario, document)


def folders_looked_in(scenario: Spec[Scenario], document: Document) -> str | None:
    """A sentence on where relative paths were looked for that lead nowhere; None without any."""
    lost = [
        written
        for key, written in _given(scenario, document).items()
        if not Path(str(scenario.options[key])).exists()
    ]
    if not lost:
        return None
    folders = dict.fromkeys((document.path.parent.resolve(), Path.cwd()))
    return f"'{lost[0]}' was looked for in {' and '.join(map(str, folders))}"


def _given(scenario: Spec[Scenario], document: Document) -> dict[str, str]:
    section = document.values.get(_SECTION)
    values = {key: section.get(key) for key in scenario.kind.paths} if section else {}
    return {
        key: value
        for key, value in values.items()
        if isinstance(value, str) and value and key in scenario.options and _is_relative(value)
    }


def _is_relative(path: str) -> bool:
    return not Path(path).is_absolute() and not path.startswith("~") and "://" not in path
