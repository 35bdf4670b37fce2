"""``vlmeval.config``: the registry of models, which a file may add its own to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chef.errors import ConfigError
from chef.models.hooks.vlmevalkit.registry import OWN_MODELS


class ModelTable(dict[str, Callable[..., Any]]):
    """Models by name. VLMEvalKit's own are not in it: their code is not in chef."""

    def __missing__(self, name: str) -> Callable[..., Any]:
        raise ConfigError(
            f"chef does not have VLMEvalKit's model '{name}'",
            hint="name a model file (`chef list models`), or install VLMEvalKit: "
            f"model_name: VLMEvalKit, model: {name}",
        )


#: The models that files have added; a model file names them by ``model_name: VLMEvalKit``.
supported_VLM: dict[str, Callable[..., Any]] = OWN_MODELS  # noqa: N816 (VLMEvalKit's name)
_series: dict[str, ModelTable] = {}


def __getattr__(name: str) -> ModelTable:
    """The groups of models, such as ``llava_series``, which are empty."""
    if not (name.endswith("_series") or name == "api_models"):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return _series.setdefault(name, ModelTable())
