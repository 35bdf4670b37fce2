"""Which runs there are."""

from __future__ import annotations

import argparse
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.json_output import check_outputs, put_json, tell_written
from chef.common.printing import say
from chef.errors import ConfigError, DataError, nearest

if TYPE_CHECKING:
    from chef.report.runs import RunLine

#: The states of runs, as `chef.report.runs.State` has them; importing that takes longer.
STATES = ("finished", "unfinished", "running", "failed", "changed", "damaged")
#: Below this folder a run is found by the end of its path.
RESULTS = Path("results")


def runs(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.terminal import terminal_width
    from chef.document.outline import as_text
    from chef.report.runs import list_runs, matrix, runs_table

    check_outputs(given.json)
    if not given.folder.is_dir():
        is_default = given.folder == RESULTS
        what = "is a file, not a folder" if given.folder.exists() else "no such folder"
        raise DataError(
            what,
            where=str(given.folder),
            hint="`chef eval` makes it with the first run; give the folder of your runs: chef show "
            "DIR" if is_default else "give the folder that --save_dir named (default: results)",
        )  # fmt: skip
    runs = list_runs(given.folder, aside=given.all)
    chosen = [
        line
        for line in runs.runs
        if _is_meant(given.model, [line.model])
        and _is_meant(given.recipe, [line.recipe, line.scenario, line.label])
        and line.state in (given.state or STATES)
    ]
    if given.json:
        put_json(given.json, [line.to_json() for line in chosen])
        tell_written(given.json)
    elif runs.runs and not chosen:
        _refuse_names(given, runs.runs)
        say(f"none of the {len(runs.runs)} runs in {given.folder} is of that kind")
    elif not chosen:
        say(f"there are no runs in {given.folder}: `chef eval --save_dir {given.folder}` makes one")
    else:
        within = RESULTS if given.folder == RESULTS else None
        shown = matrix(chosen) if given.matrix else runs_table(chosen, within)
        say(as_text([shown], terminal_width()))
    if runs.aside and not given.json:
        say(f"{runs.aside} run(s) that were moved aside by --fresh are not shown (--all)")
    return 0


def _is_meant(wanted: list[str], names: list[str]) -> bool:
    """Whether one of the names fits one of the patterns; without patterns all do."""
    folded = [name.casefold() for name in names]
    patterns = [item.casefold() for item in wanted]
    return not wanted or any(fnmatchcase(name, one) for name in folded for one in patterns)


def _refuse_names(given: argparse.Namespace, lines: list[RunLine]) -> None:
    """Refuse names that no run has.

    Raises:
        ConfigError: a model or a recipe is unknown.
    """
    for option, known in (
        ("model", {line.model for line in lines}),
        ("recipe", {name for line in lines for name in (line.recipe, line.scenario, line.label)}),
    ):
        for name in getattr(given, option):
            if not any(_is_meant([name], [item]) for item in known):
                raise ConfigError(
                    f"no run is of '{name}'", where=f"--{option}", hint=nearest(name, known)
                )
