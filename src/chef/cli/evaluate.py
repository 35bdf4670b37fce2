"""The ``eval`` command: run an evaluation, show its progress and print a table of results."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.cli.failures import check_by, code_of_failures, print_failures, print_reports
from chef.cli.options import EvalOptions, check_form, for_judge, share_out
from chef.cli.preview import show_preview
from chef.cli.show import sample_ids
from chef.cli.terminal import interrupt_when_ended, quiet_pipe, terminal_width
from chef.cli.view import write_reports
from chef.common.printing import say
from chef.config import Recipe, load_model, load_recipe, with_judge
from chef.errors import ConfigError
from chef.run.plan import RunOptions
from chef.session.checking import RecipeFailure, check_columns, check_judges, raise_failures
from chef.session.model_runs import ModelRuns
from chef.session.session import Built, Session
from chef.session.settings import Settings

if TYPE_CHECKING:
    from chef.scoring.result import RunResult


def evaluate(options: EvalOptions) -> int:
    """Run recipes and return the exit code; raises `chef.errors.ChefError`."""
    check_form(options, "a recipe" if options.store is None else "a run in an object store")
    if options.plan is not None:
        return _plan(_session(options), options.plan, options)
    if options.dry_run:
        return dry_run(_session(replace(options, keep_going=True)), options)
    if options.store is not None:
        from chef.cli import stored  # what it loads is of no other run

        return stored.ask(_session(options), options)
    return run(_session(options), options)


def run(
    session: Session,
    options: EvalOptions,
    on_report: Callable[[RunResult], None] | None = None,
) -> int:
    """Ask the models, show progress and results, and return the exit code."""
    for one in session.models:
        _check_by(one, options)
    interrupt_when_ended()
    # Images that large cause a separate error.
    warnings.filterwarnings("ignore", message="Image size .* exceeds limit")
    reports: list[RunResult] = []
    try:
        for report in session.run():
            reports.append(report)  # finished reports are shown even after an error
            if on_report is not None:
                on_report(report)
    finally:
        with quiet_pipe():
            _show(reports, session, options)
    with quiet_pipe():
        print_failures(session.failures, traceback=options.traceback)
    if reports:
        check_by(options.by, {report.label: report.by for report in reports})
    failed = code_of_failures(session.failures)
    failed = failed or (1 if any(report.has_failures for report in reports) else 0)
    code = 0
    if reports and options.page:
        with quiet_pipe():
            code = write_reports(reports, options.by, opens=options.open)
    return failed or code


def _plan(session: Session, points: float, options: EvalOptions) -> int:
    """Say how many samples of each recipe are needed; nothing is asked."""
    from chef.document.outline import as_text
    from chef.report.sizes import sizes

    labels = {
        f"{run.evaluator.scenario.name}/{run.evaluator.recipe.name}": len(run.evaluator.scenario)
        for one in session.models
        for run in one.runs
    }
    models = {one.name for one in session.models}
    for label, total in labels.items():
        found = sizes(label, total, points, options.save_dir, models)
        say(as_text(found.sections(), terminal_width()))
    return 0


def _show(reports: Sequence[RunResult], session: Session, options: EvalOptions) -> None:
    """Print the table, the errors of samples, and a line for each run without a result."""
    from chef.document.outline import as_text
    from chef.document.sections import Words
    from chef.report.runs import next_steps

    if not reports:
        return
    columns = terminal_width()
    print_reports(reports, columns, options.by, traceback=options.traceback)
    if others := _without_report(reports, session, options):
        lines = [f"{label}  {what}" for label, what in others.items()]
        say("\n" + as_text([Words("without a result:", lines)], columns))
    if columns is not None:  # only a person at a terminal types something next
        say(f"\n{next_steps(reports, options.save_dir, by=options.by)}")
    sys.stdout.flush()


def _check_by(model: ModelRuns, options: EvalOptions) -> None:
    """Refuse fields of ``--by`` that no scenario has, before anything is asked."""
    known, columns = {}, set[str]()
    for run in model.runs:
        if (use := run.evaluator.scenario.column_use()) is not None:
            columns.update(use.unused)
        metrics, record = run.evaluator.metrics, run.preview.sample.to_record()
        has = [name for name, field in metrics.groupings.items() if record.get(field)]
        # A later sample may have what the first one lacks.
        known[metrics.label] = {*has, *(name for name in options.by if name in metrics.groupings)}
    if column := next((name for name in options.by if name in columns), None):
        raise ConfigError(
            f"the column '{column}' is not used",
            where="--by",
            hint=f"scenario_cfg.keep=[{column}] makes it a field to group by",
        )
    check_by(options.by, known)


def _without_report(
    reports: Sequence[RunResult], session: Session, options: EvalOptions
) -> dict[str, str]:
    """What became of each run that has no report."""
    several = len(options.model_cfg) > 1
    found: dict[str, str] = {}
    for failure in session.failures:
        model, recipes = failure.model, [failure.recipe]
        if failure.recipe in options.model_cfg:  # none of its recipes could run
            model, recipes = failure.recipe, list(options.recipe_cfg)
        for recipe in recipes:
            label = f"{model}  {Path(recipe).stem}" if several and model else Path(recipe).stem
            found[label] = f"failed: {failure.why}"
    done = {(report.model, report.recipe, report.scenario) for report in reports}
    for one in session.models:
        for run in one.runs:
            name, scenario = run.evaluator.recipe.name, run.evaluator.scenario.name
            label = f"{one.name}  {name}" if several else name
            if (one.name, name, scenario) not in done and label not in found:
                found[label] = "not finished"
    return found


def dry_run(session: Session, options: EvalOptions) -> int:
    """Check every model and recipe, and show what the first sample of each is asked."""
    failures = session.failures
    for one in session.models:
        _check_by(one, options)
        try:
            one.check_settings()
        except Exception as error:
            failures.append(RecipeFailure(str(one.spec.document.path), error))
        for run in one.runs:
            evaluator = run.evaluator
            try:
                check_columns(evaluator, options.allow)
                rehearsal, notice = evaluator.rehearse(run.preview.sample)
            except Exception as error:
                failures.append(RecipeFailure(str(evaluator.recipe.document.path), error))
                continue
            show_preview(evaluator, one.spec, rehearsal, notice)
            try:
                check_judges(evaluator.recipe)
            except Exception as error:
                failures.append(RecipeFailure(str(evaluator.recipe.document.path), error))
    raise_failures(failures)
    return 0


def _session(options: EvalOptions) -> Session:
    """Read every model file and every recipe; SeveralErrors where several are wrong."""
    of_models, of_recipes, of_judge = shared_out(options)
    refused: list[RecipeFailure] = []
    models: list[Built] = []
    recipes: list[Recipe] = []
    for path, overrides in of_models.items():
        try:
            spec = load_model(path, overrides)
            models.append((spec, spec.model.build()))
        except Exception as error:
            refused.append(RecipeFailure(path, error))
    for path, overrides in of_recipes.items():
        try:
            recipe = load_recipe(path, overrides)
            recipes.append(with_judge(recipe, options.judge_cfg, of_judge))
        except Exception as error:
            refused.append(RecipeFailure(path, error))
    return Session(models, recipes, settings_of(options), refused)


def shared_out(
    options: EvalOptions,
) -> tuple[dict[str, list[str]], dict[str, list[str]], list[str]]:
    """The overrides of each model, of each recipe or suite, and of the judges."""
    keys = [*options.overrides]
    if options.data_root is not None:
        keys.append(f"scenario_cfg.data_root={options.data_root}")
    overrides, of_judge = for_judge(keys, has_files=bool(options.judge_cfg))
    # Options come late, so that --device takes precedence over model_cfg.device=...
    shared = share_out(overrides, options.model_cfg, options.recipe_cfg, options.of_models)
    return (*shared, of_judge)


def settings_of(options: EvalOptions) -> Settings:
    """How recipes are run: the options that the fields of `Settings` and `RunOptions` name."""
    values: dict[str, Any] = {
        field.name: getattr(options, field.name) for field in fields(EvalOptions)
    }
    values |= {
        "name": options.time,
        "ids": sample_ids(options.ids),
        "earlier": tuple(map(Path, options.earlier)),
    }
    run, how = (
        {field.name: values[field.name] for field in fields(kind) if field.name in values}
        for kind in (RunOptions, Settings)
    )
    return Settings(RunOptions(**run), **how)


def task(options: EvalOptions) -> int:
    """Run the tasks and return the exit code; raises `chef.errors.ChefError`."""
    from chef.session.tasks import Logs, sessions_of  # no recipe needs them

    check_form(options, "a task")
    overrides = [*options.overrides]
    if options.data_root is not None:
        overrides.append(f"dataset_cfg.data_root={options.data_root}")
    groups = sessions_of(
        options.recipe_cfg,
        datasets=options.datasets,
        models=options.model_cfg,
        judges=options.judge_cfg,
        overrides=overrides,
        model_overrides=options.of_models,
        settings=settings_of(options),
    )
    code = 0
    # Every task and every place of a log is checked before the first question.
    checked = [
        (session, Logs(tasks, [one.name for one in session.models])) for session, tasks in groups
    ]
    for session, logs in checked:
        if options.dry_run:
            code = max(code, dry_run(session, options))
            continue
        code = max(code, run(session, options, logs.write))
        for path in logs.written:
            say(f"log: {path}")
    return code
