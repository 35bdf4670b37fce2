"""The ``view`` command, and ``--report``: pages of runs that open in any browser, offline."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.cli.groups import add_by
from chef.cli.score import add_traceback, add_trust_option
from chef.common.printing import say

if TYPE_CHECKING:
    from chef.scoring.result import RunResult

_EXAMPLES = """\
examples:
  chef view results/tiny/Shapes/ppl-20260101 --open     report.html in the folder of the run
  chef view RUN_A RUN_B                                 the same questions: a page that compares
  chef view results                                     every run below it, with an overview
  chef view results/sweeps/Shapes                       the page of a sweep
  chef view sheet.json                                  of what chef trust --json wrote

A page is one file (with a folder beside it when it is large), needs no network, and can be sent.
"""


def add_view(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef view``."""
    command = commands.add_parser(
        "view",
        help="a page of a run, a comparison or a sweep: figures, and every sample with its images",
        description="Write pages with the figures and every sample of runs: what was sent, with "
        "its images, what came back, and how it was read.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "runs", nargs="+", metavar="RUN_DIR",
        help="run folders, or a folder with runs below it; the folder of a sweep; a score sheet",
    )  # fmt: skip
    command.add_argument(
        "-o", "--output", type=Path, metavar="FILE|DIR",
        help="the page (default: report.html in the folder of the run; comparison.html or "
        "overview.html in the folder that all runs are in)",
    )  # fmt: skip
    add_open(command)
    command.add_argument(
        "--allow", nargs="+", action="extend", default=[], metavar="WHAT",
        help="compare runs that differ in these; see chef compare",
    )  # fmt: skip
    add_trust_option(command)
    add_by(command, "show the scores by these fields alone: category, l2-category, split, ...")
    add_traceback(command)


def add_open(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add ``--open``."""
    command.add_argument(
        "--open",
        action="store_true",
        help="open the page in the browser (after a run: write it, too)",
    )


def view(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.suite.pages.view import view as make

    written = make(given.runs, given.output, by=given.by, allow=given.allow, trust=given.trust)
    tell(written, opens=given.open)
    return 0


def write_reports(reports: Sequence[RunResult], by: Sequence[str], *, opens: bool) -> int:
    """Write the page of each run that has just ended, and of several an overview.

    Returns:
        The exit code: 0, or 1 where a page cannot be written; the runs are none the worse for it.
    """
    from chef.report.load import load_run
    from chef.suite.pages.pages import Pages

    try:
        pages = Pages([load_run(report.folder) for report in reports], by=by)
        written = pages.build() if len(reports) == 1 else pages.overview()
    except Exception as error:  # whatever is wrong with a page, the results are there
        what = str(error) or type(error).__name__
        say(f"error: no page could be written: {what}", sys.stderr)
        folders = " ".join(str(report.folder) for report in reports)
        say(f"  -> the results are complete; try again with: chef view {folders}", sys.stderr)
        return 1
    tell(written, opens=opens)
    return 0


def tell(written: Sequence[Path], *, opens: bool) -> None:
    """Say what was written, how large it is, and where a browser finds it."""
    page = written[0].resolve()
    size = sum(path.stat().st_size for path in written)
    others = f", {len(written)} files" if len(written) > 1 else ""
    say(f"written: {written[0]} ({_size(size)}{others})")
    say(page.as_uri())
    if opens:
        import webbrowser

        if not webbrowser.open(page.as_uri()):
            say("note: no browser could be opened here; open the address above", sys.stderr)


def _size(count: float) -> str:
    """A number of bytes for people.

    >>> _size(900), _size(2_500_000)
    ('900 B', '2.5 MB')
    """
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
