"""The ``sweep`` command: one recipe with the values of many keys, and how much each decides."""

from __future__ import annotations

import argparse
import csv
import io
import shlex
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.cli.how import add_place, add_runner, sample_count
from chef.cli.json_output import (
    add_json,
    check_outputs,
    is_alone,
    put_json,
    rest_of_output,
    tell_written,
)
from chef.cli.options import is_override
from chef.cli.score import add_traceback
from chef.cli.view import add_open, tell
from chef.common.printing import say
from chef.errors import ConfigError

if TYPE_CHECKING:
    from chef.suite.sweep.result import SweepResult
    from chef.suite.sweep.running import How, Sweep

_EXAMPLES = """\
examples:
  chef sweep Shapes                          chef's own sweep, on the embedded model
  chef sweep my_sweep.yaml --dry-run         the grid, and how many samples will be asked
  chef sweep my_sweep.yaml --model_cfg a.yaml b.yaml --limit 200
  chef sweep results/sweeps/Shapes           analyse again what has run; nothing is asked
  ... scenario_cfg.size=100 model_cfg.dtype=bfloat16     a key of all runs

The same command goes on where it stopped. After an edit of the file only new combinations are asked.
"""  # noqa: E501


def add_sweep(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef sweep``."""
    command = commands.add_parser(
        "sweep",
        help="vary a recipe: wording, inferencer, examples, ...; what decides the score",
        description="Run a recipe with the values of any of its keys, and say how much of the "
        "score each decides, which recipe is the most stable, and which letters are preferred.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "given", nargs="*", metavar="SWEEP",
        help="the file of a sweep, a name of chef's own (`chef list sweeps`), or the folder of one "
        "that has run; then key=value for keys of all its runs",
    )  # fmt: skip
    command.add_argument(
        "--model_cfg", "--model", metavar="FILE", nargs="+", action="extend", default=[],
        help="model file(s) instead of those of the sweep",
    )  # fmt: skip
    command.add_argument(
        "--limit", "--sample_len", type=sample_count, default=-1, metavar="N",
        help="number of samples of each run, instead of the sweep's (-1: the sweep's)",
    )  # fmt: skip
    add_place(command)
    how = command.add_argument_group("how to run")
    add_runner(how)
    how.add_argument(
        "--keep-going", action="store_true",
        help="run the others where a combination cannot be asked (one that fails while it runs "
        "never stops the others)",
    )  # fmt: skip
    add_traceback(how)
    shown = command.add_argument_group("what is shown")
    shown.add_argument(
        "--dry-run", action="store_true",
        help="check everything, and show the grid and the number of samples; no model is loaded",
    )  # fmt: skip
    shown.add_argument("--csv", type=Path, metavar="FILE", help="write the combinations to a table")
    add_json(shown, "what is found")
    shown.add_argument(
        "--report", action="store_true",
        help="write report.html in the folder of the sweep and of each of its runs (chef view does "
        "the same later)",
    )  # fmt: skip
    add_open(shown)


def sweep(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.failures import code_of_failures, print_errors, print_failures
    from chef.suite.sweep.running import Sweep, analysed
    from chef.suite.sweep.stored import SWEEP

    check_outputs(given.json, given.csv)
    source, overrides, models = _shared_out(given)
    if (Path(source) / SWEEP).is_file():
        _refuse_to_ask(given, overrides)
        _show(analysed(Path(source)), given)
        return 0
    limit = None if given.limit < 0 else given.limit
    ready = Sweep(source, _how(given), models=models, overrides=overrides, limit=limit)
    with rest_of_output(given.json):
        say(_grid(ready))
    if given.dry_run:
        _check_settings(ready)
        return 0
    # SIGTERM (sent by schedulers, for example) closes the journal, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    ready.run()
    with rest_of_output(given.json):
        print_errors(ready.reports, traceback=given.traceback)
    print_failures(ready.failures, traceback=given.traceback)
    if ready.reports:
        _show(ready.result(), given)
        with rest_of_output(given.json):
            say(f"\nanalyse again: chef sweep {shlex.quote(str(ready.folder))}")
    failed = code_of_failures(ready.failures)
    return failed or (1 if any(report.has_failures for report in ready.reports) else 0)


def _shared_out(given: argparse.Namespace) -> tuple[str, list[str], list[str]]:
    """The sweep, the overrides and the models; argparse takes what follows an option as its own."""
    items = [*given.given, *given.model_cfg]
    overrides = [item for item in items if is_override(item)]
    sources = [item for item in given.given if item not in overrides]
    models = [item for item in given.model_cfg if item not in overrides]
    if len(sources) != 1:
        told = f"{len(sources)} are given: {', '.join(sources)}" if sources else "none is named"
        raise ConfigError(
            f"a sweep is one file, and {told}",
            where="chef sweep",
            hint="for example chef sweep Shapes; `chef list sweeps` shows what comes with chef; "
            "several recipes stand in one file: recipe: [a.yaml, b.yaml]",
        )
    device = {"device": given.device, "dtype": given.dtype}
    overrides += [f"model_cfg.{key}={value}" for key, value in device.items() if value is not None]
    return sources[0], overrides, models


def _refuse_to_ask(given: argparse.Namespace, overrides: Sequence[str]) -> None:
    """Refuse options that ask something, where a sweep is only analysed again."""
    asked = {"--model_cfg": given.model_cfg, "--fresh": given.fresh, "--limit": given.limit > 0}
    named = [*(name for name, value in asked.items() if value), *overrides]
    if named:
        raise ConfigError(
            f"{named[0]} asks models, and the folder of a sweep is only analysed",
            where="chef sweep",
            hint="give the file of the sweep",
        )


def _how(given: argparse.Namespace) -> How:
    from chef.suite.sweep.running import How

    return How(
        Path(given.save_dir), given.batch_size, given.workers, given.ray_address,
        given.response_cache, given.timeout, given.fresh, given.reuse_answers, given.keep_going,
    )  # fmt: skip


def _grid(ready: Sweep) -> str:
    """What will be asked: the factors with their values, and how many runs and samples."""
    file, plan = ready.file, ready.plan
    width = max(len(factor.name) for factor in file.factors)
    lines = [f"sweep {file.name}"]
    for factor in file.factors:
        role = f"  ({factor.role})" if len(factor.values) > 1 else ""
        lines.append(f"  {factor.name:<{width}}  {', '.join(factor.labels)}{role}")
    runs, cells = len(plan.runs), len(plan.cells)
    alike = f" ({cells - runs} ask the same as others)" if cells > runs else ""
    lines.append(f"{cells} combinations, {runs} runs{alike}, {ready.samples:,} samples")
    return "\n".join(lines)


def _check_settings(ready: Sweep) -> None:
    """Check what can be checked of the models without loading them."""
    for one in ready.evaluations.evaluations:
        one.check_settings()


def _show(found: SweepResult, given: argparse.Namespace) -> None:
    """Print what was found, and write the files that are wanted."""
    from chef.cli.terminal import quiet_pipe, terminal_width
    from chef.common.writing import write_atomically
    from chef.suite.sweep.page import sweep_table

    if given.csv:
        write_atomically(given.csv, as_csv(found))
    with quiet_pipe():
        if not is_alone(given.json):
            say(f"\n{sweep_table(found, terminal_width())}")
        put_json(given.json, to_json(found))
        tell_written(given.json, given.csv)
        if given.report or given.open:
            from chef.suite.pages.view import view

            with rest_of_output(given.json):
                tell(view(found.folder), opens=given.open)


def as_csv(found: SweepResult) -> str:
    """The combinations as a table: the factors, the model, the figure and the folder."""
    stream = io.StringIO()
    factors = [name for name in found.factors if name != "model"]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*factors, "model", "score", "low", "high", "unit", "n", "coverage", "folder"])
    for one in found.combinations:
        figure = one.figure
        numbers = (figure.value, figure.low, figure.high, figure.unit, figure.n)
        own = [one.values.get(name, "") for name in factors]
        writer.writerow([*own, one.model, *numbers, one.coverage, one.folder])
    return stream.getvalue()


def to_json(found: SweepResult) -> dict[str, Any]:
    """What was found, as plain data."""
    from dataclasses import asdict

    from chef.common.jsonable import to_jsonable

    return {key: to_jsonable(value) for key, value in asdict(found).items()}
