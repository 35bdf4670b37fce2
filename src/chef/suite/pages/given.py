"""What a page is made of: run folders, or a folder with runs below it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from chef.errors import ConfigError, DataError
from chef.report.load import Run, load_run
from chef.run.configuration import CONFIG
from chef.run.finding import part_of_run, run_place, runs_below
from chef.run.reading import is_there
from chef.scoring.result import RunResult

#: A run folder, or a folder with runs below it; a run, or its report.
RunLike: TypeAlias = str | Path | Run | RunResult

#: The names of the pages.
REPORT, COMPARISON, OVERVIEW = "report.html", "comparison.html", "overview.html"
#: What lies beside run folders, and what `chef show DIR/* --page` therefore names.
_PAGES = {name for page in (COMPARISON, OVERVIEW) for name in (page, f"{Path(page).stem}_files")}
_SUFFIXES = (".html", ".htm")


def opened_runs(given: Sequence[RunLike]) -> list[Run]:
    """The runs, each once, in the order given, those below a folder by path; DataError for none."""
    found: dict[Path, Run] = {}
    for item in given:
        for run in _runs(item, is_only=len(given) == 1):
            found.setdefault(run.folder.resolve(), run)
    return list(found.values())


def _runs(item: RunLike, *, is_only: bool) -> list[Run]:
    if isinstance(item, Run):
        return [item]
    if isinstance(item, RunResult):
        if item.of_run:
            return [load_run(item.folder)]
        item = Path(item.model)
    path = run_place(Path(item))
    if path.name in _PAGES and not is_only:
        return []  # a page of chef's own, among the runs that a pattern of the shell names
    if path.is_file() and part_of_run(path) is None:
        raise ConfigError(
            "a page is made of run folders, and this is a file",
            where=str(path),
            hint="`chef score FILE` scores answers from elsewhere, `chef compare` compares them; a "
            "score sheet is what `chef score DIR --suite trust --json FILE` writes",
        )
    if path.is_dir() and not is_there(path / CONFIG) and (below := _below(path)):
        return [load_run(folder) for folder in sorted(below)]
    return [load_run(path)]


def _below(folder: Path) -> list[Path]:
    """The runs below a folder; also of the folder in which ``results`` is."""
    return runs_below(folder) or runs_below(folder / "results")


def target(output: Path | None, folder: Path, name: str) -> Path:
    """The file of a page: where it was asked for, or as usual; ConfigError if it is no page."""
    if output is None:
        return folder / name
    if output.is_dir():
        return output / name
    if output.suffix.lower() not in _SUFFIXES:
        raise ConfigError(
            "the name of a page ends in .html",
            where=str(output),
            hint=f"write {output.with_suffix('.html')}, or the name of a folder that exists",
        )
    return output


def common_folder(runs: Sequence[Run]) -> Path:
    """The folder that all runs are in; that of the first on different drives."""
    if not runs:
        raise DataError("there is no run", hint="`chef eval` makes runs")
    folders = [run.folder.resolve() for run in runs]
    first = folders[0].parent
    for folder in (first, *first.parents):
        if all(folder in other.parents for other in folders):
            return folder
    return first
