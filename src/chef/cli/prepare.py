"""The arguments of ``chef prepare``, which downloads data sets."""

from __future__ import annotations

import argparse
from typing import Any

from chef.cli.parser import VERBS

_EXAMPLES = """\
examples:
  chef prepare --list                            the scenarios that it knows
  chef prepare ScienceQA --dry-run               what would be fetched, and under which terms
  chef prepare ScienceQA MMBench --root data     ask, fetch, check, unpack, convert
  chef prepare MMBench_DEV_EN                    a benchmark of VLMEvalKit, to ~/LMUData

exit codes: 0 all data is complete, 1 something has to be done by hand, 2 failure
"""


def add_prepare(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef prepare``."""
    command = commands.add_parser(
        "prepare",
        help=VERBS["prepare"],
        description="Download the data of scenarios and arrange it as ChEF does.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("scenario", nargs="*", metavar="SCENARIO", help="names of scenarios")
    command.add_argument("--list", action="store_true", help="list the known scenarios")
    command.add_argument(
        "--root", "--data_root", metavar="DIR",
        help="data root (default: data; of VLMEvalKit's benchmarks $LMUData, else ~/LMUData)",
    )  # fmt: skip
    command.add_argument(
        "--dry-run", action="store_true", help="only show what would be downloaded"
    )
    command.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    command.add_argument(
        "--verify", action="store_true", help="check the digests of existing files"
    )
    command.add_argument(
        "--lock",
        metavar="FILE",
        help="the digests of files from their first download, to be committed to your repository "
        "(default: sources.lock.json in the data root)",
    )
    command.add_argument(
        "--allow-host",
        metavar="HOST",
        action="append",
        default=[],
        help="another host that may be asked for a file, where its publisher sends the download "
        "on to it; may be given several times",
    )
    command.add_argument("--keep", action="store_true", help="keep archives after unpacking")
    command.add_argument(
        "--export-images",
        action="store_true",
        help="also write the images of MMBench and MMMU as files",
    )


def prepare(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.errors import ConfigError
    from chef.preparing.command import prepare as run

    if not given.scenario and not given.list:
        raise ConfigError("no scenario is given", hint="`chef prepare --list` shows their names")
    return run(given)
