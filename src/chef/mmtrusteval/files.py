"""Where the files are that a user's class names."""

from __future__ import annotations

import inspect
from pathlib import Path


def get_abs_path(relative_path: str) -> str:
    """The absolute path of a file that stands next to the calling file, or in the current folder.

    Args:
        relative_path: the path; an absolute one stays as it is.
    """
    frame = inspect.currentframe()
    caller = frame.f_back.f_globals.get("__file__") if frame and frame.f_back else None
    beside = Path(caller).resolve().parent / relative_path if caller else None
    return str(beside if beside is not None and beside.exists() else Path(relative_path).absolute())
