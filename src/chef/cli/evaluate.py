"""The ``eval`` command: check everything, then cook recipe after recipe with one loaded model."""

from __future__ import annotations

import re
import signal
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from chef.cli.arguments import EvalOptions
from chef.cli.preview import show_preview
from chef.cli.progress import Progress
from chef.cli.summary import Row, show_summary
from chef.config import ModelSpec, load_model, load_recipe
from chef.evaluator import Evaluator, RunOptions
from chef.models import TestBase
from chef.run_store import RunFolder


def evaluate(options: EvalOptions) -> int:
    """Run the command; returns the exit code, raises `chef.errors.ChefError`."""
    assert options.model_cfg is not None
    model_overrides, recipe_overrides = _split(options)
    spec = load_model(options.model_cfg, model_overrides)
    model = spec.model.build()  # cheap: weights are loaded when they are needed
    run = RunOptions(options.sample_len, options.seed, options.batch_size)
    recipes = [load_recipe(path, recipe_overrides) for path in options.recipe_cfg]
    for recipe in recipes:
        for notice in recipe.notices:
            print(f"note: {recipe.document.path}: {notice}", file=sys.stderr)
    evaluators = [Evaluator(recipe, run) for recipe in recipes]
    previews = [evaluator.preview() for evaluator in evaluators]
    if options.dry_run:
        for evaluator, preview in zip(evaluators, previews, strict=True):
            show_preview(evaluator, spec, preview)
        return 0
    # A polite stop (a scheduler's, say) ends like Ctrl-C: with the journal closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return _cook(evaluators, model, spec, options)


def _cook(
    evaluators: list[Evaluator], model: TestBase, spec: ModelSpec, options: EvalOptions
) -> int:
    rows: list[Row] = []
    try:
        for number, evaluator in enumerate(evaluators, start=1):
            title = f"[{number}/{len(evaluators)}] " if len(evaluators) > 1 else ""
            rows.append(_run(evaluator, model, spec, options, title))
    finally:
        model.close()
        if rows:
            show_summary(rows)
    return 1 if any(row.report.coverage.errors for row in rows) else 0


def _run(
    evaluator: Evaluator, model: TestBase, spec: ModelSpec, options: EvalOptions, title: str
) -> Row:
    path = run_path(options, model.name, evaluator)
    with RunFolder(path, evaluator.config(spec)) as folder:
        for notice in folder.notices:
            print(f"note: {notice}", file=sys.stderr)
        todo = folder.todo(evaluator.ids)
        if todo:
            model.prepare()  # before the bar: loading has a bar of its own
        done = len(evaluator.ids) - len(todo)
        label = f"{title}{evaluator.scenario.name}/{evaluator.recipe.name}"
        with Progress(label, len(evaluator.ids), done, evaluator.metric) as progress:
            report = evaluator.evaluate(
                model, folder, on_prediction=progress.update, redact=redactor(evaluator, spec)
            )
    return Row(evaluator, model.name, report, path)


def run_path(options: EvalOptions, model_name: str, evaluator: Evaluator) -> Path:
    """``<save_dir>/<model>/<scenario>/<recipe>-<time>``."""
    run_name = options.time or datetime.now().astimezone().strftime("%Y%m%d")
    names = (model_name, evaluator.scenario.name, f"{evaluator.recipe.name}-{run_name}")
    return options.save_dir.joinpath(*(re.sub(r"[^\w.+()-]", "_", name) for name in names))


def redactor(evaluator: Evaluator, spec: ModelSpec) -> Any:
    """A function that removes every secret of the configuration from a text."""
    secrets = (*spec.document.secrets(), *evaluator.recipe.document.secrets())

    def redact(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, "<redacted>")
        return text

    return redact


def _split(options: EvalOptions) -> tuple[list[str], list[str]]:
    """Overrides of the model and of the recipes."""
    model, recipe = [], []
    for item in options.overrides:
        if item.startswith("model_cfg."):
            model.append(item.removeprefix("model_cfg."))
        else:
            recipe.append(item.removeprefix("recipe_cfg."))
    # The options come last: --device wins over model_cfg.device=...
    given = {"device": options.device, "dtype": options.dtype}
    model += [f"{key}={value}" for key, value in given.items() if value is not None]
    return model, recipe
