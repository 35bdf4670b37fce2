"""``chef score --judge``: a judge is asked about the answers of finished runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.judge_keys import OF_JUDGES, for_judge
from chef.cli.options import is_override
from chef.common.printing import say

if TYPE_CHECKING:
    from chef.scoring.result import RunResult


def judge(given: argparse.Namespace) -> int:
    """Ask the judges, print the scores and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.failures import print_errors
    from chef.cli.terminal import quiet_pipe, terminal_width
    from chef.config import load_recipe
    from chef.errors import ConfigError
    from chef.scoring.result import table
    from chef.session.judge_runs import judge_folders

    judges = given.judge_cfg or []
    items = [*given.answers, *judges]
    keys = [item for item in items if is_override(item)]
    runs = [Path(item) for item in given.answers if item not in keys]
    files = [item for item in judges if item not in keys]
    if not runs:
        raise ConfigError(
            "RUN_DIR is missing",
            hint="for example: chef score results/tiny/Shapes/direct-20260101 --judge FILE",
        )
    if named := [item for item in runs if item.is_file() and item.suffix in (".yaml", ".yml")]:
        raise ConfigError(
            "is a file, not a run folder",
            where=str(named[0]),
            hint=f"give the judge with --judge {named[0]}",
        )
    if wrong := [item for item in keys if not item.startswith(OF_JUDGES)]:
        raise ConfigError(
            "only keys of judge_cfg can be given here",
            where=f"override '{wrong[0]}'",
            hint=f"write judge_cfg.{wrong[0]}; without --judge it is a key of the metric",
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
