"""Suites, sweeps and races on the command line: each a WHAT of ``chef eval`` like any other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from chef.cli.evaluate import evaluate, settings_of, shared_out
from chef.cli.failures import code_of_failures, print_errors, print_failures
from chef.cli.options import EvalOptions, check_form, share_out
from chef.cli.terminal import (
    check_outputs,
    interrupt_when_ended,
    is_alone,
    put_json,
    quiet_pipe,
    rest_of_output,
    tell_written,
    terminal_width,
)
from chef.cli.view import tell
from chef.common.printing import say
from chef.common.text import typed
from chef.common.writing import write_atomically
from chef.config import load_model, load_recipe
from chef.config.lookup import form_of
from chef.document.outline import as_text
from chef.errors import ConfigError
from chef.suite.members.asking import Suite
from chef.suite.members.result import SuiteResult
from chef.suite.members.sections import sections_of, write_chef_results, write_suite_page
from chef.suite.pages.view import view
from chef.suite.race.racing import race as run_race
from chef.suite.sweep.allocation import allocation
from chef.suite.sweep.page import sweep_table
from chef.suite.sweep.result import SweepResult
from chef.suite.sweep.running import Sweep
from chef.suite.sweep.samples import SWEEP


def sweep(options: EvalOptions) -> int:
    """Run the sweep and return the exit code; raises `chef.errors.ChefError`."""
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
    interrupt_when_ended()
    ready.run()
    with rest_of_output(options.json):
        print_errors(ready.reports, traceback=options.traceback)
    print_failures(ready.failures, traceback=options.traceback)
    if ready.reports:
        show_sweep(ready.result(), options.json, options.csv)
        with rest_of_output(options.json):
            if options.page:
                _page(ready.folder, opens=options.open)
            say(f"\nanalyse again: chef show {typed(ready.folder)}")
    failed = code_of_failures(ready.failures)
    return failed or (1 if any(report.has_failures for report in ready.reports) else 0)


def _plan(ready: Sweep, points: float, name: str) -> int:
    """Say what makes its scores more exact: questions, wordings or seeds; nothing is asked."""
    total = len(ready.session.models[0].runs[0].evaluator.scenario)
    say(as_text(allocation(name, ready.folder, points, total).sections(), terminal_width()))
    return 0


def _source(options: EvalOptions) -> str:
    """The file or name of the sweep. ConfigError: there is more, or it is one that has run."""
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
            hint=f"`chef show {typed(sources[0])}` analyses it again; give the file of the "
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
    tell(view(folder), opens=opens)


def show_sweep(result: SweepResult, json: str | None, table: Path | None = None) -> None:
    """Print what a sweep shows, and write the files that are wanted."""
    if table is not None:
        write_atomically(table, result.as_csv())
    with quiet_pipe():
        if not is_alone(json):
            say(f"\n{sweep_table(result, terminal_width())}")
        put_json(json, result.to_json())
        tell_written(json, table)


def ask_with_suites(options: EvalOptions) -> int:
    """Run ``chef eval`` and return the exit code: the recipes, then the suites.

    Raises:
        ChefError: something that was named is wrong, or a run failed.
    """
    suites = tuple(name for name in options.recipe_cfg if form_of(name) == "suite")
    recipes = tuple(name for name in options.recipe_cfg if name not in suites)
    check_form(options, "a suite")
    check_outputs(options.json)
    code = evaluate(replace(options, recipe_cfg=recipes)) if recipes else 0
    return _ask_suites(options, suites) or code


def _ask_suites(options: EvalOptions, names: tuple[str, ...]) -> int:
    """Ask each suite, show its figures, and return the exit code. Raises ChefError."""
    code = 0
    found = []
    for name in names:
        suite = _ready(replace(options, recipe_cfg=(name,)))
        if options.dry_run:
            say(_told(suite))
            print_failures(suite.failures, traceback=options.traceback)
            code = max(code, code_of_failures(suite.failures))
            continue
        interrupt_when_ended()
        results = suite.ask()
        for result in results:
            found.append(result.to_json())
            with quiet_pipe(), rest_of_output(options.json):
                _show(suite, result, options)
            if any(one.why and not one.is_left_out for one in result.members.values()):
                code = 1
        print_failures(suite.failures, traceback=options.traceback)
    if not options.dry_run:
        put_json(options.json, found)
        tell_written(options.json)
    return code


def _show(suite: Suite, result: SuiteResult, options: EvalOptions) -> None:
    """Print the figures, and write the page where one is wanted."""
    say(f"\n{as_text(sections_of(result), terminal_width())}")
    if result.has_runs:
        say(f"figures: {suite.folder / result.safe_name}.json")
    if options.chef_results:
        folder = suite.folder / f"{result.safe_name}_chef"
        files = write_chef_results(result, folder)
        say(f"ChEF's result files: {len(files)} in {folder}")
    if options.page:
        tell(
            write_suite_page(result, suite.folder / f"{result.safe_name}.html"), opens=options.open
        )


def _ready(options: EvalOptions) -> Suite:
    of_models, of_suites, of_judge = shared_out(options)
    specs = [load_model(path, own) for path, own in of_models.items()]
    (name,) = options.recipe_cfg
    return Suite(
        name,
        [(spec, spec.model.build()) for spec in specs],
        settings_of(options),
        overrides=of_suites[name],
        judges=options.judge_cfg,
        of_judge=of_judge,
    )


def _told(suite: Suite) -> str:
    """The members, and how many samples each will be asked."""
    asked = {
        run.evaluator.recipe.name: len(run.evaluator.ids)
        for one in suite.session.models
        for run in one.runs
    }
    left_out = suite.left_out()
    lines = [f"{suite.file.title}: {len(suite.file.members)} members, {len(asked)} runs"]
    for name in suite.file.members:
        recipe = suite.recipes.get(name)
        if recipe is None or recipe.name not in asked:
            lines.append(f"  {name}: left out: {left_out.get(name, 'it cannot be asked')}")
            continue
        alike = "" if recipe.name == name else f", the run of {recipe.name}"
        lines.append(f"  {name}: {asked[recipe.name]} samples{alike}")
    return "\n".join(lines)


_EXAMPLE = "for example: chef eval --race Shapes/ppl --model_cfg tiny other.yaml"


def race(options: EvalOptions) -> int:
    """Run the race and return the exit code; raises `chef.errors.ChefError`.

    All models are asked the same samples, in the same order drawn by the seed. Every run is an
    ordinary one: the same command without ``--race`` and ``--limit`` finishes it.
    """
    check_form(options, "a race")
    recipe, names = _recipe_and_models(options)
    if (form := form_of(recipe)) in ("suite", "sweep"):
        hint = f"name one of its recipes; `chef eval {recipe}` asks it of several models"
        raise ConfigError(f"is a {form}, and a race has one recipe", where=recipe, hint=hint)
    check_outputs(options.json)
    of_models, of_recipes = share_out(options.overrides, names, [recipe], options.of_models)
    result = run_race(
        [load_model(path, keys) for path, keys in of_models.items()],
        load_recipe(recipe, of_recipes[recipe]),
        limit=options.sample_len,
        seed=options.seed,
        batch_size=options.batch_size,
        save_dir=options.save_dir,
        name=options.time,
        fresh=options.fresh,
        workers=options.workers,
        ray_address=options.ray_address,
        timeout=options.timeout,
        on="benchmark" if options.on == "benchmark" else "questions",
        earlier=options.earlier,
        one_at_a_time=True if options.one_at_a_time else False if options.keep_loaded else None,
    )
    with quiet_pipe():
        if not is_alone(options.json):
            say(f"\n{result.table(terminal_width())}")
        put_json(options.json, result.to_json())
        tell_written(options.json)
    return 0


def _recipe_and_models(options: EvalOptions) -> tuple[str, list[str]]:
    """The recipe and the models; ConfigError unless there are one and at least two."""
    recipes, models = options.recipe_cfg, [*options.model_cfg]
    if len(recipes) > 1:
        what = f"a race has one recipe, and {len(recipes)} are given: {', '.join(recipes)}"
        raise ConfigError(what, hint=f"give models with --model_cfg, {_EXAMPLE}")
    if len(models) < 2:
        given = f"'{models[0]}' alone is given" if models else "none is given"
        what = f"a race has two models or more, and {given}"
        raise ConfigError(what, hint=f"name them after --model_cfg, {_EXAMPLE}")
    return recipes[0], models
