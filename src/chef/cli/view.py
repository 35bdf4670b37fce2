"""Pages of runs, and answers that people label: in the browser, or labels here and in a sheet."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.options import is_override
from chef.common.printing import say, say_styled
from chef.common.text import typed
from chef.errors import ChefError, ConfigError, DataError

if TYPE_CHECKING:
    from chef.report.labels.asking import Asking
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


#: The one key of judges that labelling has: with whose answers the answers are compared.
_AGAINST = "judge_cfg.against"
_BACK, _QUIT = "b", "q"


def label(given: argparse.Namespace) -> int:
    """Show answers to a person until the command is ended; raises `chef.errors.ChefError`."""
    import tempfile

    from chef.run.configuration import run_place
    from chef.suite.pages.served import Labelling, asking_of
    from chef.suite.pages.server import PageServer

    # argparse parses what follows --by NAME as another name, also the only path.
    names = [item for item in given.by if not Path(item).exists()]
    words = [*given.answers, *(item for item in given.by if item not in names)]
    against = [item for item in words if is_override(item)]
    runs = [item for item in words if item not in against]
    if len(runs) != 1 or len(names) > 1:
        raise ConfigError(
            "one person labels answers of one run",
            hint="for example: chef score RUN --label --by anna --number 100",
        )
    if given.number < 1:
        hint = "for example: chef score RUN --label --by anna --number 100"
        raise ConfigError(f"{given.number} answers are none", where="--number", hint=hint)
    run, person = run_place(Path(runs[0])), names[0] if names else _user()
    settings = {
        "number": given.number, "by_verdict": given.stratified, "against": _other_run(against),
        "metric": given.metric, "trust": given.trust,
    }  # fmt: skip
    if given.terminal:
        asking, _ = asking_of(run, person, **settings)
        _ask_here(asking)
    else:
        with tempfile.TemporaryDirectory(prefix="chef-labels-") as place:
            asking, views = asking_of(run, person, **settings, thumbnails=Path(place))
            page = Labelling(asking, views, Path(place))
            say(f"{person} labels {len(asking.ids)} answers of {run}")
            with PageServer(page, given.port, page.take) as server:
                until_ended(server, opens=given.open)
    asking.close()
    done = len(asking.replies())
    say(
        f"{done} of {len(asking.ids)} answers are labelled by {person}; the same command goes on, "
        f"and chef score {typed(run)} tells the score that the labels make right"
    )
    return 0


def _user() -> str:
    """The name of the user, for labels without --by."""
    import getpass  # of no other command

    from chef.report.labels.scales import file_of

    try:
        name = getpass.getuser()
        file_of(Path(), name)
    except (ChefError, OSError, KeyError):
        return "person"
    return name


def _other_run(words: Sequence[str]) -> str | None:
    """The folder that ``judge_cfg.against=RUN`` names. ConfigError: another key is set."""
    for word in words:
        key, _, value = word.partition("=")
        if key != _AGAINST:
            hint = f"{_AGAINST}=RUN names the run with whose answers the answers are compared"
            raise ConfigError(f"labelling has no key {key}", hint=hint)
        return value
    return None


def _ask_here(asking: Asking) -> None:
    """Ask in the terminal, a line for each reply, until all are labelled or the person stops."""
    from chef.cli.show import indented, print_sample
    from chef.report.labels.asking import SKIP

    place = next_open(asking, 0)
    while place < len(asking.ids):
        name, replies = asking.ids[place], asking.replies()
        say(f"\n{len(replies)} of {len(asking.ids)} labelled")
        print_sample(asking.view(name), is_blind=True)
        say_styled([(asking.scale.question, "bold")])
        if asking.rubric:
            say(indented(f"Rate by:\n{asking.rubric}"))
        choices = [(item.key, item.text) for item in asking.choices(name)]
        choices += [(SKIP, "cannot tell"), (_BACK, "back"), (_QUIT, "quit")]
        say(", ".join(f"{key} {text}" for key, text in choices))
        key = _line()
        if key is None or key == _QUIT:
            return
        if key == _BACK:
            place = max(0, place - 1)
        elif any(key == known for known, _ in choices):
            asking.take(name, key)
            place = next_open(asking, place + 1)
        else:
            say(f"'{key}' is no reply")


def next_open(asking: Asking, place: int) -> int:
    """The place of the next answer without a reply, from a place on."""
    known = asking.replies()
    return next(
        (at for at in range(place, len(asking.ids)) if asking.ids[at] not in known),
        len(asking.ids),
    )


def _line() -> str | None:
    """What the person types; None at the end of the input, or for Ctrl-C."""
    try:
        return input("> ").strip().lower()
    except (EOFError, KeyboardInterrupt):
        say()
        return None


def sheet(given: argparse.Namespace) -> int:
    """Draw a sheet for people, or score a run by its labels."""
    from chef.cli.terminal import terminal_width
    from chef.document.outline import as_text
    from chef.report.labels.result import draw_sheet, labelled
    from chef.run.configuration import run_place

    if given.labels is None or len(given.answers) != 1 or (given.draw or 1) < 1:
        raise ConfigError(
            "labels are of one run, and stand in a file",
            hint="for example: chef score RUN --draw 100 --labels labels.csv; fill in its last "
            "column; then chef score RUN --labels labels.csv",
        )
    run = run_place(Path(given.answers[0]))
    if given.draw is not None:
        number = draw_sheet(run, given.labels, given.draw, trust=given.trust)
        say(f"{given.labels}: {number} samples drawn; fill in the column 'label' (right, wrong or "
            f"a number), then: chef score {run} --labels {given.labels}")  # fmt: skip
        return 0
    if not given.labels.exists():
        command = f"chef score {typed(run)}"
        raise ConfigError(
            "there is no such file of labels", where=str(given.labels),
            hint=f"{command} --draw 100 --labels labels.csv writes one; a person labels here with "
            f"{command} --label --by {shlex.quote(given.labels.name)}",
        )  # fmt: skip
    result = labelled(run, given.labels, metric=given.metric, trust=given.trust)
    say(as_text([result.section()], terminal_width()))
    return 0


def print_labels(reports: Sequence[RunResult], width: int | None) -> None:
    """Print what labels of people make of scores; of runs that have some."""
    from chef.document.outline import as_text
    from chef.report.labels.result import has_labels, of_report

    for report in reports:
        if not has_labels(report):
            continue
        try:
            result = of_report(report)
        except ChefError as error:
            say(f"note: labels of people: {error.what}\n  -> {error.hint}", sys.stderr)
            continue
        if result is not None:
            say(f"\n{as_text([result.section()], width)}")
