"""The key ``method_cfg`` of a scenario: what is done to its samples before a model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from chef.config.document import Document
from chef.config.model import ModelSpec
from chef.config.model_key import model_of_key, within
from chef.config.override import Key
from chef.config.signature import check_value
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError
from chef.method import METHODS, Method

AT = ("scenario_cfg", "method_cfg")
_MODEL = "model_cfg"


@dataclass(frozen=True, slots=True)
class MethodSpec(Spec[Method]):
    """A method as a recipe configures it.

    Attributes:
        model: the model file of a method that uses the weights of a model.
        found: the paths that were found beside the recipe, by their keys. ``options`` has them as
            written, because folders change no answer.
    """

    model: ModelSpec | None = None
    found: Mapping[str, str] = field(default_factory=dict)

    def effective(self) -> dict[str, Any]:
        model = {} if self.model is None else {_MODEL: self.model.effective()}
        return {**Spec.effective(self), **model}

    def build(self, *given: Any) -> Method:
        model = [] if self.model is None else [cache(self.model.model.build)]
        placed = replace(self, options={**self.options, **self.found})
        return Spec.build(placed, *given, *model)


def load_method(given: Any, document: Document) -> MethodSpec | None:
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
    at = (*AT, name)
    kind = METHODS.get(name, where=document.where(*at))  # an unknown one is refused by its name
    options = dict(check_value(keys or {}, dict[str, Any], document.where(*at)))
    attacked = options.pop(_MODEL, None) if kind.needs_model else None
    spec = make_spec(
        {"method_id": name, **options}, "method_id", METHODS, document, at,
        reserved=("method_id", "model"), also=((_MODEL,) if kind.needs_model else ()),
    )  # fmt: skip
    model = _attacked(attacked, document, at) if kind.needs_model else None
    paths = {key: spec.options.get(key) for key in kind.paths}
    found = {
        key: str(document.path.parent / path)
        for key, path in paths.items()
        if isinstance(path, str) and path and (document.path.parent / path).exists()
    }
    return MethodSpec(spec.name, spec.kind, spec.options, None, spec.notices, model, found)


def _attacked(given: Any, document: Document, at: Key) -> ModelSpec:
    """The model file whose weights a method uses."""
    if given is None:
        raise ConfigError(
            f"the method {at[-1]} needs the key '{_MODEL}', the model that is attacked",
            where=document.where(*at),
            hint=f"for example {at[-1]}: {{{_MODEL}: tiny}}",
        )
    here = (*at, _MODEL)
    model = model_of_key(given, within(document.raw, here), document, here, "attacked model")
    if not model.model.kind.has_gradients:
        from chef.models.huggingface.gradients import no_gradients

        raise no_gradients(model.model.name, document.where(*here))
    return model
