"""Sweeps: one recipe with the values of many keys, and how much each decides."""

from __future__ import annotations

import shlex
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.json_output import check_outputs, is_alone, put_json, rest_of_output, tell_written
from chef.cli.options import EvalOptions, check_form
from chef.cli.view import tell
from chef.common.printing import say
from chef.errors import ConfigError

if TYPE_CHECKING:
    from chef.suite.sweep.result import SweepResult
    from chef.suite.sweep.running import Sweep


def sweep(options: EvalOptions) -> int:
    """Run the sweep and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.evaluate import settings_of
    from chef.cli.failures import code_of_failures, print_errors, print_failures
    from chef.suite.sweep.running import Sweep

    check_form(options, "a sweep")
    check_outputs(options.json, options.csv)
    ready = Sweep(
        _source(options),
        settings_of(options),
        models=options.model_cfg,
        overrides=[
            *options.overrides,
            *(f"model_cfg.{item}" for item in options.of_models),
        ],
        limit=options.sample_len,
    )
    with rest_of_output(options.json):
        say(_grid(ready))
    if options.plan is not None:
        return _plan(ready, options.plan, options.recipe_cfg[0])
    if options.dry_run:
        _check_settings(ready)
        return 0
    # SIGTERM (sent by schedulers, for example) closes the journal, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    ready.run()
    with rest_of_output(options.json):
        print_errors(ready.reports, traceback=options.traceback)
    print_failures(ready.failures, traceback=options.traceback)
    if ready.reports:
        show_sweep(ready.result(), options.json, options.csv)
        with rest_of_output(options.json):
            if options.page:
                _page(ready.folder, opens=options.open)
            say(f"\nanalyse again: chef show {shlex.quote(str(ready.folder))}")
    failed = code_of_failures(ready.failures)
    return failed or (1 if any(report.has_failures for report in ready.reports) else 0)


def _plan(ready: Sweep, points: float, name: str) -> int:
    """Say what makes its scores more exact: questions, wordings or seeds; nothing is asked."""
    from chef.cli.terminal import terminal_width
    from chef.document.outline import as_text
    from chef.suite.sweep.allocation import allocation

    total = len(ready.session.models[0].runs[0].evaluator.scenario)
    say(as_text(allocation(name, ready.folder, points, total).sections(), terminal_width()))
    return 0


def _source(options: EvalOptions) -> str:
    """The file or the name of the sweep.

    Raises:
        ConfigError: there is more than that, or it is the folder of one that has run.
    """
    from chef.suite.sweep.stored import SWEEP

    sources = options.recipe_cfg
    if len(sources) > 1:
        raise ConfigError(
            f"a sweep is asked alone, and {len(sources)} things are: {', '.join(sources)}",
            hint="several recipes stand in the file of a sweep: recipe: [a.yaml, b.yaml]",
        )
    if (Path(sources[0]) / SWEEP).is_file():
        raise ConfigError(
            "is the folder of a sweep that has run",
            where=sources[0],
            hint=f"`chef show {shlex.quote(sources[0])}` analyses it again; give the file of the "
            "sweep to ask more",
        )
    return sources[0]


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
    for one in ready.session.models:
        one.check_settings()


def _page(folder: Path, *, opens: bool) -> None:
    from chef.suite.pages.view import view

    tell(view(folder), opens=opens)


def show_sweep(result: SweepResult, json: str | None, table: Path | None = None) -> None:
    """Print what a sweep shows, and write the files that are wanted."""
    from chef.cli.terminal import quiet_pipe, terminal_width
    from chef.common.writing import write_atomically
    from chef.suite.sweep.page import sweep_table

    if table is not None:
        write_atomically(table, result.as_csv())
    with quiet_pipe():
        if not is_alone(json):
            say(f"\n{sweep_table(result, terminal_width())}")
        put_json(json, result.to_json())
        tell_written(json, table)
