"""The configuration of a run, config.yaml, compared with another one; and where run folders are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from glob import escape
from pathlib import Path
from typing import Any

import msgspec

from chef.common.logs import logger
from chef.config.code_digest import is_same_code
from chef.config.document import read_source
from chef.config.ignored import comparable, with_new_keys
from chef.errors import ConfigError, similar
from chef.guard.files import case_hint
from chef.guard.folder import has_file, state_of
from chef.models.api.traffic import TRAFFIC_KEYS
from chef.run.journal import JOURNAL

_log = logger(__name__)
CONFIG = "config.yaml"
OTHER_NAME = "choose another name for this run with --run_name NAME (Python: name=)"
#: Settings that do not affect answers, so a run may be resumed with other values.
FREE_KEYS = (
    "model_cfg.device",
    "run.sample_len",
    "recipe_cfg.eval_cfg.instruction_cfg.incontext_cfg.device",
)
#: The same for a model behind a server: the name of the key's variable, and its traffic.
_SERVER_KEYS = frozenset(f"model_cfg.{key}" for key in (*TRAFFIC_KEYS, "api_key_env"))
#: Metrics read answers and decide none: after a change of theirs the answers are scored again.
_METRICS = "recipe_cfg.eval_cfg.metric_cfg"
#: So do judges: after a change of theirs the answers are judged again.
_JUDGES = "recipe_cfg.eval_cfg.judge_cfg"
#: Paths of what has digests of its own: data, images and weights.
_PLACES = frozenset(
    (
        *(f"recipe_cfg.scenario_cfg.{key}" for key in ("path", "image_root", "base_data_path")),
        "model_cfg.model_path",
        "model_cfg.chat_template",
    )
)
_WORDING, _INSTRUCTION = "decided_by.wording", "recipe_cfg.eval_cfg.instruction_cfg."
_PLUGINS, _FILES, _ABSENT = "decided_by.plugins", "decided_by.plugin_files", "(absent)"


def read_config(path: Path) -> dict[str, Any]:
    """Read config.yaml of a run folder, variables of the environment unresolved.

    Raises ConfigError.
    """
    file = path / CONFIG
    try:
        config = read_source(file, of_run=True).content
    except ConfigError as error:
        hint = error.hint if "a link" in error.what else OTHER_NAME
        raise ConfigError(error.what, where=error.where, hint=hint) from None
    check_config(config, file)
    return config


class _Run(msgspec.Struct):
    sample_len: int | None = None
    seed: int = 0


class _Config(msgspec.Struct):
    """What is read of config.yaml."""

    model_cfg: dict[str, Any] = {}
    recipe_cfg: dict[str, Any] = {}
    run: _Run = msgspec.field(default_factory=_Run)
    decided_by: dict[str, Any] = {}


def check_config(config: Any, file: Path) -> None:
    """Check the content of config.yaml.

    ConfigError: a section is no mapping, or a number is none.
    """
    try:
        msgspec.convert(config, _Config)
    except msgspec.ValidationError as error:
        what = f"the file is not what chef writes ({error})"
        raise ConfigError(what, where=str(file), hint=OTHER_NAME) from None


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The keys in which two configurations differ, with both values; of plugins the files.

    A key that an earlier version did not have counts as its default there. A file may be written
    ``t.csv``, ``./t.csv`` or with all folders above it: what it holds has digests of its own.
    """
    now = comparable(now)
    old, new = flat(with_new_keys(comparable(before), now)), flat(now)
    files = {key: _plugin_change(key, old, new) for key in (*old, *new) if key.startswith(_FILES)}
    free = {*FREE_KEYS, *(_SERVER_KEYS if _is_of_a_server(now) else ())}
    changes = []
    for key in sorted({*old, *new}, key=lambda key: (key == _WORDING, key)):
        one, other = old.get(key, _ABSENT), new.get(key, _ABSENT)
        if one == other or key in free or key.startswith((_FILES, _METRICS, _JUDGES)):
            continue
        if key in _PLACES and _is_same_place(one, other):
            continue
        if key == _PLUGINS and is_same_code(one, other):
            continue
        if key == _PLUGINS:
            what = "the code of a plugin, or the version of a package with one, has changed"
            changes.append(f"{key}: {'; '.join(filter(None, files.values())) or what}")
        elif key == _WORDING and any(item.startswith(_INSTRUCTION) for item in changes):
            continue  # another entry of the same pool
        elif key == _WORDING and _ABSENT not in (one, other):
            changes.append(f"{key}: the wordings that the recipe chooses from have changed")
        else:
            changes.append(f"{key}: {one!r} in the folder, {other!r} now")
    return changes


def _is_same_place(one: object, other: object) -> bool:
    """Whether two paths lead to the same place from the current folder.

    The first may have been written in another one: where it leads nowhere from here, the end of the
    second has to be the same.
    """
    if not (isinstance(one, str) and isinstance(other, str)):
        return False
    there = os.path.abspath(other)  # noqa: PTH100 (a Path keeps `a/..`)
    if os.path.abspath(one) == there:  # noqa: PTH100
        return True
    end = [part for part in Path(one).parts if part != ".."]
    return not Path(one).exists() and [*Path(there).parts[-len(end) :]] == end


def without_judges(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration without its judges, who decide no answer."""
    recipe = config.get("recipe_cfg") or {}
    evaluation = {
        key: value for key, value in recipe.get("eval_cfg", {}).items() if key != "judge_cfg"
    }
    return {**config, "recipe_cfg": {**recipe, "eval_cfg": evaluation}}


def _is_of_a_server(config: Mapping[str, Any]) -> bool:
    """Whether the model has all keys of `Traffic`; a class of a user's may have one for itself."""
    keys = config.get("model_cfg") or {}
    return all(key in keys for key in TRAFFIC_KEYS)


def _plugin_change(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """How one plugin file differs; empty where it does not, or where the folder does not tell."""
    name, one, other = key.removeprefix(_FILES).removeprefix("."), old.get(key), new.get(key)
    if is_same_code(one, other) or not name or not any(item.startswith(_FILES) for item in old):
        return ""
    how = "is new" if one is None else "is no longer used" if other is None else "has changed"
    return f"the file {name} {how}"


def flat(node: Any, prefix: str = "") -> dict[str, Any]:
    """The values of nested mappings by their keys, joined by points; an empty one is a value.

    >>> flat({"a": {"b": 1, "c": {}}, "d": [1, 2]})
    {'a.b': 1, 'a.c': {}, 'd': [1, 2]}
    """
    if isinstance(node, Mapping) and node:
        values: dict[str, Any] = {}
        for key, value in node.items():
            values.update(flat(value, f"{prefix}.{key}" if prefix else str(key)))
        return values
    return {prefix: list(node) if isinstance(node, tuple) else node}


def asks_more(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the run with configuration ``one`` has more samples than the one with ``other``."""
    more, less = sample_len(one), sample_len(other)
    return less is not None and (more is None or more > less)


def subset(config: Mapping[str, Any]) -> dict[str, Any]:
    """What config.yaml says of which samples are asked."""
    run = config.get("run")
    named = {"ids": run["ids"]} if isinstance(run, Mapping) and "ids" in run else {}
    return {"sample_len": sample_len(config), **named}


def sample_len(config: Mapping[str, Any]) -> int | None:
    """The number of samples that a run was asked for; None for all."""
    run = config.get("run")
    length: int | None = run.get("sample_len") if isinstance(run, Mapping) else None
    return length


#: How many runs a hint names.
_SHOWN = 5
#: How many folders below the given one a run can be: those of sweeps have folders of their own.
_DEPTH = 7
#: The folder of all results, where no other is named.
_RESULTS = Path("results")
#: Folders of results that are of several runs.
_OF_SEVERAL = ("sweeps", "suites")
#: Files that chef writes into the folder of a run, and ChEF does not.
_OF_RUNS = (JOURNAL, "environment.json")


def run_hint(path: Path) -> str:
    """What to give instead of a path that is no run folder: the newest runs in or near it."""
    other = part_of_run(path) or _file_of_chef(path) or other_folder(path)
    if not path.exists():
        other = other or case_hint(path, case_hint(_RESULTS / path, ""))
    if other:
        return other
    below = [] if path.is_absolute() else runs_below(_RESULTS)
    if len(several := _ending_with(path, below)) > 1:
        return f"several runs end like that; write more of one: {_listed(several)}"
    if near := _of_several(path) or _similar_run(path, below):
        return f"did you mean '{near}'?"
    folder = path
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    if runs := list(dict.fromkeys([*runs_below(folder), *below])):
        return f"give the folder of a run: {_listed(runs)}"
    if path.is_dir():
        return "there is no run in it or below it; `chef eval` prints the folder of each run"
    return (
        "give the folder that the run named, such as results/MODEL/SCENARIO/RECIPE-DATE, or a file "
        "with answers made elsewhere"
    )


def run_place(path: Path) -> Path:
    """The run folder that a path, its last parts below ``results``, or its recipe means.

    Else a folder in ``results``, such as that of a sweep; else the path itself, also where several
    runs may be meant.
    """
    if path.exists() or path.is_absolute():
        return path
    found = _ending_with(path, runs_below(_RESULTS))
    inside = _RESULTS / path if not found and (_RESULTS / path).is_dir() else path
    return found[0] if len(found) == 1 else inside


def part_of_run(path: Path) -> str | None:
    """What to give instead of a file in a run folder; None for other files."""
    folder = path.parent
    if not has_file(folder / CONFIG) or not has_file(folder / JOURNAL):
        return None
    return f"give the folder of the run: {folder}"


def other_folder(folder: Path) -> str | None:
    """What to do with the folder of a sweep or a suite, or of a run that has lost a file; None for
    other folders.
    """
    if has_file(folder / "run.json") and has_file(folder / "manifest.json"):
        return f"it holds a run in shards, which goes by its address: file://{folder.absolute()}"
    if has_file(folder / "sweep.json"):
        return f"it is of a sweep: chef show {folder}; its runs have folders of their own"
    if folder.parent.name == "suites" and any(folder.glob("*.json")):
        return "it has the figures of a suite: the call that asked it shows them, and asks nothing"
    if has_file(folder / JOURNAL):
        score = f"chef score {folder / JOURNAL} --recipe_cfg RECIPE"
        return f"put its {CONFIG} back from a copy; without it: {score}"
    if has_file(folder / CONFIG) and has_file(folder / _OF_RUNS[1]):
        return "put it back from a copy, or ask again: chef eval ... --fresh"
    return None


def _file_of_chef(folder: Path) -> str | None:
    """What to give instead of a folder of ChEF's results; None for others, such as damaged runs."""
    if not has_file(folder / CONFIG) or any(has_file(folder / name) for name in _OF_RUNS):
        return None
    files = [file for file in sorted(folder.glob("*.json")) if not file.name.startswith("result")]
    how = "ChEF wrote it: give its file of answers"
    return f"{how}, {files[0]}, and --metric NAME" if files else None


def _ending_with(path: Path, runs: Iterable[Path]) -> list[Path]:
    """The runs of whose paths the last parts are a given path, or else that and the run's name."""
    if not path.parts:
        return []
    pattern, there = "/".join(escape(part) for part in path.parts), list(runs)
    named = [item for item in there if item.match(pattern)]
    return named or [item for item in there if item.match(f"{pattern}-*")]


def _of_several(path: Path) -> Path | None:
    """The folder of a sweep or a suite whose name alone was written."""
    places = [] if path.exists() else [_RESULTS / kind / path for kind in _OF_SEVERAL]
    return next((place for place in places if place.is_dir()), None)


def _similar_run(path: Path, below: Iterable[Path]) -> Path | None:
    """The run beside a missing path, or else below the results, that is called nearly like it."""
    if path.exists():
        return None
    beside = {item.parent.name: item.parent for item in path.parent.glob(f"*/{CONFIG}")}
    if name := similar(path.name, beside):
        return beside[name]
    # Folders that both are in make any two paths look alike: their last parts count first.
    alike = [item for item in below if similar(path.name, [item.name])]
    ends = {"/".join(item.parts[-len(path.parts) :]): item for item in alike}
    name = similar(path.as_posix(), ends)
    return ends[name] if name else None


def _listed(runs: Sequence[Path]) -> str:
    """The first of the runs, and how many more there are."""
    more = f", and {len(runs) - _SHOWN} more" if len(runs) > _SHOWN else ""
    return f"{', '.join(map(str, runs[:_SHOWN]))}{more}"


def runs_below(folder: Path) -> list[Path]:
    """The runs with answers in a folder and below it, the newest first."""
    runs = [item for item in run_folders(folder) if has_file(item / JOURNAL)]
    return sorted(runs, key=lambda run: _written(run / CONFIG), reverse=True)


def run_folders(folder: Path) -> Iterator[Path]:
    """Every run folder in a folder and below it, links last, also those that are damaged.

    One that a link leads to again, and hidden ones, are passed over; an unreadable one is a
    warning.
    """
    yield from _walk(folder, _DEPTH, set())


def _walk(folder: Path, depth: int, seen: set[tuple[int, int]]) -> Iterator[Path]:
    try:
        state = folder.stat()
        if (state.st_dev, state.st_ino) in seen:
            return
        seen.add((state.st_dev, state.st_ino))
        with os.scandir(folder) as entries:
            there = sorted(entries, key=lambda entry: (entry.is_symlink(), entry.name))
            # Of a link that leads in a circle, entry.is_dir() would raise.
            names = {entry.name: os.path.isdir(entry.path) for entry in there}  # noqa: PTH112
    except FileNotFoundError:
        return
    except OSError as error:
        _log.warning("%s cannot be read (%s)", folder, error.strerror or error)
        return
    if CONFIG in names and any(name in names for name in _OF_RUNS):
        yield folder
        return
    for name, is_folder in names.items():
        if is_folder and depth and not name.startswith("."):
            yield from _walk(folder / name, depth - 1, seen)


def _written(file: Path) -> float:
    state = state_of(file)
    return 0 if state is None else state.st_mtime
