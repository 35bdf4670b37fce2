"""``chef eval --race``: which model is better, with no more samples than that needs."""

from __future__ import annotations

from chef.cli.json_output import check_outputs, is_alone, put_json, tell_written
from chef.cli.options import EvalOptions, check_form
from chef.common.printing import say
from chef.errors import ConfigError

_EXAMPLE = "for example: chef eval --race Shapes/ppl --model_cfg tiny other.yaml"


def race(options: EvalOptions) -> int:
    """Run the race and return the exit code; raises `chef.errors.ChefError`.

    All models are asked the same samples, in the same order drawn by the seed. Every run is an
    ordinary one: the same command without ``--race`` and ``--limit`` finishes it.
    """
    from chef.cli.targets import share_out
    from chef.cli.terminal import quiet_pipe, terminal_width
    from chef.config import load_model, load_recipe
    from chef.suite.race.racing import race as run_race

    check_form(options, "a race")
    recipe, names = _recipe_and_models(options)
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
