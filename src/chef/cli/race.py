"""The ``race`` command: which model is better, with no more samples than that needs."""

from __future__ import annotations

import argparse
from typing import Any

from chef.cli.how import add_device, add_place, add_subset
from chef.cli.json_output import add_json, check_outputs, is_alone, put_json, tell_written
from chef.cli.options import is_override
from chef.cli.score import add_traceback
from chef.common.printing import say
from chef.errors import ConfigError

_EXAMPLES = """\
examples:
  chef race Shapes/ppl --model_cfg tiny other.yaml       until the better one is known
  chef race Shapes/ppl --model_cfg a b c --limit 500     at most 500 samples each
  chef race Shapes/ppl --model_cfg a b --json race.json scenario_cfg.size=2000
  chef race Shapes/ppl --model_cfg hf:x/y hf:x/z --one-at-a-time
  chef race Shapes/ppl --model_cfg a b --on benchmark    better on these very samples is enough

All models are asked the same samples, in the same order drawn by --seed. A model that is clearly
worse than another one leaves. All intervals hold together, at every look, with 95 % probability.
Every run is an ordinary one: `chef eval` with the same options and without --limit finishes it.

exit codes: 0 done, decided or not; 2 bad input; 3 a run failed (the same command goes on)
"""


def add_race(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef race``."""
    command = commands.add_parser(
        "race",
        help="ask models the same samples until the best is known",
        description="Ask several models the same samples until one is better than all others.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = command.add_argument_group("what to run")
    what.add_argument(
        "what", nargs="*", default=[], metavar="RECIPE|key=value",
        help="the recipe, and keys of it, or of the models as model_cfg.key=value",
    )  # fmt: skip
    what.add_argument(
        "--model_cfg", "--model", metavar="FILE", nargs="+", action="extend", default=[],
        help="the models: YAML files, names of chef's own, or hf:owner/name",
    )  # fmt: skip
    what.add_argument(
        "--recipe_cfg", "--recipe", metavar="FILE", help="the recipe, as `chef eval` takes it"
    )
    add_subset(what, "--budget")
    what.add_argument(
        "--on", choices=["questions", "benchmark"], default="questions",
        help="where the winner is better: on all questions like these, of which the benchmark is a "
        "sample (default), or on the samples of this benchmark, which takes fewer of them",
    )  # fmt: skip
    add_place(command, with_name=True)
    how = command.add_argument_group("how to run")
    add_device(how)
    memory = how.add_mutually_exclusive_group()
    memory.add_argument(
        "--one-at-a-time", action="store_true",
        help="free the memory of each model after its turn (default: where several run on a GPU)",
    )  # fmt: skip
    memory.add_argument(
        "--keep-loaded", action="store_true", help="keep all models in memory, also on a GPU"
    )
    add_json(how, "the result")
    add_traceback(how)


def race(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.targets import share_out
    from chef.cli.terminal import quiet_pipe, terminal_width
    from chef.config import load_model, load_recipe
    from chef.suite.race.start import race as run_race

    check_outputs(given.json)
    overrides = [item for item in [*given.what, *given.model_cfg] if is_override(item)]
    recipe, names = _recipe_and_models(given)
    late = {"device": given.device, "dtype": given.dtype}
    options = [f"{key}={value}" for key, value in late.items() if value is not None]
    of_models, of_recipes = share_out(overrides, names, [recipe], options)
    limit = 32 if given.debug else given.sample_len
    found = run_race(
        [load_model(path, keys) for path, keys in of_models.items()],
        load_recipe(recipe, of_recipes[recipe]),
        limit=None if limit < 0 else limit,
        seed=given.seed,
        save_dir=given.save_dir,
        name=given.time,
        fresh=given.fresh,
        on=given.on,
        one_at_a_time=True if given.one_at_a_time else False if given.keep_loaded else None,
    )
    with quiet_pipe():
        if not is_alone(given.json):
            say(f"\n{found.table(terminal_width())}")
        put_json(given.json, found.to_json())
        tell_written(given.json)
    return 0


def _recipe_and_models(given: argparse.Namespace) -> tuple[str, list[str]]:
    """The recipe and the models; argparse takes what follows ``--model_cfg`` for models.

    Raises:
        ConfigError: there is not one recipe, or there are not two models.
    """
    words = [*given.what, *([given.recipe_cfg] if given.recipe_cfg else [])]
    recipes = [item for item in words if not is_override(item)]
    models = [item for item in given.model_cfg if not is_override(item)]
    names = list(dict.fromkeys(models))
    example = "for example: chef race Shapes/ppl --model_cfg tiny other.yaml"
    if not recipes:
        raise ConfigError("RECIPE is missing", hint=f"write it first, {example}")
    if len(recipes) > 1:
        told = ", ".join(recipes)
        what = f"a race has one recipe, and {len(recipes)} are given: {told}"
        raise ConfigError(what, hint=f"give models with --model_cfg, {example}")
    if len(names) < 2:
        told = f"'{names[0]}' alone is given" if names else "none is given"
        twice = " (twice)" if len(models) > 1 else ""
        what = f"a race has two models or more, and {told}{twice}"
        raise ConfigError(what, hint=f"name them after --model_cfg, {example}")
    return recipes[0], names
