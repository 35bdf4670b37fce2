"""The keys of judges on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

_PREFIX = "judge_cfg."
_OF_RECIPES = "eval_cfg.judge_cfg."
#: How an override of judges begins.
OF_JUDGES = (_PREFIX, _OF_RECIPES)


def add_judge_cfg(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add ``--judge_cfg``."""
    command.add_argument(
        "--judge_cfg", "--judge", metavar="FILE", nargs="+", action="extend", default=[],
        help="model file(s) of the judge(s), names of chef's own, or a file with the section "
        "judge_cfg; judge_cfg.key=value sets its keys (kind, when, wording, rubric, ...)",
    )  # fmt: skip


def for_judge(overrides: Sequence[str], *, has_files: bool) -> tuple[list[str], list[str]]:
    """The overrides of recipes and models, and those of the judges without their prefix.

    Where no files of judges are given, keys of judges are keys of the recipes.

    >>> for_judge(["size=9", "judge_cfg.kind=grade"], has_files=True)
    (['size=9'], ['kind=grade'])
    >>> for_judge(["judge_cfg.kind=grade"], has_files=False)
    (['eval_cfg.judge_cfg.kind=grade'], [])
    """
    given = [item for item in overrides if item.startswith(OF_JUDGES)]
    others = [item for item in overrides if item not in given]
    keys = [item.removeprefix(_OF_RECIPES).removeprefix(_PREFIX) for item in given]
    if has_files:
        return others, keys
    return [*others, *(f"{_OF_RECIPES}{key}" for key in keys)], []
