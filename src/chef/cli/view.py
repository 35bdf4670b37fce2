"""Pages of runs that open in any browser, offline."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chef.common.printing import say

if TYPE_CHECKING:
    from chef.scoring.result import RunResult
    from chef.suite.pages.server import PageServer


def view(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.suite.pages.view import view as make

    written = make(given.runs, given.output, by=given.by, allow=given.allow, trust=given.trust)
    tell(written, opens=given.open)
    return 0


def serve(given: argparse.Namespace) -> int:
    """Serve pages until Ctrl-C, and return the exit code; raises `chef.errors.ChefError`."""
    import tempfile

    from chef.errors import DataError
    from chef.run.configuration import run_hint, run_place
    from chef.suite.pages.served import Served
    from chef.suite.pages.server import PageServer

    folders = [run_place(Path(item)) for item in given.runs]
    for folder in folders:
        if not folder.is_dir():
            raise DataError("no such folder", where=str(folder), hint=run_hint(folder))
    with tempfile.TemporaryDirectory(prefix="chef-pages-") as place:
        served = Served(folders, Path(place), by=given.by, allow=given.allow, trust=given.trust)
        with PageServer(served, given.port) as server:
            until_ended(server, opens=given.open)
    return 0


def until_ended(server: PageServer, *, opens: bool) -> None:
    """Serve pages until Ctrl-C."""
    with suppress(KeyboardInterrupt):
        say(server.address)
        say("only this machine reaches it, and only by this address; Ctrl-C ends it")
        if opens:
            _open(server.address)
        server.serve_forever()


def write_reports(reports: Sequence[RunResult], by: Sequence[str], *, opens: bool) -> int:
    """Write the page of each run and an overview; 1 where one cannot be written, for the runs are
    none the worse.
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
        say(
            f"  -> the results are complete; try again with: chef show {folders} --page", sys.stderr
        )
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
        _open(page.as_uri())


def _open(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
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
