"""The ``scenario_cfg`` section: a scenario and its keys, and whether its options are rotated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chef.common.constructors import class_keys
from chef.config.document import Document
from chef.config.paths import with_paths
from chef.config.signature import check_value
from chef.config.spec import Spec, make_spec
from chef.scenario import SCENARIOS, Scenario
from chef.scenario.circular import Circular
from chef.scenario.vlmevalkit.own import registered
from chef.scenario.vlmevalkit.roots import root_folder

AT = ("scenario_cfg",)
#: The key of every scenario that asks for the rotations of its questions.
CIRCULAR = "circular"


@dataclass(frozen=True, slots=True)
class RotatedSpec(Spec[Scenario]):
    """A scenario whose questions are asked with every rotation of their options."""

    def effective(self) -> dict[str, Any]:
        return {**Spec.effective(self), CIRCULAR: True}

    def build(self, *given: Any) -> Scenario:
        return Circular(Spec.build(self, *given))


def load_scenario(
    section: Mapping[str, Any], document: Document, handed: Mapping[str, Any]
) -> Spec[Scenario]:
    """Check the section; the paths in it are those at which something is.

    Args:
        section: as the recipe gives it.
        document: the recipe.
        handed: keys of the recipe that every ingredient inherits.

    Raises:
        ConfigError: an unknown scenario or key, a missing key or a wrong type.
    """
    values = dict(section)
    if "dataset_name" in values:
        values["dataset_name"] = registered(values, SCENARIOS, document.path.parent)
    is_rotated = not _takes_circular(values.get("dataset_name")) and check_value(
        values.pop(CIRCULAR, False), bool, document.where(*AT, CIRCULAR)
    )
    root = root_folder(data_root if isinstance(data_root := values.get("data_root"), str) else None)
    spec = make_spec(
        values,
        "dataset_name",
        SCENARIOS,
        document,
        AT,
        also=(CIRCULAR,),
        handed=handed,
        unknown=f"a table of yours is found by its name in {root} (--data_root)",
    )
    if is_rotated:
        spec = RotatedSpec(spec.name, spec.kind, spec.options, spec.compat, spec.notices)
    return with_paths(spec, document)


def _takes_circular(name: Any) -> bool:
    """Whether the scenario has a key of that name itself: then it decides what it means."""
    if not isinstance(name, str) or name not in SCENARIOS:
        return False
    return CIRCULAR in {key.name for key in class_keys(SCENARIOS.get(name))}
