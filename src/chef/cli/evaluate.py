"""The ``eval`` command: check everything, then cook recipe after recipe with one loaded model."""

from __future__ import annotations

import re
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.arguments import EvalOptions
from chef.cli.preview import show_preview
from chef.cli.progress import Progress
from chef.cli.summary import Row, show_summary
from chef.config import ModelSpec, Recipe, load_model, load_recipe
from chef.engine.response_cache import ResponseCache
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.metric import Report
from chef.models import TestBase
from chef.run.environment import reply_identity
from chef.run.folder import RunFolder
from chef.run.plan import Runner, RunOptions
from chef.workers.in_process import LocalRunner

if TYPE_CHECKING:
    from chef.workers.pool import RayPool


def evaluate(options: EvalOptions) -> int:
    """Run the command; returns the exit code, raises `chef.errors.ChefError`."""
    assert options.model_cfg is not None
    model_overrides, recipe_overrides = _split(options)
    spec = load_model(options.model_cfg, model_overrides)
    model = spec.model.build()  # cheap: weights are loaded when they are needed
    run = RunOptions(options.sample_len, options.seed, options.batch_size, options.verify)
    recipes = [load_recipe(path, recipe_overrides) for path in options.recipe_cfg]
    for recipe in recipes:
        _note(recipe, recipe.notices)
    evaluators = [Evaluator(recipe, run) for recipe in recipes]
    for evaluator in evaluators:
        _note(evaluator.recipe, evaluator.notices)
    for evaluator in evaluators:
        evaluator.instruction.drop_example_images(model.max_images)  # as the query will be sent
    previews = [evaluator.preview() for evaluator in evaluators]
    if options.dry_run:
        for evaluator, preview in zip(evaluators, previews, strict=True):
            show_preview(evaluator, spec, preview)
        return 0
    # A polite stop (a scheduler's, say) ends like Ctrl-C: with the journal closed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Images that large are refused anyway, by an error of their own.
    warnings.filterwarnings("ignore", message="Image size .* exceeds limit")
    with ExitStack() as stack:
        pool = _pool(options, spec, model)
        if pool is not None:
            stack.callback(pool.close)
            runner: Runner = pool
        else:
            identity = reply_identity(model.fingerprint(), spec.plugins)
            responses = ResponseCache(identity, options.response_cache)
            runner = LocalRunner(model, stack.enter_context(closing(responses)))
        # Every folder is checked and locked before the first question is asked.
        paths = run_paths(options, model.name, evaluators)
        folders = [
            stack.enter_context(RunFolder(path, evaluator.config(spec)))
            for path, evaluator in zip(paths, evaluators, strict=True)
        ]
        return _cook(evaluators, folders, model, runner)


def _pool(options: EvalOptions, spec: ModelSpec, model: TestBase) -> RayPool | None:
    """The workers; none without --workers or --ray-address."""
    if options.workers is None and options.ray_address is None:
        return None
    from chef.workers.pool import RayPool

    return RayPool(
        spec,
        model.fingerprint(),
        options.workers,
        options.ray_address,
        response_cache=options.response_cache,
    )


def _note(recipe: Recipe, notices: Sequence[str]) -> None:
    for notice in notices:
        print(f"note: {recipe.document.path}: {notice}", file=sys.stderr)


def _cook(
    evaluators: list[Evaluator], folders: list[RunFolder], model: TestBase, runner: Runner
) -> int:
    rows: list[Row] = []
    known = 0
    try:
        for number, (evaluator, folder) in enumerate(zip(evaluators, folders, strict=True), 1):
            title = f"[{number}/{len(evaluators)}] " if len(evaluators) > 1 else ""
            report = _run(evaluator, folder, model, runner, title)
            known = _tell_news(model.name, runner.notices, known)
            rows.append(
                Row(
                    evaluator.metric_run,
                    f"model: {model.name}",
                    report,
                    f"Run folder: {folder.path}",
                )
            )
    finally:
        model.close()
        if rows:
            show_summary(rows)
    return 1 if any(row.report.coverage.errors for row in rows) else 0


def _say(text: str) -> None:
    """Print a note, without disturbing a progress bar."""
    from tqdm import tqdm

    tqdm.write(f"note: {text}", sys.stderr)


def _tell_news(name: str, notices: Sequence[str], known: int) -> int:
    """Print what became known of the model; returns how many notices are known now."""
    for notice in notices[known:]:
        print(f"note: {name}: {notice}", file=sys.stderr)
    return len(notices)


def _run(
    evaluator: Evaluator, folder: RunFolder, model: TestBase, runner: Runner, title: str
) -> Report:
    for notice in folder.notices:
        print(f"note: {notice}", file=sys.stderr)
    todo = folder.todo(evaluator.ids)
    if todo:
        runner.prepare()  # before the bar: loading has a bar of its own
    done = len(evaluator.ids) - len(todo)
    label = f"{title}{evaluator.scenario.name}/{evaluator.recipe.name}"
    with Progress(label, len(evaluator.ids), done, evaluator.metric) as progress:
        report = evaluator.evaluate(model, folder, runner, on_prediction=progress.update)
    if todo and (summary := runner.summary()):
        print(summary, file=sys.stderr)
    return report


def run_paths(options: EvalOptions, model_name: str, evaluators: list[Evaluator]) -> list[Path]:
    """``<save_dir>/<model>/<scenario>/<recipe>-<time>`` of each recipe.

    Raises:
        ConfigError: two recipes would share a folder.
    """
    run_name = options.time or datetime.now().astimezone().strftime("%Y%m%d")
    taken: dict[Path, Evaluator] = {}
    for evaluator in evaluators:
        names = (model_name, evaluator.scenario.name, f"{evaluator.recipe.name}-{run_name}")
        path = options.save_dir.joinpath(*(re.sub(r"[^\w.+()-]", "_", name) for name in names))
        if path in taken:
            raise ConfigError(
                f"would write to the run folder of {taken[path].recipe.document.path}",
                where=str(evaluator.recipe.document.path),
                mend="give the recipe files different names, or run them one by one with --time",
            )
        taken[path] = evaluator
    return list(taken)


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
