"""Which run may have been meant by a path that is none."""

from __future__ import annotations

from glob import escape
from pathlib import Path

from chef.errors import similar
from chef.run.configuration import CONFIG
from chef.run.journal import JOURNAL

#: How many runs a hint names, and how many folders below a folder a run can be.
_SHOWN, _DEPTH = 5, 3


def run_hint(path: Path) -> str:
    """What to give instead of a path that is no run folder: the newest runs in or near it."""
    if part := part_of_run(path):
        return part
    if near := _similar_run(path):
        return f"did you mean '{near}'?"
    folder = path
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    if runs := runs_below(folder):
        more = f", and {len(runs) - _SHOWN} more" if len(runs) > _SHOWN else ""
        return f"give the folder of a run: {', '.join(map(str, runs[:_SHOWN]))}{more}"
    return (
        "give the folder that the run named, such as results/MODEL/SCENARIO/RECIPE-DATE, or a file "
        "with answers made elsewhere"
    )


def run_place(path: Path, results: Path = Path("results")) -> Path:
    """The run folder that a path or a part of one means; the path itself where none is meant.

    Args:
        path: a folder, or its last parts as they stand below ``results``: ``Shapes/ppl-20260101``.
        results: the folder of all results.
    """
    if path.exists() or path.is_absolute():
        return path
    pattern = "/".join(escape(part) for part in path.parts)
    found = [item for item in runs_below(results) if item.match(pattern)] if path.parts else []
    return found[0] if len(found) == 1 else path


def part_of_run(path: Path) -> str | None:
    """What to give instead of a file in a run folder; None for other files."""
    folder = path.parent
    if not (folder / CONFIG).is_file() or not (folder / JOURNAL).is_file():
        return None
    return f"give the folder of the run: {folder}"


def _similar_run(path: Path) -> Path | None:
    """The run beside a missing path that has nearly its name."""
    runs = {item.parent.name: item.parent for item in path.parent.glob(f"*/{CONFIG}")}
    name = None if path.exists() else similar(path.name, runs)
    return runs[name] if name else None


def runs_below(folder: Path) -> list[Path]:
    """The runs below a folder of results, the newest first."""
    patterns = ("/".join([*["*"] * depth, CONFIG]) for depth in range(1, _DEPTH + 1))
    files = [item for pattern in patterns for item in folder.glob(pattern)]
    found = [item for item in files if (item.parent / JOURNAL).is_file()]
    newest = sorted(found, key=lambda item: item.stat().st_mtime, reverse=True)
    return [item.parent for item in newest]
