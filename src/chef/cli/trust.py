"""The ``trust`` command: the score sheet of MMTrustEval's tasks."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from chef.cli.json_output import add_json, check_outputs, is_alone, put_json, tell_written
from chef.cli.score import add_traceback
from chef.common.printing import say

_EXAMPLES = """\
examples:
  chef trust results                        every run of a task below the folder
  chef trust logs --partial                 logs in MMTrustEval's form; tasks may be missing
  chef trust results --models tiny other --csv sheet.csv --json sheet.json

Scores are 0 to 100, with 95 % intervals. A score is withheld while a task of it is missing.
"""


def add_trust(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef trust``."""
    command = commands.add_parser(
        "trust",
        help="the trustworthiness scores that MMTrustEval's tasks make",
        description="Scores of MMTrustEval's 32 tasks, of 10 sub-aspects, 5 aspects and the total, "
        "of one model or of several side by side.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "folders", nargs="+", type=Path, metavar="RESULTS_DIR",
        help="folders with runs of the tasks, or with their logs (<model>/<data set>.json)",
    )  # fmt: skip
    command.add_argument(
        "--models", nargs="+", metavar="MODEL", help="these models alone (default: all)"
    )
    command.add_argument(
        "--partial", action="store_true",
        help="where tasks are missing, score the others, with their weights scaled up",
    )  # fmt: skip
    command.add_argument(
        "--allow", action="store_true",
        help="compare models though their data or evaluators differ",
    )  # fmt: skip
    command.add_argument(
        "--rounded", action="store_true", help="round as MMTrustEval does, before the last step"
    )
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap (default: 0)")
    command.add_argument("--csv", type=Path, metavar="FILE", help="write the scores to a table")
    add_json(command, "the scores")
    add_traceback(command)


def trust(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.terminal import terminal_width
    from chef.common.writing import write_atomically
    from chef.suite.trust.sheets import trust_sheet

    check_outputs(given.json, given.csv)
    sheet = trust_sheet(
        given.folders, models=given.models, partial=given.partial, allow=given.allow,
        rounded=given.rounded, seed=given.seed,
    )  # fmt: skip
    if given.csv:
        write_atomically(given.csv, sheet.as_csv())
    if not is_alone(given.json):
        say(sheet.table(terminal_width()))
    put_json(given.json, sheet.to_json())
    tell_written(given.json, given.csv)
    return 0
