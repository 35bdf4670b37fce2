"""``sweep.json``: the factors of a sweep, its combinations, their runs and scores."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from chef.common.writing import write_json
from chef.errors import ConfigError, DataError
from chef.guard.folder import names_in, read_text

SWEEP = "sweep.json"
#: The folder of the sweeps' own files, in that of all results.
SWEEPS = "sweeps"
#: No combinations of sensible size have a larger file, in bytes.
_MOST_BYTES = 200_000_000


class StoredFactor(msgspec.Struct, frozen=True):
    """A factor: its name, its role and the labels of its values."""

    name: str
    role: str
    values: list[str]


class StoredRun(msgspec.Struct, frozen=True):
    """A combination, by factor the label of the value, and its run.

    ``run`` is its name without that of the sweep, ``results`` the file of its scores (or None)
    relative to the folder of the sweep, and ``error`` why it did not finish, if it did not.
    """

    values: dict[str, str]
    model: str
    run: str
    results: str | None = None
    error: str = ""


class StoredSweep(msgspec.Struct, frozen=True):
    """The content of sweep.json.

    Attributes:
        factors: those with several values; all where none has.
        combinations: all of them.
        file: the file of the sweep, as it was given.
        sweep: its content, without secrets.
        limit: the number of samples of each run; None for all.
        seed: of the subset.
        version: of chef.
    """

    name: str
    factors: list[StoredFactor]
    combinations: list[StoredRun]
    file: str = ""
    sweep: dict[str, Any] = {}
    limit: int | None = None
    seed: int = 0
    version: str = ""


def write_sweep(folder: Path, sweep: StoredSweep) -> None:
    """Write sweep.json, whole or not at all; ConfigError if the folder cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the folder of the sweep cannot be made: {error.strerror or error}",
            where=str(folder),
            hint="choose a folder that you can write to with --save_dir (Python: save_dir=)",
        ) from None
    write_json(folder / SWEEP, msgspec.to_builtins(sweep))


def read_sweep_json(folder: Path) -> StoredSweep:
    """Read sweep.json of a folder; DataError if there is none, or not what chef writes."""
    file = folder / SWEEP
    hint = "give the folder that a sweep writes, results/sweeps/NAME; or run the sweep again"
    try:
        return _checked(msgspec.json.decode(read_text(file, limit=_MOST_BYTES), type=StoredSweep))
    except FileNotFoundError:
        raise DataError("the folder holds no sweep", where=str(folder), hint=hint) from None
    except (OSError, ValueError, RecursionError) as error:
        what = f"the file is not what chef writes ({error})"
        raise DataError(what, where=str(file), hint=hint) from None


def _checked(stored: StoredSweep) -> StoredSweep:
    """A sweep; ValueError unless each of its combinations has a value of each factor."""
    for factor in stored.factors:
        for one in stored.combinations:
            if one.values.get(factor.name) not in factor.values:
                raise ValueError(f"{one.run} has no value of the factor {factor.name}")
    return stored


def earlier_sweep(folder: Path) -> StoredSweep | None:
    """The sweep that a folder holds, if it can be read."""
    try:
        return read_sweep_json(folder)
    except DataError:
        return None


def relative(file: Path, folder: Path) -> str:
    """A path relative to the folder of the sweep, so that all results can be moved together."""
    return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()


def sweeps_near(folder: Path) -> dict[Path, Path]:
    """The folder of the sweep of each run that is part of one, by its own folder, both resolved.

    Sweeps are looked for in this folder and in the folder of all results.
    """
    whole = folder.resolve()
    found: dict[Path, Path] = {}
    for place in (whole, whole / "results", *whole.parents[:3]):
        sweeps = place / SWEEPS
        for name in names_in(sweeps) if sweeps.is_dir() else ():
            stored = earlier_sweep(sweeps / name)
            for run in stored.combinations if stored else ():
                if run.results is not None:
                    file = Path(os.path.normpath(sweeps / name / run.results))
                    found.setdefault(file.parent, sweeps / name)
    return found
