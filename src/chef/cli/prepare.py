"""The arguments of ``chef prepare``, which downloads data sets."""

from __future__ import annotations

import argparse

from chef.cli.options import Command, Input

_EXAMPLES = """\
examples:
  chef prepare --list                            the scenarios that it knows
  chef prepare ScienceQA --dry-run               what would be fetched, and under which terms
  chef prepare ScienceQA MMBench --root data     ask, fetch, check, unpack, convert
  chef prepare MMBench_DEV_EN                    a benchmark of VLMEvalKit, to ~/LMUData

exit codes: 0 all data is complete, 1 something has to be done by hand, 2 failure
"""


_OPTIONS = (
    Input("scenario", "names of scenarios", "SCENARIO", how={"nargs": "*"}),
    Input("--list", "list the known scenarios"),
    Input("--root --data_root", "data root (default: data; of VLMEvalKit's benchmarks $LMUData, "
          "else ~/LMUData)", "DIR"),
    Input("--dry-run", "only show what would be downloaded"),
    Input("--yes", "do not ask for confirmation"),
    Input("--verify", "check the digests of existing files"),
    Input("--lock", "the digests of files from their first download, to be committed to your "
          "repository (default: sources.lock.json in the data root)", "FILE"),
    Input("--allow-host", "another host that may be asked for a file, where its publisher sends "
          "the download on to it; may be given several times", "HOST", default=[],
          how={"action": "append"}),
    Input("--keep", "keep archives after unpacking"),
    Input("--export-images", "also write the images of MMBench and MMMU as files"),
)  # fmt: skip
COMMAND = Command(
    "Download the data of scenarios and arrange it as ChEF does.",
    _EXAMPLES,
    {"": _OPTIONS},
)


def prepare(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.errors import ConfigError
    from chef.preparing.command import prepare as run

    if not given.scenario and not given.list:
        raise ConfigError("no scenario is given", hint="`chef prepare --list` shows their names")
    return run(given)
