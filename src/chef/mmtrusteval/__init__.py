"""The classes and functions that files written for MMTrustEval use, with chef underneath.

>>> from chef.mmtrusteval import TxtSample
>>> TxtSample("Is it safe?").to_dict()["text"]
'Is it safe?'

A plugin may also import them by MMTrustEval's module names (``from mmte.datasets.base import
BaseDataset``) where that package is not installed. Every name is imported when it is first used.
"""

from __future__ import annotations

from typing import Any

from chef.errors import nearest
from chef.upstream_paths.mmte_names import NAMES
from chef.upstream_paths.package_finder import resolved

__all__ = list(NAMES)


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        hint = "" if name.startswith("_") else f"; {nearest(name, NAMES)}"
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'{hint}")
    return resolved(NAMES[name])


def __dir__() -> list[str]:
    return sorted(NAMES)
