"""The classes and functions that files written for VLMEvalKit use, with chef underneath.

>>> from chef.vlmevalkit import toliststr
>>> toliststr('["a", "b"]')
['a', 'b']

A plugin may also import them by VLMEvalKit's module names (``from vlmeval.dataset.image_base
import ImageBaseDataset``) where that package is not installed. Every name is imported when it is
first used.
"""

from __future__ import annotations

from typing import Any

from chef.errors import nearest
from chef.upstream_paths.package_finder import resolved
from chef.upstream_paths.vlmeval_names import NAMES

__all__ = list(NAMES)


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        hint = "" if name.startswith("_") else f"; {nearest(name, NAMES)}"
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'{hint}")
    return resolved(NAMES[name])


def __dir__() -> list[str]:
    return sorted(NAMES)
