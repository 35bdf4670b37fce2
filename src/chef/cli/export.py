"""The samples of runs as tables for other tools."""

from __future__ import annotations

import argparse

from chef.common.printing import say

#: What ``--export`` takes.
KINDS = ("csv", "xlsx", "parquet", "vlmevalkit")


def export(given: argparse.Namespace) -> int:
    """Write the tables and return the exit code; raises `chef.errors.ChefError`."""
    from chef import api
    from chef.report.export.export import export as export_runs

    runs = [api.load_run(run) for run in given.runs]
    for done in export_runs(runs, given.export or None, given.output, force=given.force):
        say(f"{done.path}: {done.rows} sample{'s' * (done.rows != 1)}")
    return 0
