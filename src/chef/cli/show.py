"""The figures of a run, and its samples as the page shows them."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.json_output import check_outputs, put_json, tell_written
from chef.common.printing import say
from chef.errors import ConfigError

if TYPE_CHECKING:
    from chef.report.views import Views

#: What can become of an answer, as `chef.report.sample_view.VERDICTS` has it.
VERDICTS = ("right", "wrong", "partly", "unread", "error", "refused", "unscored")
#: The same for people.
WHAT_BECAME = {
    "right": "right answers",
    "wrong": "wrong answers",
    "partly": "answers with a score between, or of a metric without right and wrong",
    "unread": "answers that could not be read",
    "error": "samples that failed",
    "refused": "samples that the model refused to answer",
    "unscored": "answers without a score",
}


def show_run(folders: Sequence[Path], given: argparse.Namespace) -> int:
    """Print the figures of runs, and of a single one its first wrong answers."""
    from chef.cli.failures import print_errors
    from chef.cli.groups import check_by, print_groups
    from chef.cli.terminal import page_width
    from chef.errors import DataError
    from chef.report.load import load_run
    from chef.scoring.result import table

    loaded = [load_run(folder, trust=given.trust) for folder in folders]
    try:
        reports = [run.report for run in loaded]
    except DataError as error:
        if len(loaded) > 1:
            raise
        say(f"note: {error.where}: {error.what}\n  -> {error.hint}", sys.stderr)
        reports = []
    if reports:
        say(table(reports, page_width()))
        print_errors(reports, traceback=given.traceback)
        print_groups(reports, given.by, page_width())
        check_by(given.by, {report.label: report.by for report in reports})
    if len(folders) == 1:
        say()
        given.run = folders[0]
        show_samples(given)
        say(f"its page, with images: chef show {shlex.quote(str(folders[0]))} --page --open")
    return 0


def show_samples(given: argparse.Namespace) -> int:
    """Print samples of a run, whole or as a list, and return the exit code."""
    from dataclasses import asdict

    from chef.cli.sample_text import print_sample
    from chef.common.jsonable import to_jsonable
    from chef.report.load import load_run
    from chef.report.views import Views
    from chef.run.reading import is_locked
    from chef.run.session import CUT_OFF, was_cut_off
    from chef.session.replay import RunReplay

    check_outputs(given.json)
    if given.n < 1:
        raise ConfigError(f"-n is {given.n}", hint="give a number of samples, 1 or more")
    run = load_run(given.run, trust=given.trust)
    views = Views(run, RunReplay(run.record))
    if was_cut_off(run.environment) and not is_locked(run.folder):
        say(f"note: {run.folder}: {CUT_OFF}", sys.stderr)
    if given.figures is not None or given.to is not None:
        return _take_out(views, given)
    ids = given.sample
    if ids and given.save_ids is not None:
        raise ConfigError("--sample names the ids already", hint="leave out one of the two")
    if not ids:
        return _list(views, given)
    shown = [views.of(name) for name in ids]
    if given.json:
        put_json(given.json, [to_jsonable(asdict(view)) for view in shown])
        tell_written(given.json)
        return 0
    for number, view in enumerate(shown):
        if number:
            say()
        print_sample(view)
    return 0


def _take_out(views: Views, given: argparse.Namespace) -> int:
    """Write the figures of a run to files, or send its results to a tracker."""
    from chef.report.export.figures import send, write_figures
    from chef.report.page.opened import OpenedRun

    if given.figures is not None:
        for file in write_figures(OpenedRun(views.run.folder.name, views), given.figures):
            say(f"written: {file}")
    if given.to is not None:
        say(f"sent: {send(views.run, given.to)}")
    return 0


def _list(views: Views, given: argparse.Namespace) -> int:
    """Print the first samples of some verdicts, in the order of the journal."""
    from collections import Counter

    from chef.cli.terminal import page_width
    from chef.document.outline import as_text
    from chef.document.sections import Table
    from chef.report.views.views import listed

    verdicts = views.verdicts
    counts = Counter[str](verdicts.values())
    wanted = given.verdicts or ["wrong"]
    chosen = [name for name, verdict in verdicts.items() if verdict in wanted]
    if given.save_ids is not None:
        from chef.cli.ids import save_ids

        save_ids(given.save_ids, chosen)
        say(f"written: {given.save_ids} ({len(chosen)} ids)", sys.stderr)
    rows = [listed(views, name) for name in chosen[: given.n]]
    if given.json:
        put_json(given.json, [row._asdict() for row in rows])
        tell_written(given.json)
        return 0
    totals = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name])
    say(f"{views.run.folder}: {totals or 'no answers yet'}")
    if rows:
        headers = ("sample", "question", "answer", "read as", "truth", "verdict")
        say(as_text([Table("", headers, rows, names=len(headers))], page_width()))
        more = len(chosen) - len(rows)
        say(f"{more} more: -n {len(chosen)} lists all" if more else "these are all of them")
        folder, name = shlex.quote(str(views.run.folder)), shlex.quote(chosen[0])
        say(f"a whole sample: chef show {folder} --sample {name}")
    elif counts:
        others = " ".join(f"--{name}" for name in VERDICTS if counts[name])
        say(f"none is {' or '.join(wanted)}; list others with {others}, or print one with "
            f"--sample {next(iter(verdicts))}")  # fmt: skip
    return 0
