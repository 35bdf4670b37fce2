"""``chef score --suite trust``: the score sheet of MMTrustEval's tasks."""

from __future__ import annotations

import argparse
from pathlib import Path

from chef.cli.json_output import check_outputs, is_alone, put_json, tell_written
from chef.common.printing import say
from chef.errors import ConfigError


def trust(given: argparse.Namespace) -> int:
    """Print the scores and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.terminal import terminal_width
    from chef.common.writing import write_atomically
    from chef.suite.trust.sheets import trust_sheet

    if not given.answers:
        hint = "for example: chef score results --suite trust"
        raise ConfigError(
            "no folder with runs of the tasks, or with their logs, is given", hint=hint
        )
    check_outputs(given.json, given.csv)
    sheet = trust_sheet(
        [Path(item) for item in given.answers], models=given.models, partial=given.partial,
        allow=given.allow, rounded=given.rounded, seed=given.seed,
    )  # fmt: skip
    if given.csv:
        write_atomically(given.csv, sheet.as_csv())
    if not is_alone(given.json):
        say(sheet.table(terminal_width()))
    put_json(given.json, sheet.to_json())
    tell_written(given.json, given.csv)
    return 0
