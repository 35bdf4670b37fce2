"""The run folders below a folder, and which of them a path means that is none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from glob import escape
from pathlib import Path

from chef.common.logs import logger
from chef.errors import similar
from chef.guard.folder import has_file, state_of
from chef.run.configuration import CONFIG
from chef.run.journal import JOURNAL

_log = logger(__name__)
#: How many runs a hint names.
_SHOWN = 5
#: How many folders below the given one a run can be: those of sweeps have folders of their own.
_DEPTH = 7
#: The folder of all results, where no other is named.
_RESULTS = Path("results")
#: Files that chef writes into the folder of a run, and ChEF does not.
_OF_RUNS = (JOURNAL, "environment.json")


def run_hint(path: Path, results: Path = _RESULTS) -> str:
    """What to give instead of a path that is no run folder: the newest runs in or near it."""
    if file := part_of_run(path) or _file_of_chef(path):
        return file
    below = [] if path.is_absolute() else runs_below(results)
    if len(several := _ending_with(path, below)) > 1:
        return f"several runs end like that; write more of one: {_listed(several)}"
    if near := _similar_run(path, below):
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


def run_place(path: Path, results: Path = _RESULTS) -> Path:
    """The run folder that a path, its last parts below ``results``, or its recipe means.

    Else a folder in ``results``, such as that of a sweep; else the path itself, also where several
    runs may be meant.
    """
    if path.exists() or path.is_absolute():
        return path
    found = _ending_with(path, runs_below(results))
    inside = results / path if not found and (results / path).is_dir() else path
    return found[0] if len(found) == 1 else inside


def part_of_run(path: Path) -> str | None:
    """What to give instead of a file in a run folder; None for other files."""
    folder = path.parent
    if not has_file(folder / CONFIG) or not has_file(folder / JOURNAL):
        return None
    return f"give the folder of the run: {folder}"


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
            names = {entry.name: entry.is_dir() for entry in there}
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
