"""The key ``method_cfg`` of a scenario: what is done to its samples before a model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from msgspec import field

from chef.config.document import Document
from chef.config.model import ModelSpec, model_of_key, within
from chef.config.override import Key
from chef.config.signature import check_value
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.method import METHODS, Method
from chef.method.base import Several

AT = ("scenario_cfg", "method_cfg")
_MODEL = "model_cfg"


class MethodSpec(Spec[Method]):
    """A method as a recipe configures it; ``found`` has the paths that were found beside the
    recipe, by their keys. ``options`` has them as written, because folders change no answer.
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
        method = _load_method(given, document, AT)
        return None if method is None else MethodsSpec((method,))
    loaded = []
    for place, item in enumerate(given):
        at = (*AT, str(place))
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
    used = options.pop(_MODEL, None) if takes_model else None
    spec = make_spec(
        {"method_id": name, **options}, "method_id", METHODS, document, at,
        reserved=("method_id", "model"), also=((_MODEL,) if takes_model else ()),
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
            f"the method {at[-1]} needs the key '{_MODEL}', the model that {use}",
            where=document.where(*at),
            hint=f"for example {at[-1]}: {{{_MODEL}: tiny}}",
        )
    here = (*at, _MODEL)
    model = model_of_key(given, within(document.raw, here), document, here, called)
    if kind.needs_gradients and not model.model.kind.has_gradients:
        from chef.models.huggingface.gradients import no_gradients

        raise no_gradients(model.model.name, document.where(*here))
    return model
