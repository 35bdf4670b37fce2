"""What a run stood on: versions and machine, for environment.json."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from typing import Any

import chef

_PACKAGES = ("torch", "torchvision", "transformers", "tokenizers", "numpy", "pillow", "omegaconf")


def describe_environment() -> dict[str, Any]:
    """Versions of chef, Python and the packages that decide answers; processor and device."""
    versions = {"chef": chef.__version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    machine = {"system": platform.platform(), "processors": os.cpu_count()}
    return {"versions": versions, "machine": {**machine, "accelerator": _accelerator()}}


def _accelerator() -> str | None:
    import sys

    torch = sys.modules.get("torch")  # whoever needed it has loaded it
    if torch is None or not torch.cuda.is_available():
        return None
    name: str = torch.cuda.get_device_name()
    return name
