"""The ``score`` command: score stored answers without loading a model."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.failures import check_by, print_reports
from chef.cli.options import (
    METRIC,
    OF_JUDGES,
    OPEN,
    TRACEBACK,
    TRUST,
    Command,
    Input,
    by,
    check_form,
    for_judge,
    is_override,
    json,
)
from chef.cli.terminal import check_outputs, is_alone, put_json, tell_written
from chef.common.printing import say
from chef.errors import ConfigError

if TYPE_CHECKING:
    from chef.scoring.result import RunResult

_EXAMPLES = """\
examples:
  chef score results/tiny/Shapes/ppl-20260101            score a run again
  chef score results/tiny/*/* --metric Accuracy          with another metric; results_Accuracy.json
  chef score RUN --by category                           the scores by category, too
  chef score RUN threshold=0.7                           with another option of its metric
  chef score answers.jsonl --recipe_cfg RECIPE           answers from another tool, by sample id
  chef score RUN --judge judge.yaml judge_cfg.kind=grade a judge is asked about the answers
  chef score RUN --judge a.yaml b.yaml                   two judges, and how they agree
  chef score RUN --judge                                 the judges of the run again; goes on
  chef score RUN --label --by anna                       a person labels 100 answers in a page, by
                                                         keyboard; then `chef score RUN` tells the
                                                         score that these labels make right
  chef score RUN --draw 100 --labels l.csv               a sheet for people; without --draw: the
                                                         same score by the labels in it
  chef score results --suite trust --partial             MMTrustEval's score sheet of its tasks

files of answers: .jsonl (chef), .json (ChEF), .xlsx and .tsv (VLMEvalKit)
The tested model is never asked; nor is a judge about an answer that it has judged.
exit codes: 0 done, 1 some samples failed or cannot be read, 2 bad input, 3 metric or judge failed
"""


#: The options of each form besides those of all.
_FORMS = {
    "a metric": ("metric", "recipe_cfg", "by", "whole"),
    "labelling": ("label", "number", "stratified", "terminal", "port", "open", "by", "metric"),
    "labels": ("labels", "draw", "metric"),
    "a judge": ("judge_cfg", "response_cache", "metric", "recipe_cfg"),
    "a suite": ("suite", "models", "partial", "allow", "rounded", "seed", "csv", "json"),
}


_ANSWERS = (
    Input("answers", "run folders or files of answers, and options of the metric",
          "RUN_DIR|FILE|key=value", how={"nargs": "*"}),
    METRIC,
    Input("--recipe_cfg", "take the metric, and for a file the reference answers, from this "
          "recipe", "FILE"),
    Input("--whole", "of a run in an object store: every figure of the metric, of all answers at "
          "once; its parts one by one tell the first figure, if it is a mean"),
)  # fmt: skip
_PEOPLE = (
    Input("--label", "show answers drawn at random to a person, --by NAME, who says whether they "
          "are right (or rates or compares them) without seeing what the metric or a judge says"),
    Input("--number", "how many answers (default: 100)", "N", int, 100),
    Input("--stratified", "draw from each verdict of the metric or judge, not from all answers "
          "alike"),
    Input("--terminal", "here; default: in a page for this machine's browser"),
    Input("--port", "of the page (default: a free one)", "PORT", int, 0),
    OPEN,
    Input("--labels", "a CSV file with the columns id and label (right, wrong or a number) of "
          "some samples: a score that is right whatever the metric or the judge is worth", "FILE",
          Path),
    Input("--draw", "write such a file with N samples drawn at random", "N", int),
)  # fmt: skip
_JUDGES = (
    Input("--judge_cfg --judge", "model file(s) of the judge(s), names of chef's own, or a file "
          "with the section judge_cfg; none: those of the run. judge_cfg.key=value sets their "
          "keys", "FILE", how={"nargs": "*", "action": "extend"}),
    Input("--response-cache", "keep the replies of judges there (default: judge_replies beside "
          "the models' folders)", "DIR", Path),
)  # fmt: skip
_SUITE = (
    Input("--suite", "trust: 32 tasks of MMTrustEval, 10 sub-aspects, 5 aspects and the total, "
          "with 95%% intervals, of all runs of its tasks and logs below the folders",
          how={"action": "store", "choices": ["trust"]}),
    Input("--models", "these models alone (default: all)", "MODEL", how={"nargs": "+"}),
    Input("--partial", "where tasks are missing, score the others, with their weights scaled up; "
          "a score is withheld otherwise"),
    Input("--allow", "compare models though their data or evaluators differ"),
    Input("--rounded", "round as MMTrustEval does, before the last step"),
    Input("--seed", "of the bootstrap (default: 0)", "SEED", int, 0),
    Input("--csv", "write the scores to a table", "FILE", Path),
    json("the scores"),
)  # fmt: skip
COMMAND = Command(
    "Score the answers of finished runs, or of files written by other tools; ask a "
    "judge about them; or make the score sheet of a suite of runs.",
    _EXAMPLES,
    {
        "": (*_ANSWERS, TRUST, by(f"{by().help}; of --label: the name of the person"), TRACEBACK),
        "labels of people": _PEOPLE,
        "asking a judge": _JUDGES,
        "the scores of a suite": _SUITE,
    },
    "chef score RUN|FILE ... [key=value ...] [options]",
)


def score(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    if given.label or given.labels is not None or given.draw is not None:
        from chef.cli.view import label, sheet

        check_form(given, "labelling" if given.label else "labels", _FORMS)
        return label(given) if given.label else sheet(given)
    items = [*given.answers, *(given.judge_cfg or ())]
    if given.suite is not None:
        check_form(given, "a suite", _FORMS)
        return trust(given)
    if given.judge_cfg is not None or any(item.startswith(OF_JUDGES) for item in items):
        check_form(given, "a judge", _FORMS)
        return judge(given)
    check_form(given, "a metric", _FORMS)
    return _score(given)


def _score(given: argparse.Namespace) -> int:
    from chef import api
    from chef.cli.terminal import quiet_pipe, terminal_width
    from chef.cli.view import print_labels
    from chef.scoring.override import changed_options
    from chef.session.inputs import as_recipe

    # argparse parses what follows --by FIELD as another field, also an option or the only path.
    others = [
        item for item in given.by if "=" in item or (not given.answers and Path(item).exists())
    ]
    paths, options = _split([*given.answers, *others])
    fields = [item for item in given.by if item not in others]
    if not paths:
        by = f" --by {' '.join(fields)}" if fields else ""
        raise ConfigError(
            "RUN_DIR is missing",
            hint=f"for example: chef score results/tiny/Shapes/ppl-20260101{by}",
        )
    recipe = as_recipe(given.recipe_cfg) if given.recipe_cfg else None
    changes = changed_options(options)
    reports: list[RunResult] = []
    try:
        for path in paths:
            report = api.score(
                path, given.metric, options=changes, recipe=recipe,
                trust=given.trust,
            )  # fmt: skip
            reports.append(report)
    finally:
        if reports:
            with quiet_pipe():
                print_reports(reports, terminal_width(), fields, traceback=given.traceback)
                print_labels(reports, terminal_width())
                sys.stdout.flush()
    check_by(fields, {report.label: report.by for report in reports})
    for report in reports:
        if report.unreadable:
            say(f"\n{_unreadable(report)}", sys.stderr)
    failed = any(report.has_failures for report in reports)
    return 1 if failed or any(report.unreadable for report in reports) else 0


def _unreadable(report: RunResult) -> str:
    return (
        f"{report.folder}: {report.coverage.missing} of {report.coverage.total} samples have no "
        f"answer, and {report.unreadable} line(s) of the journal cannot be read\n"
        "  -> the `chef eval` command of the run asks these samples again"
    )


def _split(items: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Separate paths from ``key=value`` options; an existing path is never an option."""
    options = [item for item in items if is_override(item)]
    return [Path(item) for item in items if item not in options], options


def trust(given: argparse.Namespace) -> int:
    """Print the scores and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.terminal import terminal_width
    from chef.common.writing import write_atomically
    from chef.suite.trust.sheets import trust_sheet

    if not given.answers:
        hint = "for example: chef score results --suite trust"
        raise ConfigError(
            "no folder with runs of the tasks, or with their logs, is given", hint=hint
        )
    check_outputs(given.json, given.csv)
    sheet = trust_sheet(
        [Path(item) for item in given.answers], models=given.models, partial=given.partial,
        allow=given.allow, rounded=given.rounded, seed=given.seed,
    )  # fmt: skip
    if given.csv:
        write_atomically(given.csv, sheet.as_csv())
    if not is_alone(given.json):
        say(sheet.table(terminal_width()))
    put_json(given.json, sheet.to_json())
    tell_written(given.json, given.csv)
    return 0


def judge(given: argparse.Namespace) -> int:
    """Ask the judges, print the scores and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.terminal import quiet_pipe, terminal_width
    from chef.config import load_recipe
    from chef.run.configuration import run_place
    from chef.session.judge_runs import judge_folders

    judges = given.judge_cfg or []
    items = [*given.answers, *judges]
    keys = [item for item in items if is_override(item)]
    runs = [run_place(Path(item)) for item in given.answers if item not in keys]
    files = [item for item in judges if item not in keys]
    if not runs:
        raise ConfigError(
            "RUN_DIR is missing",
            hint="for example: chef score results/tiny/Shapes/direct-20260101 --judge FILE",
        )
    if named := [item for item in runs if item.is_file() and item.suffix in (".yaml", ".yml")]:
        raise ConfigError(
            "is a file, not a run folder",
            where=str(named[0]),
            hint=f"give the judge with --judge {named[0]}",
        )
    if wrong := [item for item in keys if not item.startswith(OF_JUDGES)]:
        raise ConfigError(
            "only keys of judge_cfg can be given here",
            where=f"override '{wrong[0]}'",
            hint=f"write judge_cfg.{wrong[0]}; without --judge it is a key of the metric",
        )
    _, overrides = for_judge(keys, has_files=True)
    recipe = load_recipe(given.recipe_cfg) if given.recipe_cfg else None
    reports: list[RunResult] = []
    try:
        for report in judge_folders(
            runs, files, overrides, recipe=recipe, metric=given.metric,
            replies=given.response_cache, trust=given.trust,
        ):  # fmt: skip
            reports.append(report)  # noqa: PERF402 (finished reports are shown even after an error)
    finally:
        if reports:
            with quiet_pipe():
                print_reports(reports, terminal_width(), traceback=given.traceback)
                sys.stdout.flush()
    return 1 if any(report.has_failures for report in reports) else 0
