"""In which form ``chef eval`` asks: recipes, tasks with their logs, a sweep, a suite, or a race."""

from __future__ import annotations

from chef.cli.options import EvalOptions


def ask(options: EvalOptions) -> int:
    """Ask in the form that fits, and return the exit code; raises `chef.errors.ChefError`."""
    # Each form is imported when it is needed, as some take longer.
    if options.race:
        from chef.cli.race import race

        return race(options)
    from chef.config.lookup import form_of

    forms = {form_of(item) for item in options.recipe_cfg}
    if "sweep" in forms:
        from chef.cli.sweep import sweep

        return sweep(options)
    if forms == {"task"}:
        from chef.cli.evaluate import task

        return task(options)
    if "suite" in forms:
        from chef.cli.suite import ask_with_suites

        return ask_with_suites(options)
    from chef.cli.evaluate import evaluate

    return evaluate(options)
