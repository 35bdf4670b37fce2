"""One writer for each run folder, and how a folder is moved out of the way."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from chef.errors import ConfigError, RunError
from chef.guard.files import NotAFileError
from chef.guard.folder import open_descriptor


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
            hint="make it writable, copy it to a place that is, or choose one with --save_dir",
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunError(
            "another process is writing this run",
            where=str(path),
            hint="wait until it ends, or choose another name for this run with --run_name NAME "
            "(Python: name=)",
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
