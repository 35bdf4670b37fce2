"""What may have been meant by a name that is nothing: the nearest names of the right kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from shlex import quote

from chef.config.installed import register_installed
from chef.config.shipped import SUFFIXES, Form, Kind, plain_name, shipped_file, shipped_names
from chef.config.tasks import model_ids
from chef.errors import ConfigError, same_name, similar
from chef.guard.files import case_hint, open_file, problem_of, read_text, user_path
from chef.models import MODELS
from chef.models.chef_models import ChefModel, find_chef_model
from chef.models.hooks.mmtrusteval import CHATS
from chef.registry import of_session
from chef.scenario import SCENARIOS
from chef.scenario.vlmevalkit.table import PACKAGED, benchmark_names, packaged_names

Clues = Iterator[str | None]

#: The page on suites and sweeps.
_SUITES = "docs/background/many_runs.md"
_HUB = re.compile(r"[\w.-]+/[\w.-]+")
_CHECKPOINT = r"(?m)^model_path: *[\w.-]+/([\w.-]+)"
_WEIGHTS = ("weights", "for a checkpoint in a folder, give --model_cfg hf:FOLDER")
_TABLE = ("a table", "a table is asked in the place of a recipe: chef eval MODEL {file}")
#: Files that are given in place of a YAML file: what they are, and where they belong.
_OTHERS = {
    ".py": (
        "a Python file",
        "name it in one: plugins: [{file}]",
    ),
    **dict.fromkeys((".tsv", ".jsonl", ".csv", ".parquet", ".arrow", ".feather"), _TABLE),
    **dict.fromkeys((".safetensors", ".bin", ".pt", ".pth", ".gguf"), _WEIGHTS),
}
_SINGULAR: Mapping[Kind, str] = {
    "recipes": "recipe", "models": "model file", "tasks": "task", "sweeps": "sweep",
    "suites": "suite",
}  # fmt: skip
#: A line that only files of this kind have.
_MARKS: Mapping[Kind, re.Pattern[str]] = {
    "recipes": re.compile(r"^\W*(?:scenario_cfg|dataset_id)\b", re.MULTILINE),
    "models": re.compile(r"^\W*model_name\b", re.MULTILINE),
    "tasks": re.compile(r"^\W*dataset_id\b", re.MULTILINE),
    "sweeps": re.compile(r"^\W*vary\b", re.MULTILINE),
    "suites": re.compile(r"^\W*members\b", re.MULTILINE),
}
#: The kinds of files in folders that are asked in the place of a recipe.
_ASKED: Sequence[Kind] = ("recipes", "tasks")
#: So much of a YAML file is looked at, in bytes.
_LOOKED_AT = 1 << 16


def refuse_other_files(file: Path, kind: Kind) -> None:
    """Refuse a file whose name tells that it is no YAML, with where it belongs.

    Raises ConfigError.
    """
    suffix = file.suffix.lower()
    if suffix in _OTHERS:
        what, hint = _OTHERS[suffix]
        if suffix == ".py" and kind == "models":
            hint += ", and its class in the next line: model_name: CLASS"
        said = f"is {what}, not a {_SINGULAR[kind]}"
        raise ConfigError(said, where=str(file), hint=hint.format(file=file.name))
    if suffix not in SUFFIXES and (ending := _ending_of_table(file)):
        raise ConfigError(
            f"looks like a table, whose name would end in {ending}",
            where=str(file),
            hint=f"rename it: mv {quote(str(file))} {quote(f'{file}{ending}')}",
        )


def _ending_of_table(file: Path) -> str | None:
    """How the name of a file should end that looks like a table; None for what looks like YAML."""
    from chef.guard.contents import table_of_bytes  # for errors alone

    with open_file(file) as opened:
        head = opened.read(_LOOKED_AT)
    return None if is_chefs(file) else table_of_bytes(head)


def form_of_file(file: Path) -> Form:
    """How a YAML file is asked, by the keys that stand in it."""
    text = _beginning(file) or ""

    def has(pattern: str) -> bool:
        return re.search(pattern, text, re.MULTILINE) is not None

    if has(r"^(?:members|figures|sheet)\s*:"):
        return "suite"
    # A sweep may name keys of the recipe in lines that are indented, as files of JSON are.
    if has(r"^scenario_cfg\s*:"):
        return "recipe"
    if _MARKS["sweeps"].search(text) or (has(r"^recipe\s*:") and not has(r"^\W*scenario_cfg\b")):
        return "sweep"
    if has(r"^\W*scenario_cfg\b"):
        return "recipe"
    return "task" if _MARKS["tasks"].search(text) else "recipe"


def is_chefs(file: Path) -> bool:
    """Whether a file has a key that stands in recipes, model files, tasks, sweeps or suites."""
    text = _beginning(file) or ""
    return "eval_cfg" in text or any(mark.search(text) for mark in _MARKS.values())


def is_model_file(file: Path) -> bool:
    """Whether a file has the key of a model file, and none of a recipe."""
    text = _beginning(file) or ""
    return any(_MARKS["models"].finditer(text)) and not _MARKS["recipes"].search(text)


def missing(given: str | Path, kinds: Sequence[Kind], where: str | None = None) -> ConfigError:
    """The error for a path or a name that is none of ``kinds``, the most usual kind first."""
    path, text = user_path(given), str(given)
    what = "is a folder" if path.is_dir() else problem_of(path) or "no such file"
    if what == "no such file" and path.is_symlink():
        what = f"is a link to {path.readlink()}, which is not there"
    if path.exists() and not path.is_dir():
        hint = "copy what it gives to a .yaml file, and give that one"
        return ConfigError(what, where=str(given), hint=hint)
    if kinds[0] == "models":
        if (chefs := _of_chef(text)) is not None and not path.is_dir():
            what = f"{what}; '{path.stem}' is a model of ChEF that chef does not have"
            return ConfigError(what, where=str(given), hint=chefs.hint)
        if where is not None:
            what = f"there is no model '{text}'"
    if kinds[0] != "models" and (name := same_name(text, packaged_names())) is not None:
        return ConfigError(
            "chef has no table for this benchmark of VLMEvalKit",
            where=text,
            hint=f"where VLMEvalKit is installed it goes by {PACKAGED}{name}",
        )
    if what == "no such file":
        what = next((f"is a folder of {kind}" for kind in _ASKED if _in_folder(text, kind)), what)
    clues = _CLUES.get(kinds[0], _recipe_clues)(path, text)
    other = "" if path.exists() else case_hint(path, "")
    hints = chain([of_session(text), other], clues, _clues(path, text, kinds))
    return ConfigError(what, where=where or text, hint=next(filter(None, hints)))


def _in_folder(text: str, kind: Kind) -> list[str]:
    """The names of chef's own of a kind that stand in a folder of them."""
    return _below(plain_name(text, kind).rstrip("/"), shipped_names(kind))


def _of_chef(text: str) -> ChefModel | None:
    return find_chef_model(text) or find_chef_model(plain_name(text, "models"))


def _model_clues(path: Path, text: str) -> Clues:
    """What may have been meant by a model; None where a guess does not apply."""
    if _is_shipped(text, "recipes"):
        yield f"'{text}' is a recipe of chef: give it with --recipe_cfg"
    if any(_in_folder(text, kind) for kind in _ASKED):
        yield "the model comes first: chef eval MODEL WHAT, for example chef eval tiny Shapes/ppl"
    if path.is_dir():
        yield "a folder with a checkpoint has a config.json, and this one has none"
    if checkpoint := _of_checkpoint(text):
        yield f"did you mean '{checkpoint}'?"
    if len(names := text.split(",")) > 1 and {*names} <= {*known_names("models")}:
        yield f"several models are named after an option: --model_cfg {' '.join(names)}"


def _of_checkpoint(text: str) -> str | None:
    """The model file of chef whose checkpoint has a name, without its owner."""
    for name in shipped_names("models"):
        beginning = _beginning(shipped_file(name, "models") or Path()) or ""
        line = re.search(_CHECKPOINT, beginning)
        if line and line[1].lower() == text.lower():
            return name
    return None


def _recipe_clues(path: Path, text: str) -> Clues:
    """The same for a recipe, and what else can be asked."""
    if (path / "config.yaml").is_file() and (path / "predictions.jsonl").is_file():
        shows = f"`chef show {path}` shows it"
        yield f"it is the folder of a run: {shows}; give the recipe that was asked"
    if path.is_dir() and (files := _yaml_files(path)):
        yield f"give its files, or all of them with {path}/*.yaml: {_some(files)}"
    name, names = plain_name(text, "recipes"), shipped_names("recipes")
    if {plain_name(part, "recipes") for part in text.split(",")[1:]} & {*names}:
        yield f"put spaces between the recipes: {text.replace(',', ' ')}"
    if "*" in text and (matches := [item for item in names if fnmatchcase(item, name)]):
        yield f"'*' stands for files; give the names of chef's recipes: {_some(matches)}"
    if inside := _below(name, names):
        of_others = same_name(f"VLMEvalKit/{name}", benchmark_names())
        others = f"; or VLMEvalKit's: {of_others}" if of_others else ""
        yield f"give one of the recipes that come with chef: {_some(inside)}{others}"
    yield from _other_forms(path, text)
    folder = name.rpartition("/")[0]
    if folder and (inside := _below(folder, names)):
        near = similar(name, inside)
        yield f"did you mean '{near}'?" if near else f"there is: {_some(inside)}"
    if _is_shipped(text, "models"):
        yield f"'{text}' is a model of chef: give it with --model_cfg"
    register_installed()
    if text in SCENARIOS:
        yield f"'{text}' is a scenario: a recipe names it; `chef list {text}` shows one"
    if _is_shipped(text, "sweeps"):
        yield f"'{text}' is a sweep: chef eval MODEL sweeps/{plain_name(text, 'sweeps')}"


def _other_forms(path: Path, text: str) -> Clues:
    """The same for tasks, sweeps and tables, which are asked in the place of a recipe."""
    if inside := _in_folder(text, "tasks"):
        yield f"give one of the tasks that come with chef: {_some(inside)}"
    if plain_name(text, "recipes") == "sweeps":
        yield f"give one of them: {_some([f'sweeps/{item}' for item in shipped_names('sweeps')])}"
    if _is_table(path):
        beside = (file for file in path.parent.glob("[!.]*") if _is_table(file) and file != path)
        files = {file.name: file for file in beside}
        same = next((name for name, file in files.items() if file.stem == path.stem), None)
        near = same or similar(path.name, files)
        yield f"did you mean '{files[near]}'?" if near else None
        others = sorted(map(str, files.values()))
        yield f"there is: {_some(others)}" if others else "check the path of the table"


def looks_like_file(path: Path) -> bool:
    """Whether a path ends like a YAML file or a table."""
    return path.suffix.lower() in SUFFIXES or _is_table(path)


def _is_table(file: Path) -> bool:
    return _OTHERS.get(file.suffix.lower()) == _TABLE


def _suite_clues(path: Path, text: str) -> Clues:
    """The same for a suite."""
    if path.is_dir() and (files := _yaml_files(path)):
        yield f"give one of its files: {_some(files)}"
    if _is_shipped(text, "recipes"):
        yield f"'{text}' is a recipe: a suite names it among its members ({_SUITES})"


def _task_clues(path: Path, text: str) -> Clues:
    """The same for a task."""
    del path
    name, names = plain_name(text, "tasks"), shipped_names("tasks")
    if inside := _below(name, names):
        yield f"give one of the tasks that come with chef: {_some(inside)}"
    # The number of a task, or its name without the aspect.
    near = [item for item in names if item.rpartition("/")[2].startswith(f"{name.lower()}-")]
    yield f"did you mean {' or '.join(near)}?" if near else None
    if _is_shipped(text, "recipes"):
        yield f"'{text}' is a recipe: chef eval --recipe_cfg {text}"


def _sweep_clues(path: Path, text: str) -> Clues:
    """The same for a sweep."""
    if (path / "config.yaml").is_file():
        yield "it is the folder of a run: `chef show` shows it; a sweep has a file of its own"
    analysed = {item.parent.name: item.parent for item in path.parent.glob("*/sweep.json")}
    if not path.exists() and (near := similar(path.name, analysed)):
        yield f"did you mean '{analysed[near]}'?"
    if path.is_dir() and (files := _yaml_files(path)):
        yield f"give one of its files: {_some(files)}"
    if path.is_dir():
        yield "give a file of a sweep, or a folder with the sweep.json that a sweep writes"
    if _is_shipped(name := plain_name(text, "sweeps"), "recipes"):
        yield f"'{name}' is a recipe: a sweep names it and what to vary ({_SUITES})"


_CLUES: Mapping[Kind, Callable[[Path, str], Clues]] = {
    "recipes": _recipe_clues,
    "models": _model_clues,
    "tasks": _task_clues,
    "sweeps": _sweep_clues,
    "suites": _suite_clues,
}


def _clues(path: Path, text: str, kinds: Sequence[Kind]) -> Clues:
    """The clues; what looks like a file is compared with files, a name with names, and the last
    guess always applies.
    """
    kind = kinds[0]
    for file in sorted(path.parent.glob("[!.]*")):
        is_meant = file.suffix in SUFFIXES or (kind == "recipes" and _is_table(file))
        if file.stem.lower() == path.name.lower() and is_meant:
            yield f"did you mean '{file}'?"
    meant: tuple[Kind, ...] = ("recipes", "sweeps") if kind == "recipes" else (kind,)
    beside = [
        file for file in _yaml_files(path.parent) if any(_may_be(Path(file), one) for one in meant)
    ]
    if path.suffix in SUFFIXES:
        stems = {Path(item).stem: item for item in beside}
        near = similar(path.stem, stems)
        yield f"did you mean '{stems[near]}'?" if near else None
    is_local = text.startswith((".", "~")) or path.exists()
    if kind == "models" and not is_local and _HUB.fullmatch(text) and not text.endswith(SUFFIXES):
        yield f"for a model of the hub, give --model_cfg hf:{text}"
    # What may be asked in any form may be a suite, too.
    every: tuple[Kind, ...] = (*kinds, "suites") if "recipes" in kinds and kinds[1:] else (*kinds,)
    near = similar(plain_name(text, kind), [name for one in every for name in known_names(one)])
    yield f"did you mean '{near}'?" if near else None
    tops = sorted({item.partition("/")[0] for item in shipped_names(kind)})
    known = f"`chef list` shows the {kind} that come with chef: {_some(tops)}"
    yield f"there is: {_some(beside)}; {known}" if beside else known


def known_names(kind: Kind) -> list[str]:
    """Every name of a kind."""
    if kind == "benchmarks":
        return [*benchmark_names()]
    if kind == "models":
        return [*shipped_names(kind), *MODELS.all_names(), *CHATS, *model_ids()]
    return [] if kind == "tables" else shipped_names(kind)


def _is_shipped(text: str, kind: Kind) -> bool:
    return plain_name(text, kind).lower() in map(str.lower, shipped_names(kind))


def _below(folder: str, names: Sequence[str]) -> list[str]:
    """The names in a folder, whose own name may be in any case of letters."""
    return [item for item in names if item.lower().startswith(f"{folder.lower()}/")]


def _may_be(file: Path, kind: Kind) -> bool:
    """Whether a YAML file may be of a kind: it has a key of that kind, or of none."""
    text = _beginning(file)
    of = {one for one, mark in _MARKS.items() if mark.search(text or "")}
    return text is not None and (kind in of or not of)


def _beginning(file: Path) -> str | None:
    """The first characters of a file; None where it cannot be read."""
    try:
        return read_text(file, limit=_LOOKED_AT)
    except (OSError, UnicodeDecodeError):
        return None


def _yaml_files(folder: Path) -> list[str]:
    files = (item for item in folder.glob("[!.]*") if item.suffix in SUFFIXES)
    return sorted(str(item) for item in files)


def _some(names: Sequence[str]) -> str:
    more = f", and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(names[:12]) + more
