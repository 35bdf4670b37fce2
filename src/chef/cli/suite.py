"""Suites on the command line: a WHAT of ``chef eval`` like any other."""

from __future__ import annotations

import signal
from dataclasses import replace

from chef.cli.evaluate import evaluate, settings_of, shared_out
from chef.cli.json_output import check_outputs, put_json, rest_of_output, tell_written
from chef.cli.options import EvalOptions, check_form
from chef.cli.terminal import quiet_pipe, terminal_width
from chef.cli.view import tell
from chef.common.printing import say
from chef.config import load_model
from chef.config.lookup import form_of
from chef.document.outline import as_text
from chef.suite.members.asking import Suite
from chef.suite.members.result import SuiteResult
from chef.suite.members.sections import sections_of, write_chef_results, write_suite_page


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
            continue
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        results = suite.ask()
        for result in results:
            found.append(result.to_json())
            with quiet_pipe(), rest_of_output(options.json):
                _show(suite, result, options)
            if any(one.why and not one.is_left_out for one in result.members.values()):
                code = 1
    if not options.dry_run:
        put_json(options.json, found)
        tell_written(options.json)
    return code


def _show(suite: Suite, result: SuiteResult, options: EvalOptions) -> None:
    """Print the figures, and write the page where one is wanted."""
    say(f"\n{as_text(sections_of(result), terminal_width())}")
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
    lines = [f"{suite.file.title}: {len(suite.file.members)} members, {len(asked)} runs"]
    for name in suite.file.members:
        recipe = suite.recipes.get(name)
        if recipe is None or recipe.name not in asked:
            lines.append(f"  {name}: left out: {suite.lacking.get(name, 'it cannot be asked')}")
            continue
        alike = "" if recipe.name == name else f", the run of {recipe.name}"
        lines.append(f"  {name}: {asked[recipe.name]} samples{alike}")
    return "\n".join(lines)
