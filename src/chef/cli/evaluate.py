"""The ``eval`` command: run an evaluation, show its progress and print a table of results."""

from __future__ import annotations

import signal
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace

from chef.cli.arguments import EvalOptions
from chef.cli.failures import code_of_failures, print_errors, print_failures
from chef.cli.preview import show_preview
from chef.cli.terminal import quiet_pipe, terminal_width
from chef.common.printing import say
from chef.config import ModelSpec, Recipe, load_model, load_recipe
from chef.models import Model
from chef.report.run_report import RunReport, table
from chef.report.summary import summary
from chef.run.plan import RunOptions
from chef.workers.checking import Failure, check_recipes, raise_failures
from chef.workers.evaluation import Evaluation, Settings


def evaluate(options: EvalOptions) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    if options.dry_run:
        return _dry_run(options)
    evaluation = _evaluation(options)
    # Handle SIGTERM (sent by schedulers, for example) like Ctrl-C, which closes the journal.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Images that large cause a separate error.
    warnings.filterwarnings("ignore", message="Image size .* exceeds limit")
    reports: list[RunReport] = []
    try:
        for report in evaluation.run():
            reports.append(report)  # noqa: PERF402 (finished reports are shown even after an error)
    finally:
        with quiet_pipe():
            _show(reports, evaluation.failures, options)
    with quiet_pipe():
        print_failures(evaluation.failures, traceback=options.traceback)
    failed = code_of_failures(evaluation.failures)
    return failed or (1 if any(report.coverage.errors for report in reports) else 0)


def _show(reports: Sequence[RunReport], failures: Sequence[Failure], options: EvalOptions) -> None:
    """Print the table, the errors of samples, and for several recipes one line each."""
    if not reports:
        return
    columns = terminal_width()
    say(f"\n{table(reports, columns)}")
    print_errors(reports, traceback=options.traceback)
    if len(reports) + len(failures) > 1:
        failed = {failure.recipe: failure.why for failure in failures}
        say(f"\n{summary(reports, failed, columns)}")
    sys.stdout.flush()


def _dry_run(options: EvalOptions) -> int:
    """Check the model and every recipe, and show what the first sample of each is asked."""
    evaluation = _evaluation(replace(options, keep_going=True))
    failures = list(evaluation.failures)
    try:
        evaluation.model.check_settings()
    except Exception as error:
        failures.insert(0, Failure(str(options.model_cfg), error))
    for evaluator, preview in zip(evaluation.evaluators, evaluation.previews, strict=True):
        try:
            rehearsal, notice = evaluator.rehearse(preview.sample)
        except Exception as error:
            failures.append(Failure(str(evaluator.recipe.document.path), error))
        else:
            show_preview(evaluator, evaluation.spec, rehearsal, notice)
    raise_failures(failures)
    return 0


def _evaluation(options: EvalOptions) -> Evaluation:
    """Read the model file and every recipe.

    Raises:
        SeveralErrors: several of them are wrong.
    """
    model_overrides, recipe_overrides = _split(options)
    refused: list[Failure] = []
    recipes: list[Recipe] = []
    found: tuple[ModelSpec, Model] | None = None
    assert options.model_cfg is not None
    try:
        spec = load_model(options.model_cfg, model_overrides)
        found = spec, spec.model.build()
    except Exception as error:
        refused.append(Failure(options.model_cfg, error))
    for path in options.recipe_cfg:
        try:
            recipes.append(load_recipe(path, recipe_overrides))
        except Exception as error:
            refused.append(Failure(path, error))
    run = RunOptions(options.sample_len, options.seed, options.batch_size, options.verify)
    if found is None:  # nothing can run; what else is wrong is told too
        refused += check_recipes(recipes, run, None).failures
        raise_failures(refused)
    assert found is not None
    settings = Settings(
        run,
        options.save_dir,
        options.time,
        options.workers,
        options.ray_address,
        options.response_cache,
        options.keep_going,
        options.fresh,
        options.reuse_answers,
    )
    return Evaluation(*found, recipes, settings, refused)


def _split(options: EvalOptions) -> tuple[list[str], list[str]]:
    """Separate the overrides of the model from those of the recipes."""
    model, recipe = [], []
    for item in options.overrides:
        if item.startswith("model_cfg."):
            model.append(item.removeprefix("model_cfg."))
        else:
            recipe.append(item.removeprefix("recipe_cfg."))
    # Options come last, so that --device takes precedence over model_cfg.device=...
    given = {"device": options.device, "dtype": options.dtype}
    model += [f"{key}={value}" for key, value in given.items() if value is not None]
    return model, recipe
