"""Models of an installed VLMEvalKit by the names of its registry (``model_name: VLMEvalKit``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Self

from chef.common.digest import digest
from chef.common.redaction import redact_data
from chef.errors import ConfigError, DependencyError, nearest
from chef.models.api.traffic import Traffic
from chef.models.hooks.chef import accepted_keywords
from chef.models.hooks.package import PackageModel, of_package, package_file
from chef.models.hooks.vlmevalkit.base_api import FAIL_MSG, BaseAPI, remember_keys
from chef.models.hooks.vlmevalkit.base_model import BaseModel

_PACKAGE = "vlmeval"
_TABLE, _NAME = "vlmeval.config", "supported_VLM"

#: Models by name that plugins have added to the registry.
OWN_MODELS: dict[str, Callable[..., Any]] = {}


class RegistryModel(PackageModel):
    """Any entry of the registry of an installed VLMEvalKit.

    The package is imported when the model file is checked; the model itself is made, and its
    weights are loaded, before the first question. Its own prompts are asked with ``prompt: model``.

    Args:
        model: the name of the entry.
        kwargs: arguments that replace those of the entry.
        traffic: for models that are asked over a network; see `Traffic`.
        name: the folder of its results; default: ``model``.

    Raises:
        ConfigError: there is no such entry.
        DependencyError: the package ``vlmeval`` is not installed, or cannot be imported.
    """

    def __new__(cls, model: str = "", **_: Any) -> Self:
        """An object of the class for models in this process, or for those behind a network."""
        kind: Any = cls
        if cls is RegistryModel:
            kind = _Remote if _is_api(entry_of(model)) else _Local
        made: Self = object.__new__(kind)
        return made

    def __init__(
        self,
        *,
        model: str,
        kwargs: dict[str, Any] | None = None,
        traffic: Traffic = Traffic(),
        name: str | None = None,
    ) -> None:
        if isinstance(self, BaseAPI):
            BaseAPI.__init__(self, traffic=traffic)
        self.model, self.kwargs = model, dict(kwargs or {})
        self.name = name or model
        self._entry = entry_of(model)

    def make(self) -> Any:
        made = self._entry(**self.kwargs)
        remember_keys(made)
        return made

    def where_made(self) -> tuple[str, str]:
        return f"the model {self.model} of VLMEvalKit", ", by supported_VLM"

    def prepare(self) -> None:
        """Make the model."""
        super().prepare()
        if callable(chat := getattr(self.made, "chat_inner", None)):
            self.chat_inner = chat

    def use_custom_prompt(self, dataset: str | None) -> bool:
        """Whether the model has a prompt of its own for a data set."""
        method = getattr(self.made, "use_custom_prompt", None)
        return bool(method(dataset)) if callable(method) else False

    def build_prompt(self, line: Any, dataset: str | None = None) -> Any:
        """The message for a row of a data set."""
        method: Callable[..., Any] = self.made.build_prompt
        return method(line, **accepted_keywords(method, {"dataset": dataset}))

    def set_dump_image(self, dump_image_func: Callable[..., Any]) -> None:
        """Let the model find the images of a row by a function."""
        if callable(method := getattr(self.made, "set_dump_image", None)):
            method(dump_image_func)

    def fingerprint(self) -> str:
        """A digest of the entry: its class and arguments, and the version of the package."""
        entry, given = self._entry, dict(self.kwargs)
        while isinstance(entry, partial):
            given = {**entry.keywords, **given}
            entry = entry.func
        try:
            release = version(_PACKAGE)
        except PackageNotFoundError:
            release = ""
        kind = f"{getattr(entry, '__module__', '')}.{getattr(entry, '__qualname__', entry)}"
        return digest([self.model, kind, redact_data(given), release])

    def _inner(self, message: Any, named: Mapping[str, Any]) -> Any:
        """What the model returns for a message; it is asked once, without waiting or repeating."""
        made = self.made
        own = getattr(made, "generate_inner", None)
        method: Callable[..., Any] = own if callable(own) else made.generate
        return method(message, **accepted_keywords(method, named))


class _Local(RegistryModel, BaseModel):
    """A model in this process."""

    def generate_inner(self, message: Any, dataset: str | None = None) -> Any:
        return self._inner(message, {"dataset": dataset})


class _Remote(RegistryModel, BaseAPI):
    """A model that is asked over a network."""

    def prepare(self) -> None:
        super().prepare()
        self.fail_msg = str(getattr(self.made, "fail_msg", FAIL_MSG))

    def generate_inner(self, inputs: Any, **kwargs: Any) -> Any:
        given = self._inner(inputs, {**getattr(self.made, "default_kwargs", {}), **kwargs})
        return (0, given, "") if isinstance(given, str) else given


def entry_of(name: str) -> Callable[..., Any]:
    """The entry of the registry of that name; a ConfigError or DependencyError if there is none."""
    if name in OWN_MODELS:
        return OWN_MODELS[name]
    if package_file(_PACKAGE) is None:
        raise DependencyError(
            "the package vlmeval (VLMEvalKit) is not installed",
            where="model_name: VLMEvalKit",
            hint="pip install git+https://github.com/open-compass/VLMEvalKit.git; for a class of "
            "yours no package is needed: plugins: [FILE.py] and its name under model_name",
        )
    table = of_package(_TABLE, _NAME, "VLMEvalKit")
    if name not in table:
        raise ConfigError(
            f"VLMEvalKit has no model '{name}'", where="model", hint=nearest(name, table)
        )
    entry: Callable[..., Any] = table[name]
    return entry


def _is_api(entry: Callable[..., Any]) -> bool:
    """Whether an entry makes models that are asked over a network."""
    while isinstance(entry, partial):
        entry = entry.func
    return bool(getattr(entry, "is_api", False))
