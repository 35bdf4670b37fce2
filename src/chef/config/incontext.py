"""The ``incontext_cfg`` section of an instruction: a retriever, and how its examples are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from chef.common.keys import group_keys
from chef.config.document import Document
from chef.config.signature import check_options, check_value
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError
from chef.instruction.examples import ExampleFormat
from chef.instruction.retriever import RETRIEVERS, Retriever
from chef.instruction.upstream import ChefFormat
from chef.types import RULES_OF, Compat

AT = ("eval_cfg", "instruction_cfg", "incontext_cfg")


@dataclass(frozen=True, slots=True)
class Incontext:
    """The in-context examples of a recipe.

    Attributes:
        retriever: chooses them.
        style: how they are shown.
        compat: whose rules both follow.
    """

    retriever: Spec[Retriever]
    style: ExampleFormat
    compat: Compat = "corrected"

    def effective(self) -> dict[str, Any]:
        """The section with its defaults filled in."""
        chosen = {"retriever_type": self.retriever.name, **self.retriever.effective()}
        return {**chosen, **asdict(self.style), "compat": self.compat}


def load_incontext(section: Any, document: Document, handed: Mapping[str, Any]) -> Incontext | None:
    """Check the section; None where it is absent or asks for no example.

    Its key ``compat`` applies to the choice of examples and to their format.

    Args:
        section: as the recipe gives it.
        document: the recipe.
        handed: keys of the recipe that every ingredient inherits.

    Raises:
        ConfigError: an unknown key, a wrong type, an unknown retriever, or a ``compat`` whose rules
            the retriever does not have.
    """
    values: dict[str, Any] = check_value(section or {}, dict[str, Any], document.where(*AT))
    if not values:
        return None
    inherited = "upstream" if handed.get("compat") == "upstream" else "corrected"
    given = values.pop("compat", inherited)
    compat: Compat = check_value(given, Compat, document.where(*AT, "compat"))
    form = ChefFormat if compat == "upstream" else ExampleFormat
    known = [key.name for key in group_keys(form)]
    shown = {key: values.pop(key) for key in list(values) if key in known}
    style = form(**check_options(form, shown, document, AT))
    also = (*known, "compat")
    spec = make_spec(
        values, "retriever_type", RETRIEVERS, document, AT, also=also, handed={"compat": compat}
    )
    if compat != "corrected" and not spec.follows(compat):
        raise ConfigError(
            f"the retriever {spec.name} has no rules of {RULES_OF[compat]}'s own",
            where=document.where(*AT, "compat"),
            hint="write incontext_cfg.compat: corrected",
        )
    return Incontext(spec, style, compat) if spec.options.get("ice_num", 1) else None
