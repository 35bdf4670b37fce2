"""The recipes, model files, tasks, sweeps and suites that come with chef, by their names."""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePosixPath
from typing import Literal, TypeAlias

from chef.errors import same_name

#: What a name can be of; the first five are folders of YAML files.
Kind: TypeAlias = Literal["recipes", "models", "tasks", "sweeps", "suites", "benchmarks", "tables"]

#: How something is asked: as a recipe, as a task with its log, as a sweep over many runs, or as a
#: suite of recipes.
Form: TypeAlias = Literal["recipe", "task", "sweep", "suite"]

SUFFIXES = (".yaml", ".yml")


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
