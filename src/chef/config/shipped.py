"""What files are called: those that come with chef, and a recipe or model that is no file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias

from chef.common.digest import digest
from chef.common.yaml_text import within
from chef.errors import same_name

#: What a name can be of; the first five are folders of YAML files.
Kind: TypeAlias = Literal["recipes", "models", "tasks", "sweeps", "suites", "benchmarks", "tables"]

#: How something is asked: as a recipe, as a task with its log, as a sweep over many runs, or as a
#: suite of recipes.
Form: TypeAlias = Literal["recipe", "task", "sweep", "suite"]

SUFFIXES = (".yaml", ".yml")


@cache
def shipped(kind: Kind) -> Path:
    """The folder of the files of a kind that come with chef."""
    package = Path(__file__).parents[1]
    inside = package / "configs"  # of an installed package; a checkout has it at the top
    return (inside if inside.is_dir() else package.parents[1] / "configs") / kind


@cache
def _names(kind: Kind) -> tuple[str, ...]:
    root = shipped(kind)
    files = (path.relative_to(root).with_suffix("") for path in root.rglob("*.yaml"))
    return tuple(sorted(file.as_posix() for file in files))


def shipped_names(kind: Kind) -> list[str]:
    """The names of the shipped files: ``Shapes/ppl``, ``llava15``."""
    return [*_names(kind)]


def shipped_file(name: str, kind: Kind) -> Path | None:
    """The file of a name, in any case of letters; None where there is none."""
    if kind in ("benchmarks", "tables"):
        return None
    known = same_name(name, _names(kind))
    return None if known is None else shipped(kind) / f"{known}.yaml"


def plain_name(given: str | Path, kind: Kind) -> str:
    """``Shapes/ppl`` of that name, of its file and of the file's path in a checkout.

    >>> plain_name("configs/recipes/Shapes/ppl.yaml", "recipes")
    'Shapes/ppl'
    """
    name = PurePosixPath(given).as_posix().removeprefix("configs/").removeprefix(f"{kind}/")
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


#: The keys whose values name a recipe or a model, in the order of the name.
_KEYS = (
    ("scenario_cfg", "dataset_name"),
    ("dataset_id",),
    ("eval_cfg", "inferencer_cfg", "inferencer_type"),
    ("eval_cfg", "metric_cfg", "metric_type"),
    ("model_name",),
)
#: Longer values are cut: a name becomes that of a folder.
_MAX = 40


def mapping_name(content: Mapping[str, Any]) -> str:
    """The name of a mapping; two with different content have different names.

    >>> mapping_name({"scenario_cfg": {"dataset_name": "MME"},
    ...     "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}}})
    'MME-PPL-f08ad674'
    """
    words = [word for keys in _KEYS if (word := _at(content, keys))]
    return "-".join([*(words or ["dict"]), digest(content)[:8]])


def overridden_name(name: str, overrides: Sequence[str]) -> str:
    """The name of a mapping with overrides, which make it another recipe."""
    return f"{name}-{digest(list(overrides))[:4]}"


def _at(content: Any, keys: tuple[str, ...]) -> str:
    value = within(content, keys)
    return re.sub(r"[^\w-]+", "_", value)[:_MAX].strip("_-") if isinstance(value, str) else ""
