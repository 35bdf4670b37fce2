"""The ``show`` command: the runs there are, a run, its samples, its page, its samples as tables."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.options import (
    OPEN,
    TRACEBACK,
    TRUST,
    Command,
    Input,
    by,
    check_form,
    json,
)
from chef.cli.show import VERDICTS, WHAT_BECAME, show_run, show_samples
from chef.cli.terminal import check_outputs, put_json, tell_written
from chef.cli.view import serve, view
from chef.common.printing import say
from chef.errors import ConfigError, DataError, nearest

if TYPE_CHECKING:
    from chef.report.runs import RunLine

#: The states of runs, as `chef.report.runs.State` has them; importing that takes longer.
STATES = ("finished", "unfinished", "running", "failed", "changed", "damaged")
#: Below this folder a run is found by the end of its path.
RESULTS = Path("results")


def runs(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.terminal import terminal_width
    from chef.document.outline import as_text
    from chef.report.runs import list_runs, matrix, runs_table
    from chef.run.configuration import other_folder

    check_outputs(given.json)
    if not given.folder.is_dir():
        is_default = given.folder == RESULTS
        what = "is a file, not a folder" if given.folder.exists() else "no such folder"
        raise DataError(
            what,
            where=str(given.folder),
            hint="`chef eval` makes it with the first run; give the folder of your runs: chef show "
            "DIR" if is_default else "give the folder that --save_dir named (default: results)",
        )  # fmt: skip
    runs = list_runs(given.folder, aside=given.all)
    chosen = [
        line
        for line in runs.runs
        if _is_meant(given.model, [line.model])
        and _is_meant(given.recipe, [line.recipe, line.scenario, line.label])
        and line.state in (given.state or STATES)
    ]
    if given.json:
        put_json(given.json, [line.to_json() for line in chosen])
        tell_written(given.json)
    elif runs.runs and not chosen:
        _refuse_names(given, runs.runs)
        say(f"none of the {len(runs.runs)} runs in {given.folder} is of that kind")
    elif not chosen:
        how = f"`chef eval --save_dir {given.folder}` makes one"
        say(f"there are no runs in {given.folder}: {other_folder(given.folder) or how}")
    else:
        within = RESULTS if given.folder == RESULTS else None
        shown = matrix(chosen) if given.matrix else runs_table(chosen, within)
        say(as_text([shown], terminal_width()))  # a name that a pipe gets has to be whole
    if runs.aside and not given.json:
        say(f"{runs.aside} run(s) that were moved aside by --fresh are not shown (--all)")
    return 0


def _is_meant(wanted: list[str], names: list[str]) -> bool:
    """Whether one of the names fits one of the patterns; without patterns all do."""
    folded = [name.casefold() for name in names]
    patterns = [item.casefold() for item in wanted]
    return not wanted or any(fnmatchcase(name, one) for name in folded for one in patterns)


def _refuse_names(given: argparse.Namespace, lines: list[RunLine]) -> None:
    """Refuse names of models and recipes that no run has. Raises ConfigError."""
    for option, known in (
        ("model", {line.model for line in lines}),
        ("recipe", {name for line in lines for name in (line.recipe, line.scenario, line.label)}),
    ):
        for name in getattr(given, option):
            if not any(_is_meant([name], [item]) for item in known):
                raise ConfigError(
                    f"no run is of '{name}'", where=f"--{option}", hint=nearest(name, known)
                )


#: What ``--export`` takes.
KINDS = ("csv", "xlsx", "parquet", "vlmevalkit")


def export(given: argparse.Namespace) -> int:
    """Write the tables and return the exit code; raises `chef.errors.ChefError`."""
    from chef import api
    from chef.report.export.tables import export as export_runs

    runs = [api.load_run(run) for run in given.runs]
    for done in export_runs(runs, given.export or None, given.output, force=given.force):
        say(f"{done.path}: {done.rows} sample{'s' * (done.rows != 1)}")
    return 0


_EXAMPLES = """\
examples:
  chef show                             the runs in results, the newest first
  chef show results/tiny --state unfinished --recipe Shapes/ppl
  chef show Shapes/ppl-20260101         the figures of a run, and its first wrong answers
  chef show RUN --sample mcq-12         one sample, as it was asked; also --unread -n 20
  chef show RUN --page --open           its page: every sample with its images
  chef show --serve --open              all of that in the browser, also while runs go on
  chef show RUN_A RUN_B --page          a page that compares; of a folder: all runs in it
  chef show results/sweeps/Shapes       what a sweep shows; nothing is asked
  chef show RUN --export csv            its samples as a table: csv, xlsx, parquet, vlmevalkit
  chef show RUN --figures DIR           drawings and tables for a paper

A RUN is a run folder, or the last parts of its path below results.
states: finished; unfinished; running (a process writes to it now); failed (an error ended the last
session); changed (other answers since it was scored: `chef score RUN`); damaged
"""
#: The options that each form has besides those of all.
_FORMS = {
    "the list of runs": ("model", "recipe", "state", "all", "json", "matrix"),
    "the figures of runs": ("by",),
    "samples": ("sample", "verdicts", "n", "json", "save_ids"),
    "a page": ("page", "open", "output", "allow", "by"),
    "served pages": ("serve", "port", "open", "allow", "by"),
    "an export": ("export", "output", "force"),
    "figures for a paper": ("figures", "to"),
    "a sweep": ("json",),
}


_RUNS = (
    Input("runs", "runs, or folders with runs below them", "RUN|DIR", how={"nargs": "*"}),
    by("the scores by these fields: category, l2-category, split, ..."),
    json("runs, samples or a sweep"),
    TRUST,
    TRACEBACK,
)  # fmt: skip
_SAMPLES = (
    Input("--sample", "these, in full", "ID", several=True),
    *(Input(f"--{name}", WHAT_BECAME[name],
             how={"action": "append_const", "dest": "verdicts", "const": name})
      for name in VERDICTS),
    Input("-n", "how many are listed (default: 10)", "N", int, 10),
    Input("--save-ids", "write the ids of all of them, also of those that are not listed, to a "
          "file (.txt), one a line: `chef eval MODEL WHAT --ids FILE` asks these alone", "FILE",
          Path),
)  # fmt: skip
_PAGES = (
    Input("--page", "write a page that opens in any browser, offline"),
    Input("--serve", "serve the pages of all runs to a browser on this machine, and follow them"),
    Input("--port", "of --serve (default: one that is free)", "PORT", int, 0),
    OPEN,
    Input("--export", f"write the samples of runs as {', '.join(KINDS)} (default: the suffix of "
          "--output, else csv)", "FORMAT", how={"nargs": "?", "const": ""}),
    Input("-o --output", "where to (default: a page beside the runs, a table in the current "
          "folder)", "FILE|DIR", Path),
    Input("--figures", "write drawings (SVG, and PDF with cairosvg) and the numbers (CSV, "
          "Markdown, LaTeX, model-index); of several runs the tables alone", "DIR", Path),
    Input("--to", "send the results to wandb, mlflow or hf:OWNER/NAME", "PLACE"),
    Input("--force", "replace a table that exists"),
    Input("--allow", "compare runs on a page that differ in these; see chef compare", "WHAT",
          several=True),
)  # fmt: skip
_WHICH = (
    Input("--model", "* is any text", "NAME", default=[], how={"nargs": "+"}),
    Input("--recipe", "ppl, Shapes/ppl", "NAME", default=[], how={"nargs": "+"}),
    Input("--state", "in these states", default=[],
          how={"action": "store", "nargs": "+", "choices": STATES}),
    Input("--matrix", "a line for each model, a column for each recipe"),
    Input("--all", "also runs moved aside (NAME.old1)"),
)  # fmt: skip
COMMAND = Command(
    "Show the runs below a folder, the figures of a run, its samples with what was "
    "sent, answered and read; write its page, or its samples as a table.",
    _EXAMPLES,
    {
        "": _RUNS,
        "samples of a run (default: the first wrong ones)": _SAMPLES,
        "pages and tables": _PAGES,
        "which runs are listed": _WHICH,
    },
    "chef show [RUN ...] [options]",
)


def show(given: argparse.Namespace) -> int:
    """Show what is asked for, and return the exit code; raises `chef.errors.ChefError`."""
    if given.serve or given.page or given.open:
        _check(given, "served pages" if given.serve else "a page")
        given.runs = given.runs or [str(RESULTS)]
        return serve(given) if given.serve else view(given)
    if given.export is not None:
        _check(given, "an export")
        if not given.runs:
            raise ConfigError("no run is given", hint="for example: chef show RUN --export csv")
        return export(given)
    folders, ids = _runs_and_ids(given.runs)
    given.sample = list(dict.fromkeys([*ids, *given.sample]))
    if not folders or _lists_runs(folders, given):
        _check(given, "the list of runs")
        given.folder = folders[0] if folders else RESULTS
        return runs(given)
    if len(folders) == 1 and (folders[0] / "sweep.json").is_file():
        _check(given, "a sweep")
        return _sweep(folders[0], given)
    is_list = given.verdicts or given.save_ids or given.json or given.n != given.usual("n")
    if given.figures is not None or given.to is not None or given.sample or is_list:
        return _parts(folders, given)
    _check(given, "the figures of runs")
    return show_run(folders, given)


def _parts(folders: Sequence[Path], given: argparse.Namespace) -> int:
    """Show samples of a run, or take its figures out; of several runs the tables of figures."""
    takes_out = given.figures is not None or given.to is not None
    _check(given, "figures for a paper" if takes_out else "samples")
    if len(folders) == 1:
        given.run = folders[0]
        return show_samples(given)
    if given.figures is None or given.to is not None:
        option = "--to PLACE" if given.to else "--sample ID"
        raise ConfigError(
            "this is shown of one run",
            hint=f"for example: chef show {folders[0]} {option}; of several, `chef compare` "
            "and `chef show RUN RUN --page` show where they differ, --figures DIR their figures, "
            "--export csv all samples",
        )
    from chef.report.export.figures import write_tables
    from chef.report.load import load_run

    results = [load_run(folder, trust=given.trust).report for folder in folders]
    for file in write_tables(results, given.figures):
        say(f"written: {file}")
    return 0


def _runs_and_ids(words: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The runs, and the ids of samples that may follow the only one of them."""
    from chef.run.configuration import run_place

    there = [word for word in words if run_place(Path(word)).exists()]
    if len(there) == 1 and words[0] == there[0]:
        return [run_place(Path(there[0]))], list(words[1:])
    return [run_place(Path(word)) for word in words], []


def _lists_runs(folders: Sequence[Path], given: argparse.Namespace) -> bool:
    """Whether the runs below a folder are meant, and not a run."""
    if len(folders) != 1 or given.sample or given.verdicts:
        return False
    is_meant = bool(given.model or given.recipe or given.state or given.all or given.matrix)
    folder = folders[0]
    is_other = folder.is_dir() and not any(
        (folder / name).exists() for name in ("config.yaml", "predictions.jsonl", "sweep.json")
    )
    return is_meant or is_other or folder == RESULTS


def _sweep(folder: Path, given: argparse.Namespace) -> int:
    from chef.cli.several import show_sweep
    from chef.cli.terminal import check_outputs
    from chef.suite.sweep.running import analysed

    check_outputs(given.json)
    show_sweep(analysed(folder), given.json)
    return 0


def _check(given: argparse.Namespace, form: str) -> None:
    check_form(given, form, _FORMS)
