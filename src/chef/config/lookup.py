"""Finds a recipe or a model file: a path, the name of a shipped one, or a model of the hub."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias

from chef.config.installed import register_installed
from chef.errors import ConfigError, similar
from chef.guard.files import problem_of
from chef.models import MODELS
from chef.models.chef_models import find_chef_model
from chef.scenario.hooks.packaged import PREFIX
from chef.scenario.vlmevalkit.table import table

Kind: TypeAlias = Literal["recipes", "models", "tasks", "sweeps"]

_HUB = re.compile(r"[\w.-]+/[\w.-]+")
_SUFFIXES = (".yaml", ".yml")
_WEIGHTS = ("weights", "for a checkpoint in a folder, give --model_cfg hf:FOLDER")
_TABLE = ("a table", "name it in a recipe: scenario_cfg: {{dataset_name: Records, path: {file}}}")
#: Files that are given in place of a YAML file: what they are, and where they belong.
_OTHERS = {
    ".py": ("a Python file", "name it in one: plugins: [{file}]"),
    ".tsv": ("a table", "name it in a recipe: scenario_cfg: {{dataset_name: Tsv, path: {file}}}"),
    **dict.fromkeys((".jsonl", ".csv", ".parquet", ".arrow", ".feather"), _TABLE),
    **dict.fromkeys((".safetensors", ".bin", ".pt", ".pth", ".gguf"), _WEIGHTS),
}


def shipped(kind: Kind) -> Path:
    """The folder of the recipes or model files that come with chef."""
    package = Path(__file__).parents[1]
    inside = package / "configs"  # of an installed package; a checkout has it at the top
    return (inside if inside.is_dir() else package.parents[1] / "configs") / kind


def shipped_names(kind: Kind) -> list[str]:
    """The names of the shipped files: ``Shapes/ppl``, ``llava15``."""
    root = shipped(kind)
    files = (path.relative_to(root).with_suffix("") for path in root.rglob("*.yaml"))
    return sorted(file.as_posix() for file in files)


def find_recipe(given: str | Path) -> Path:
    """The recipe file that a path or a name stands for.

    An existing file is taken first. Otherwise ``Shapes/ppl`` is a recipe that comes with chef, and
    so is ``configs/recipes/Shapes/ppl.yaml``, whatever the current folder is.

    Raises:
        ConfigError: there is none; the error names similar ones.
    """
    return _found(given, "recipes", "recipe")


def named_recipe(given: str | Path) -> dict[str, Any] | None:
    """The recipe of a data set of an installed VLMEvalKit (``vlmeval:NAME``); None for others.

    >>> named_recipe("vlmeval:MMStar")["scenario_cfg"]
    {'dataset_name': 'vlmeval:MMStar'}
    """
    if not str(given).startswith(PREFIX):
        return None
    return {
        "scenario_cfg": {"dataset_name": str(given)},
        "eval_cfg": {
            "inferencer_cfg": {"inferencer_type": "Direct", "max_new_tokens": 2048},
            "metric_cfg": {"metric_type": "basic"},
        },
    }


def find_task(given: str | Path) -> Path:
    """The task file that a path or a name (``privacy/p3-infoflow``) stands for.

    Raises:
        ConfigError: there is none; the error names similar ones.
    """
    return _found(given, "tasks", "task")


def find_sweep(given: str | Path) -> Path:
    """The file of a sweep that a path or a name (``Shapes``) stands for.

    Raises:
        ConfigError: there is none; the error names similar ones.
    """
    return _found(given, "sweeps", "sweep")


def find_model(given: str | Path) -> Path | dict[str, Any]:
    """The model file that a path or a name stands for, or the content that one would have.

    Besides files it takes ``hf:owner/name`` (``hf:owner/name@revision``, ``hf:folder``), a
    checkpoint that transformers loads, and the name of a model class.

    Raises:
        ConfigError: there is none; the error names similar ones.
    """
    if file := _existing(given, "models"):
        _refuse_other_kinds(file, "model file")
        return file
    text = str(given)
    if text.startswith("hf:"):
        return _checkpoint(text)
    register_installed()
    name = "HuggingFace" if text in {"hf", "hf-multimodal", "huggingface"} else text
    if name in MODELS:
        return {"model_name": name}
    raise _missing(given, "models")


def _checkpoint(text: str) -> dict[str, Any]:
    """The content of a model file for ``hf:owner/name@revision``."""
    path = text.removeprefix("hf:")
    revision = ""
    if not Path(path).expanduser().exists():
        path, _, revision = path.partition("@")
    if not path or text.endswith("@"):
        raise ConfigError(
            "names no checkpoint",
            where=text,
            hint="write hf:owner/name, hf:owner/name@revision or hf:path/to/folder",
        )
    content = {"model_name": "HuggingFace", "model_path": path}
    return {**content, "revision": revision} if revision else content


def _found(given: str | Path, kind: Kind, wanted: str) -> Path:
    """The YAML file of a kind that a path or a name stands for."""
    if file := _existing(given, kind):
        _refuse_other_kinds(file, wanted)
        return file
    raise _missing(given, kind)


def _existing(given: str | Path, kind: Kind) -> Path | None:
    path = Path(given).expanduser()
    if path.is_file():
        return path
    if path.is_absolute():
        return None
    file = shipped(kind) / f"{_name(given, kind)}.yaml"
    return file if file.is_file() else None


def _name(given: str | Path, kind: Kind) -> str:
    """``Shapes/ppl`` of that name, of its file and of the file's path in a checkout."""
    name = PurePosixPath(given).as_posix().removeprefix("configs/").removeprefix(f"{kind}/")
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _refuse_other_kinds(file: Path, wanted: str) -> None:
    """Refuse a file whose name tells that it is no YAML, with where it belongs."""
    suffix = file.suffix.lower()
    if suffix in _OTHERS:
        what, hint = _OTHERS[suffix]
        raise ConfigError(
            f"is {what}, not a {wanted}", where=str(file), hint=hint.format(file=file.name)
        )


def _missing(given: str | Path, kind: Kind) -> ConfigError:
    path = Path(given).expanduser()
    what = "is a folder" if path.is_dir() else problem_of(path) or "no such file"
    if path.exists() and not path.is_dir():
        hint = "copy what it gives to a .yaml file, and give that one"
        return ConfigError(what, where=str(given), hint=hint)
    clues = {
        "models": _model_clues,
        "recipes": _recipe_clues,
        "tasks": _task_clues,
        "sweeps": _sweep_clues,
    }[kind]
    hint = next(filter(None, chain(clues(path, str(given)), _clues(path, str(given), kind))))
    return ConfigError(what, where=str(given), hint=hint)


def _model_clues(path: Path, text: str) -> Iterator[str | None]:
    """What may have been meant by a model that is no file; None where a guess does not apply."""
    if (path / "config.json").is_file():
        yield f"for a checkpoint in a folder, give --model_cfg hf:{text}"
    chefs = find_chef_model(text)
    yield chefs.hint if chefs else None
    if _name(text, "recipes") in shipped_names("recipes"):
        yield f"'{text}' is a recipe of chef: give it with --recipe_cfg"


def _recipe_clues(path: Path, text: str) -> Iterator[str | None]:
    """The same for a recipe."""
    if path.is_dir() and (files := _yaml_files(path)):
        yield f"give its files, or all of them with {path}/*.yaml: {_some(files)}"
    folder, names = _name(text, "recipes"), shipped_names("recipes")
    if {_name(part, "recipes") for part in text.split(",")[1:]} & {*names}:
        yield f"put spaces between the recipes: {text.replace(',', ' ')}"
    if "*" in text and (found := [item for item in names if fnmatchcase(item, folder)]):
        yield f"'*' stands for files; give the names of chef's recipes: {_some(found)}"
    if inside := [item for item in names if item.startswith(f"{folder}/")]:
        yield f"give one of the recipes that come with chef: {_some(inside)}"
    if _name(text, "models") in shipped_names("models"):
        yield f"'{text}' is a model of chef: give it with --model_cfg"
    if _name(text, "tasks") in shipped_names("tasks"):
        yield f"'{text}' is a task: chef task {text}"
    if benchmark := table().benchmarks.get(path.name):
        recipe = table().families[benchmark.family].recipe
        yield (
            f"'{path.name}' is a benchmark: give --recipe_cfg VLMEvalKit/{recipe} "
            f"scenario_cfg.dataset_name={path.name}"
        )


def _task_clues(path: Path, text: str) -> Iterator[str | None]:
    """The same for a task."""
    del path
    folder, names = _name(text, "tasks"), shipped_names("tasks")
    if inside := [item for item in names if item.startswith(f"{folder}/")]:
        yield f"give one of the tasks that come with chef: {_some(inside)}"
    # The number of a task, or its name without the aspect.
    near = [item for item in names if item.rpartition("/")[2].startswith(f"{folder.lower()}-")]
    yield f"did you mean {' or '.join(near)}?" if near else None
    if folder in shipped_names("recipes"):
        yield f"'{text}' is a recipe: chef eval --recipe_cfg {text}"


def _sweep_clues(path: Path, text: str) -> Iterator[str | None]:
    """The same for a sweep."""
    if (path / "config.yaml").is_file():
        yield "it is the folder of a run: `chef view` shows it; a sweep has a file of its own"
    analysed = {item.parent.name: item.parent for item in path.parent.glob("*/sweep.json")}
    if not path.exists() and (near := similar(path.name, analysed)):
        yield f"did you mean '{analysed[near]}'?"
    if path.is_dir() and (files := _yaml_files(path)):
        yield f"give one of its files: {_some(files)}"
    if path.is_dir():
        yield "give a file of a sweep, or a folder with the sweep.json that chef sweep writes"
    if _name(text, "recipes") in shipped_names("recipes"):
        yield f"'{text}' is a recipe: a sweep names it and what to vary (docs/sweeps.md)"


def _clues(path: Path, text: str, kind: Kind) -> Iterator[str | None]:
    """The same for both; the last guess always applies."""
    for suffix in _SUFFIXES:
        if (path.parent / f"{path.name}{suffix}").is_file():
            yield f"did you mean '{text}{suffix}'?"
    names, beside = shipped_names(kind), _yaml_files(path.parent)
    stems = {Path(item).stem: item for item in beside}
    near = similar(path.stem, stems)
    near = stems[near] if near else similar(_name(text, kind), names)
    yield f"did you mean '{near}'?" if near else None
    if kind == "models" and _HUB.fullmatch(text) and not text.endswith(_SUFFIXES):
        yield f"for a model of the hub, give --model_cfg hf:{text}"
    tops = sorted({item.partition("/")[0] for item in names})
    known = f"`chef list` shows the {kind} that come with chef: {_some(tops)}"
    yield f"there is: {_some(beside)}; {known}" if beside else known


def _yaml_files(folder: Path) -> list[str]:
    found = (item for item in folder.glob("[!.]*") if item.suffix in _SUFFIXES)
    return sorted(str(item) for item in found)


def _some(names: Sequence[str]) -> str:
    more = f", and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(names[:12]) + more
