"""The ``instruction_cfg`` section: the class that words questions, and its keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chef.config.document import Document
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError
from chef.guard.files import problem_of
from chef.instruction import INSTRUCTIONS, Instruction
from chef.registry import recipe_name
from chef.scenario import Scenario

#: ``instruction_type`` of recipes that name none; ChEF's word.
DEFAULT = "InstructionHandler"
AT = ("eval_cfg", "instruction_cfg")


def load_instruction(
    section: Mapping[str, Any], document: Document, handed: Mapping[str, Any]
) -> Spec[Instruction]:
    """Check the section. Without ``instruction_type`` the class is `Instruction`.

    Args:
        section: as the recipe gives it, without ``incontext_cfg``.
        document: the recipe.
        handed: keys of the recipe that every ingredient inherits.

    Raises:
        ConfigError: an unknown class or key, or a wrong type.
    """
    spec = make_spec(
        {"instruction_type": DEFAULT, **section},
        "instruction_type",
        INSTRUCTIONS,
        document,
        AT,
        reserved=("wording", "task", "system_message", "retriever", "style"),
        also=("incontext_cfg",),
        handed=handed,
    )
    pool_file = spec.options.get("pool_file")
    if pool_file is None:
        return spec
    path = document.path.parent / pool_file
    if problem := problem_of(path):
        raise ConfigError(
            f"{problem}: {path}",
            where=document.where(*AT, "pool_file"),
            hint="the path is relative to the recipe",
        )
    return replace(spec, options={**spec.options, "pool_file": str(path)})


def check_wording(
    scenario: type[Scenario], instruction: Spec[Instruction], document: Document
) -> None:
    """Check ids, prompts and templates early, where the wording is an attribute of the class.

    Raises:
        ConfigError: see `chef.instruction.handler.Instruction`.
    """
    if isinstance(getattr(scenario, "wording", None), str):
        try:
            instruction.build(pool_of(scenario))
        except ConfigError as error:
            raise document.located(error) from None


def pool_of(scenario: Scenario | type[Scenario]) -> str:
    """The name of the pool that words a scenario's questions; empty where it has none.

    Raises:
        ConfigError: the scenario says neither.
    """
    if not scenario.has_wordings:
        return ""
    if not hasattr(scenario, "wording"):
        owner = scenario if isinstance(scenario, type) else type(scenario)
        raise ConfigError(
            f"the scenario {recipe_name(owner)} does not say how its questions are worded",
            where="scenario_cfg.dataset_name",
            hint="give the class a wording (the name of a pool), or has_wordings = False",
        )
    return scenario.wording
