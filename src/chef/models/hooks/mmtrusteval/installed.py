"""Chat models by their ids: classes of users, and the models of an installed MMTrustEval."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib import import_module
from typing import Any

from chef.common.user_code import contained
from chef.errors import ConfigError, DependencyError, nearest
from chef.models.hooks.mmtrusteval import CHATS

_PACKAGE = "mmte"
_MODELS = f"{_PACKAGE}.models"


def maker_of(model_id: str) -> Callable[..., Any]:
    """What makes the model of that id: its class, or the package's ``load_chatmodel``."""
    if model_id in CHATS:
        return CHATS.get(model_id)
    if not is_installed():
        own = f"{nearest(model_id, CHATS)}; " if list(CHATS) else ""
        raise DependencyError(
            f"no plugin has a model '{model_id}', and the package {_PACKAGE} (MMTrustEval) is not "
            "installed",
            where="model_id",
            hint=f"{own}put MMTrustEval's folder on PYTHONPATH; for a class of yours no package is "
            "needed: plugins: [FILE.py]",
        )
    if model_id not in (known := installed_ids()):
        raise ConfigError(
            f"MMTrustEval has no model '{model_id}'",
            where="model_id",
            hint=nearest(model_id, [*CHATS, *known]),
        )
    maker: Callable[..., Any] = _of_package("load_chatmodel")
    return maker


def is_installed() -> bool:
    """Whether there is a package of that name with a file: chef's own names have none."""
    try:
        spec = importlib.util.find_spec(_PACKAGE)
    except ValueError:  # a module without a spec
        return False
    return spec is not None and spec.origin is not None


def installed_ids() -> list[str]:
    """The ids of an installed package; a DependencyError if it cannot be imported."""
    return [str(name) for name in _of_package("model_zoo")()] if is_installed() else []


def _of_package(name: str) -> Any:
    try:
        with contained(f"import {_MODELS}"):
            return getattr(import_module(_MODELS), name)
    except Exception as error:
        raise DependencyError(
            f"{name} cannot be imported from {_MODELS}: {type(error).__name__}: {error}",
            where="model_name: MMTrustEval",
            hint=f"look at what this prints: python -c 'from {_MODELS} import {name}'",
        ) from error
