"""The ``export`` command: the samples of runs as tables for other tools."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from chef.cli.score import add_traceback
from chef.common.printing import say

#: What ``--format`` takes.
KINDS = ("csv", "xlsx", "parquet", "vlmevalkit")
_EXAMPLES = """\
examples:
  chef export results/tiny/Shapes/ppl-20260101          writes tiny_Shapes_ppl-20260101.csv
  chef export results/tiny/*/* --output all.parquet     several runs in one table
  chef export RUN --format vlmevalkit                   <model>_<dataset>.xlsx for VLMEvalKit, and
                                                        for the servers of hidden test splits
  chef export RUN RUN --format vlmevalkit --output to_submit/

A row holds question, options, answer, what was read of it, reference, score, status, categories
and image of a sample. Python: chef.load_run(RUN).to_frame()
"""


def add_export(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef export``."""
    command = commands.add_parser(
        "export",
        help="write the samples of runs to csv, xlsx, parquet or VLMEvalKit's table",
        description="Write the samples of runs, one row each, to a file for other tools.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("runs", nargs="+", metavar="RUN_DIR", help="run folders")
    command.add_argument(
        "--format", metavar="FORMAT",
        help=f"{', '.join(KINDS)} (default: the suffix of --output, else csv)",
    )  # fmt: skip
    command.add_argument(
        "--output", type=Path, metavar="FILE|DIR",
        help="where to write (default: a name of its own in the current folder)",
    )  # fmt: skip
    command.add_argument("--force", action="store_true", help="replace a file that exists")
    add_traceback(command)


def export(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef import api
    from chef.report.export.export import export as export_runs

    runs = [api.load_run(run) for run in given.runs]
    for done in export_runs(runs, given.format, given.output, force=given.force):
        say(f"{done.path}: {done.rows} sample{'s' * (done.rows != 1)}")
    return 0
