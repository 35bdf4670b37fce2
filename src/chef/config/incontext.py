"""The ``incontext_cfg`` section of an instruction: a retriever, and how its examples are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from chef.config.document import Document
from chef.config.signature import check_options, check_value
from chef.config.spec import Spec, make_spec
from chef.instruction.examples import ExampleFormat
from chef.instruction.retriever import RETRIEVERS, Retriever

AT = ("eval_cfg", "instruction_cfg", "incontext_cfg")


@dataclass(frozen=True, slots=True)
class Incontext:
    """In-context examples as the recipe wants them."""

    retriever: Spec[Retriever]
    style: ExampleFormat

    def effective(self) -> dict[str, Any]:
        """The section with its defaults filled in."""
        chosen = {"retriever_type": self.retriever.name, **self.retriever.effective()}
        return {**chosen, **asdict(self.style)}


def load_incontext(section: Any, document: Document, handed: Mapping[str, Any]) -> Incontext | None:
    """Check the section; None when there is none, or when it wants no example.

    Args:
        section: as the recipe gives it.
        document: the recipe.
        handed: what the recipe hands to every ingredient that takes it.

    Raises:
        ConfigError: an unknown key, a wrong type, an unknown retriever.
    """
    values: dict[str, Any] = check_value(section or {}, dict[str, Any], document.where(*AT))
    if not values:
        return None
    known = ExampleFormat.__dataclass_fields__
    if "compat" in values:
        handed = {"compat": values.pop("compat")}  # both for the choice and for the form
    shown = {key: values.pop(key) for key in list(values) if key in known}
    style = ExampleFormat(**check_options(ExampleFormat, shown, document, AT, handed=handed))
    spec = make_spec(
        values, "retriever_type", RETRIEVERS, document, AT, also=tuple(known), handed=handed
    )
    return Incontext(spec, style) if spec.options["ice_num"] else None
