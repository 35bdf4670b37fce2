"""The ``instruction_cfg`` section: the class that words questions, and its in-context examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from chef.common.keys import group_keys
from chef.config.document import Document
from chef.config.spec import Spec, check_options, check_value, make_spec
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.guard.files import problem_of
from chef.instruction import INSTRUCTIONS, Instruction
from chef.instruction.examples import ExampleFormat
from chef.instruction.retriever import RETRIEVERS, Retriever
from chef.instruction.upstream import ChefFormat
from chef.registry import recipe_name
from chef.scenario import Scenario
from chef.types import RULES_OF, Compat

#: ``instruction_type`` of recipes that name none; ChEF's word.
DEFAULT = "InstructionHandler"
AT = ("eval_cfg", "instruction_cfg")


def load_instruction(
    section: Mapping[str, Any], document: Document, handed: Mapping[str, Any]
) -> Spec[Instruction]:
    """Check the section; without ``instruction_type`` the class is `Instruction`.

    Raises ConfigError.
    """
    spec = make_spec(
        {"instruction_type": DEFAULT, **section},
        "instruction_type",
        INSTRUCTIONS,
        document,
        AT,
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

    Raises ConfigError.
    """
    if isinstance(getattr(scenario, "wording", None), str):
        try:
            instruction.build(pool_of(scenario))
        except ConfigError as error:
            raise document.located(error) from None


def pool_of(scenario: Scenario | type[Scenario]) -> str:
    """The name of the pool that words a scenario's questions, or an empty text; ConfigError if it
    says neither.
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


EXAMPLES_AT = ("eval_cfg", "instruction_cfg", "incontext_cfg")


class Incontext(Frozen):
    """The in-context examples of a recipe: what chooses them, how they are shown, whose rules both
    follow.
    """

    retriever: Spec[Retriever]
    style: ExampleFormat
    compat: Compat = "corrected"

    def effective(self) -> dict[str, Any]:
        """The section with its defaults filled in."""
        chosen = {"retriever_type": self.retriever.name, **self.retriever.effective()}
        return {**chosen, **asdict(self.style), "compat": self.compat}


def load_incontext(section: Any, document: Document, handed: Mapping[str, Any]) -> Incontext | None:
    """Check the section; None where it is absent or asks for no example. Raises ConfigError."""
    values: dict[str, Any] = check_value(
        section or {}, dict[str, Any], document.where(*EXAMPLES_AT)
    )
    if not values:
        return None
    inherited = "upstream" if handed.get("compat") == "upstream" else "corrected"
    given = values.pop("compat", inherited)
    compat: Compat = check_value(given, Compat, document.where(*EXAMPLES_AT, "compat"))
    form = ChefFormat if compat == "upstream" else ExampleFormat
    known = [key.name for key in group_keys(form)]
    shown = {key: values.pop(key) for key in list(values) if key in known}
    style = form(**check_options(form, shown, document, EXAMPLES_AT))
    also = (*known, "compat")
    spec = make_spec(
        values,
        "retriever_type",
        RETRIEVERS,
        document,
        EXAMPLES_AT,
        also=also,
        handed={"compat": compat},
    )
    if compat != "corrected" and not spec.follows(compat):
        raise ConfigError(
            f"the retriever {spec.name} has no rules of {RULES_OF[compat]}'s own",
            where=document.where(*EXAMPLES_AT, "compat"),
            hint="write incontext_cfg.compat: corrected",
        )
    return Incontext(spec, style, compat) if spec.options.get("ice_num", 1) else None
