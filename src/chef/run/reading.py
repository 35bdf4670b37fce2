"""The files of a run folder, read and checked: what is odd has its remedy; and its one writer."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from chef.common.text import encodable_data
from chef.errors import ConfigError, RunError, first_line
from chef.guard.files import NotAFileError
from chef.guard.folder import LinkError, open_descriptor, read_text, state_of

_REMOVE = "it is no file that chef wrote; remove it or move it away, the answers are not in it"


class _Judge(msgspec.Struct):
    name: str
    fingerprint: str
    sessions: list[dict[str, Any]] = []


class _Judging(msgspec.Struct):
    """The judges of a run."""

    when: Literal["unread", "always"]
    judges: list[_Judge]
    kinds: list[str]
    in_recipe: bool = True


class _Environment(msgspec.Struct):
    """What is read of environment.json; other keys are only kept."""

    model_fingerprint: str | None = None
    scenario_fingerprint: str | None = None
    recipe: str | None = None
    retriever: dict[str, Any] | None = None
    sessions: list[dict[str, Any]] = []
    reused_answers: list[dict[str, Any]] = []
    judging: _Judging | None = None


class _Rows(msgspec.Struct):
    state: str = ""
    rows: dict[str, str] | None = None


class _Images(msgspec.Struct):
    files: dict[str, tuple[int, int, str]] = {}
    accepted: dict[str, dict[str, str]] = {}


_SHAPES: dict[str, type[msgspec.Struct]] = {
    "environment.json": _Environment,
    "rows.json": _Rows,
    "images.json": _Images,
}


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file of a run folder, empty if absent. ConfigError: it is not what chef wrote."""
    hint = _REMOVE
    if path.name.startswith("results"):
        hint = "remove the file; chef score RUN_DIR writes it again"
    try:
        with readable(path, hint):
            content = encodable_data(json.loads(read_text(path)))
    except FileNotFoundError:
        return {}
    if not isinstance(content, dict):
        raise ConfigError("the file holds no JSON object", where=str(path), hint=hint)
    if (shape := _SHAPES.get(path.name)) is not None:
        with readable(path, hint):
            msgspec.convert(content, shape)
    return content


def is_there(path: Path) -> bool:
    """Whether a run folder has a file.

    ConfigError: a link or something else stands in its place.
    """
    with readable(path):
        return state_of(path) is not None


def linked(path: Path, error: LinkError) -> ConfigError:
    """The error for a link in place of a file of a run folder."""
    where = error.filename or str(path)
    return ConfigError(
        "the file is a link, and no link within a run folder is followed",
        where=where,
        hint="put the file itself in its place, if you know that it belongs there; else remove the "
        "link",
    )


@contextmanager
def readable(
    path: Path, hint: str = "give it back as it was, or choose another --run_name NAME"
) -> Iterator[None]:
    """ConfigError names the file whose reading fails, and why; FileNotFoundError passes."""
    try:
        yield
    except FileNotFoundError:
        raise
    except LinkError as error:
        raise linked(path, error) from None
    except OSError as error:
        why: object = error.strerror or error
        if error.errno == errno.ELOOP:
            why, hint = "a link on the way to it leads in a circle", "remove the link"
        elif error.errno in (errno.EACCES, errno.EROFS):
            hint = "check the permissions of the folder, or copy it to a place of your own"
        raise ConfigError(f"the file cannot be used ({why})", where=str(path), hint=hint) from None
    except RecursionError:
        what = "the file is unreadable (nested too deeply)"
        raise ConfigError(what, where=str(path), hint=hint) from None
    except ValueError as error:  # also of msgspec and of decoding bytes
        what = f"the file is unreadable ({first_line(error)})"
        raise ConfigError(what, where=str(path), hint=hint) from None


def lock(path: Path) -> int | None:
    """Lock a run folder until the descriptor is closed; None where locks do not exist.

    RunError, ConfigError.
    """
    file = path / ".lock"
    try:
        descriptor = open_descriptor(file, os.O_RDWR | os.O_CREAT)
    except NotAFileError as error:
        what = f"the lock {error.strerror}"
        raise ConfigError(what, where=str(file), hint="remove it; chef makes it again") from None
    except OSError as error:
        raise ConfigError(
            f"the run folder cannot be written ({error.strerror or error})",
            where=str(path),
            hint="make it writable, or copy it to a place that is; `chef eval` writes to another "
            "one with --save_dir",
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunError(
            "another process is writing this run",
            where=str(path),
            hint="wait until it ends; `chef eval` starts another run beside it with --run_name "
            "NAME (Python: name=)",
        ) from None
    except OSError:
        os.close(
            descriptor
        )  # some network file systems have no locks; rely on there being one writer
        return None
    return descriptor


def is_locked(path: Path) -> bool:
    """Whether a process is writing to a run folder now; False where locks do not exist."""
    try:
        descriptor = open_descriptor(path / ".lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def move_aside(path: Path) -> Path | None:
    """Rename a run folder to ``<name>.old<n>``, its new path, None if absent.

    RunError: it is in use.
    """
    if not path.exists():
        return None
    held = lock(path)
    try:
        number = 1
        while (target := path.with_name(f"{path.name}.old{number}")).exists():
            number += 1
        path.rename(target)
    finally:
        if held is not None:
            os.close(held)
    return target
