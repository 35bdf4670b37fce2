"""The ``show`` command: a sample of a run as the page shows it."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.cli.json_output import add_json, check_outputs, put_json, tell_written
from chef.cli.score import add_traceback, add_trust_option
from chef.common.printing import say
from chef.errors import ConfigError

if TYPE_CHECKING:
    from chef.report.views import Views

#: What can become of an answer, as `chef.report.sample_view.VERDICTS` has it.
VERDICTS = ("right", "wrong", "partly", "unread", "error", "refused", "unscored")
_EXAMPLES = """\
examples:
  chef show results/tiny/Shapes/ppl-20260101                    the first wrong answers
  chef show results/tiny/Shapes/ppl-20260101 --sample mcq-12    one sample, as it was asked
  chef show Shapes/ppl-20260101 --unread -n 20                  a run below results
  chef show Shapes/ppl-20260101 --figures DIR                   drawings and tables for a paper

RUN_DIR may be the last parts of a path below results. What was read of an answer is marked.
"""


def add_show(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef show``."""
    command = commands.add_parser(
        "show",
        help="print samples of a run: what was asked, said, read and true",
        description="Print samples of a run: the conversation as it was sent, the answer with what "
        "was read of it, options, reference answer and judgements.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("run", type=Path, metavar="RUN_DIR", help="the folder of a run")
    command.add_argument("ids", nargs="*", default=[], metavar="ID", help="the same as --sample ID")
    command.add_argument(
        "--sample", nargs="+", action="extend", default=[], metavar="ID",
        help="ids of samples; without any, samples are listed",
    )  # fmt: skip
    which = command.add_argument_group("which samples are listed (default: those that are wrong)")
    for name in VERDICTS:
        which.add_argument(
            f"--{name}", action="append_const", dest="verdicts", const=name, help=_HELP[name]
        )
    command.add_argument(
        "-n", type=int, default=10, metavar="N", help="how many are listed (default: 10)"
    )
    command.add_argument(
        "--figures", type=Path, metavar="DIR",
        help="write the drawings (SVG, and PDF with cairosvg) and the figures (CSV, Markdown, "
        "LaTeX, model-index)",
    )  # fmt: skip
    command.add_argument(
        "--to", metavar="PLACE", help="send the results to wandb, mlflow or hf:OWNER/NAME"
    )
    add_json(command, "the samples")
    add_trust_option(command)
    add_traceback(command)


_HELP = {
    "right": "right answers",
    "wrong": "wrong answers",
    "partly": "answers with a score between, or of a metric without right and wrong",
    "unread": "answers that could not be read",
    "error": "samples that failed",
    "refused": "samples that the model refused to answer",
    "unscored": "answers without a score",
}


def show(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from dataclasses import asdict

    from chef.cli.sample_text import print_sample
    from chef.common.jsonable import to_jsonable
    from chef.report.load import load_run
    from chef.report.views import Views
    from chef.run.lock import is_locked
    from chef.run.session import CUT_OFF, was_cut_off
    from chef.workers.replay import RunReplay

    check_outputs(given.json)
    if given.n < 1:
        raise ConfigError(f"-n is {given.n}", hint="give a number of samples, 1 or more")
    run = load_run(given.run, trust=given.trust)
    views = Views(run, RunReplay(run.record))
    if was_cut_off(run.environment) and not is_locked(run.folder):
        say(f"note: {run.folder}: {CUT_OFF}", sys.stderr)
    if given.figures is not None or given.to is not None:
        return _take_out(views, given)
    ids = list(dict.fromkeys([*given.ids, *given.sample]))
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
    from chef.report.export.figures import write_figures
    from chef.report.export.trackers import send
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

    from chef.cli.terminal import terminal_width
    from chef.document.outline import outline
    from chef.report.views.listed import listed

    verdicts = {name: views.verdict(name) for name in views.predictions}
    counts = Counter[str](verdicts.values())
    wanted = given.verdicts or ["wrong"]
    chosen = [name for name, verdict in verdicts.items() if verdict in wanted]
    rows = [listed(views, name) for name in chosen[: given.n]]
    if given.json:
        put_json(given.json, [row._asdict() for row in rows])
        tell_written(given.json)
        return 0
    totals = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if counts[name])
    say(f"{views.run.folder}: {totals or 'no answers yet'}")
    if rows:
        say(outline(("sample", "question", "answer", "read as", "truth", "verdict"),
                    rows, terminal_width(), names=6))  # fmt: skip
        more = len(chosen) - len(rows)
        say(f"{more} more: -n {len(chosen)} lists all" if more else "these are all of them")
        folder, name = shlex.quote(str(views.run.folder)), shlex.quote(chosen[0])
        say(f"a whole sample: chef show {folder} --sample {name}")
    elif counts:
        others = " ".join(f"--{name}" for name in VERDICTS if counts[name])
        say(f"none is {' or '.join(wanted)}; list others with {others}, or print one with "
            f"--sample {next(iter(verdicts))}")  # fmt: skip
    return 0
