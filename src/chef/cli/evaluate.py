"""The ``eval`` command: run an evaluation, show its progress and print a table of results."""

from __future__ import annotations

import signal
import warnings

from chef.api import ready
from chef.cli.arguments import EvalOptions
from chef.cli.preview import show_preview
from chef.config import load_model, load_recipe
from chef.report.run_report import RunReport, table
from chef.run.plan import RunOptions
from chef.workers.evaluation import Evaluation, Settings


def evaluate(options: EvalOptions) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    evaluation = _evaluation(options)
    if options.dry_run:
        for evaluator, preview in zip(evaluation.evaluators, evaluation.previews, strict=True):
            show_preview(evaluator, evaluation.spec, preview)
        return 0
    # Handle SIGTERM (sent by schedulers, for example) like Ctrl-C, which closes the journal.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Images that large cause a separate error.
    warnings.filterwarnings("ignore", message="Image size .* exceeds limit")
    reports: list[RunReport] = []
    try:
        for report in evaluation.run():
            reports.append(report)  # noqa: PERF402 (finished reports are shown even after an error)
    finally:
        if reports:
            print(f"\n{table(reports)}")
    return 1 if any(report.coverage.errors for report in reports) else 0


def _evaluation(options: EvalOptions) -> Evaluation:
    assert options.model_cfg is not None
    model_overrides, recipe_overrides = _split(options)
    spec = load_model(options.model_cfg, model_overrides)
    recipes = [load_recipe(path, recipe_overrides) for path in options.recipe_cfg]
    settings = Settings(
        RunOptions(options.sample_len, options.seed, options.batch_size, options.verify),
        options.save_dir,
        options.time,
        options.workers,
        options.ray_address,
        options.response_cache,
        options.fresh,
        options.reuse_answers,
    )
    return ready(spec, recipes, settings)


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
