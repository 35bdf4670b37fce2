"""Where the files of MMTrustEval's data sets are."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from chef.errors import ConfigError, DataError, nearest
from chef.scenario.mmtrusteval.table import Dataset

#: The environment variable that names the data root.
VARIABLE = "CHEF_MMTRUST_DATA"
_DEFAULT = "data"


def data_folder(given: str | None = None) -> Path:
    """The data root: ``given``, else ``$CHEF_MMTRUST_DATA``, else ``data`` in this folder."""
    return Path(given or os.environ.get(VARIABLE) or _DEFAULT).expanduser()


def resolved(known: Dataset, root: Path, given: Mapping[str, str]) -> dict[str, Path]:
    """The paths of a data set, below the root where they lead nowhere; ConfigError for others."""
    found: dict[str, Path] = {key: root / path for key, path in known.paths.items()}
    for key, path in given.items():
        if key not in found:
            raise no_such_key(known, key)
        other = Path(path).expanduser()
        is_here = other.is_absolute() or other.exists()
        found[key] = other if is_here else root / other
    return found


def no_such_key(known: Dataset, key: str) -> ConfigError:
    """The error on a key that other data sets have."""
    keys = [*known.paths, *known.about.keys]
    return ConfigError(
        f"the data set {known.id} has no {key}",
        where=f"scenario_cfg.{key}",
        hint=f"{nearest(key, keys)} (besides data_root, wording_file and seed)",
    )


def missing(what: str, path: Path, root: Path, key: str, known: str) -> DataError:
    """The error on a ``file`` or ``folder`` that a key of the recipe names and a data set needs."""
    inner = root / _DEFAULT
    told = f"; there is a folder {inner}" if inner.is_dir() else ""
    lost = f" (there is no folder {root} either)" if not root.is_dir() else ""
    named = os.environ.get(VARIABLE)
    variable = f"${VARIABLE}" + (f" (now {named})" if named else "")
    return DataError(
        f"no such {what}, which {known} needs{lost}",
        where=str(path),
        hint=f"put MMTrustEval's data there, or name its folder: --data_root DIR, data_root in "
        f"scenario_cfg, or {variable}{told}; this {what} alone: {key} in scenario_cfg (of a task: "
        "dataset_cfg)",
    )
