"""The ``judge`` command: ask a judge about the answers of finished runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.cli.options import is_override
from chef.cli.score import add_metric, add_traceback, add_trust_option
from chef.common.printing import say

if TYPE_CHECKING:
    from chef.scoring.result import RunResult

_EXAMPLES = """\
examples:
  chef judge results/tiny/Shapes/direct-20260101 --judge_cfg judge.yaml
  chef judge RUN --judge_cfg judge.yaml judge_cfg.kind=equivalence judge_cfg.when=always
  chef judge RUN --judge_cfg a.yaml b.yaml               two judges, and how they agree
  chef judge RUN                                         the judges of the run again; goes on

Scores go to results.json where the recipe of the run has a judge, else to results_judged.json.
The tested model is not asked; nor is a judge about an answer that it has judged.

exit codes: 0 done, 1 some samples failed, 2 bad input, 3 the judge failed
"""
_PREFIX = "judge_cfg."
_OF_RECIPES = "eval_cfg.judge_cfg."


def add_judge_cfg(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add ``--judge_cfg``."""
    command.add_argument(
        "--judge_cfg", "--judge", metavar="FILE", nargs="+", action="extend", default=[],
        help="model file(s) of the judge(s), names of chef's own, or a file with the section "
        "judge_cfg; judge_cfg.key=value sets its keys (kind, when, wording, rubric, ...)",
    )  # fmt: skip


def add_judge(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef judge``."""
    command = commands.add_parser(
        "judge",
        help="ask a judge about the answers of a run",
        description="Ask one or more judges about the answers of finished runs, and score them.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "runs", nargs="*", metavar="RUN_DIR|judge_cfg.key=value",
        help="run folders, and keys of judge_cfg",
    )  # fmt: skip
    add_judge_cfg(command)
    add_metric(command)
    command.add_argument(
        "--recipe_cfg", metavar="FILE",
        help="take the metric from this recipe, where the run's own is a plugin's",
    )  # fmt: skip
    command.add_argument(
        "--response_cache", type=Path, metavar="DIR",
        help="keep the replies of judges there (default: judge_replies beside the models' folders)",
    )  # fmt: skip
    add_trust_option(command)
    add_traceback(command)


def for_judge(overrides: Sequence[str], *, has_files: bool) -> tuple[list[str], list[str]]:
    """The overrides of recipes and models, and those of the judges without their prefix.

    Where no files of judges are given, keys of judges are keys of the recipes.

    >>> for_judge(["size=9", "judge_cfg.kind=grade"], has_files=True)
    (['size=9'], ['kind=grade'])
    >>> for_judge(["judge_cfg.kind=grade"], has_files=False)
    (['eval_cfg.judge_cfg.kind=grade'], [])
    """
    prefixes = (_PREFIX, _OF_RECIPES)
    given = [item for item in overrides if item.startswith(prefixes)]
    others = [item for item in overrides if item not in given]
    keys = [item.removeprefix(_OF_RECIPES).removeprefix(_PREFIX) for item in given]
    if has_files:
        return others, keys
    return [*others, *(f"{_OF_RECIPES}{key}" for key in keys)], []


def judge(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.failures import print_errors
    from chef.cli.terminal import quiet_pipe, terminal_width
    from chef.config import load_recipe
    from chef.errors import ConfigError
    from chef.scoring.result import table
    from chef.workers.judge_runs import judge_folders

    items = [*given.runs, *given.judge_cfg]
    keys = [item for item in items if is_override(item)]
    runs = [Path(item) for item in given.runs if item not in keys]
    files = [item for item in given.judge_cfg if item not in keys]
    if not runs:
        raise ConfigError(
            "RUN_DIR is missing",
            hint="for example: chef judge results/tiny/Shapes/direct-20260101 --judge_cfg FILE",
        )
    if named := [item for item in runs if item.is_file() and item.suffix in (".yaml", ".yml")]:
        raise ConfigError(
            "is a file, not a run folder",
            where=str(named[0]),
            hint=f"give the judge with --judge_cfg {named[0]}",
        )
    if wrong := [item for item in keys if not item.startswith((_PREFIX, _OF_RECIPES))]:
        raise ConfigError(
            "only keys of judge_cfg can be given here",
            where=f"override '{wrong[0]}'",
            hint=f"write judge_cfg.{wrong[0]}; `chef score RUN` changes keys of the metric",
        )
    _, overrides = for_judge(keys, has_files=True)
    recipe = load_recipe(given.recipe_cfg) if given.recipe_cfg else None
    reports: list[RunResult] = []
    try:
        for report in judge_folders(
            runs, files, overrides, recipe=recipe, metric=given.metric,
            replies=given.response_cache, trust=given.trust,
        ):  # fmt: skip
            reports.append(report)  # noqa: PERF402 (finished reports are shown even after an error)
    finally:
        if reports:
            with quiet_pipe():
                say(f"\n{table(reports, terminal_width())}")
                print_errors(reports, traceback=given.traceback)
                sys.stdout.flush()
    return 1 if any(report.has_failures for report in reports) else 0
