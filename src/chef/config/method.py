"""The key ``method_cfg`` of a scenario: what is done to its samples before a model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from chef.config.document import Document
from chef.config.model import ModelSpec, load_model
from chef.config.signature import check_value
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError
from chef.method import METHODS, Method

AT = ("scenario_cfg", "method_cfg")
_MODEL = "model_cfg"


@dataclass(frozen=True, slots=True)
class AttackSpec(Spec[Method]):
    """A method with a model whose weights it uses.

    Attributes:
        model: the model file.
    """

    model: ModelSpec | None = None

    def effective(self) -> dict[str, Any]:
        assert self.model is not None
        return {**Spec.effective(self), _MODEL: self.model.effective()}

    def build(self, *given: Any) -> Method:
        assert self.model is not None
        return Spec.build(self, *given, cache(self.model.model.build))


def load_method(given: Any, document: Document) -> Spec[Method] | None:
    """Check the section, ``{method: {key: value}}``; None where it is empty.

    Args:
        given: as the recipe gives it.
        document: the recipe.

    Raises:
        ConfigError: several methods, an unknown method or key, or a wrong type.
    """
    where = document.where(*AT)
    section: Mapping[str, Any] = check_value(given or {}, dict[str, Any], where)
    if not section:
        return None
    if len(section) > 1:
        raise ConfigError(
            f"there are {len(section)} methods: {', '.join(section)}",
            where=where,
            hint="keep one; a scenario has at most one method",
        )
    ((name, keys),) = section.items()
    METHODS.get(name, where=document.where(*AT, name))  # an unknown one is refused by its name
    options = check_value(keys or {}, dict[str, Any], document.where(*AT, name))
    attacked = options.pop(_MODEL, None) if METHODS.get(name).needs_model else None
    spec = make_spec(
        {"method_id": name, **options}, "method_id", METHODS, document, (*AT, name),
        reserved=("method_id", "model"), also=(_MODEL,),
    )  # fmt: skip
    if not spec.kind.needs_model:
        return spec
    if attacked is None:
        raise ConfigError(
            f"the method {name} needs the key '{_MODEL}', the model that is attacked",
            where=document.where(*AT, name),
            hint=f"for example {name}: {{{_MODEL}: tiny}}",
        )
    model = load_model(attacked)
    return AttackSpec(spec.name, spec.kind, spec.options, None, spec.notices, model)
