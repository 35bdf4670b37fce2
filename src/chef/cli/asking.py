"""The arguments of ``chef eval``: a model, what it is asked, and how."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from shlex import quote
from typing import Any

from chef.cli import elsewhere
from chef.cli.how import add_how, add_precision, add_subset
from chef.cli.json_output import add_json
from chef.cli.options import EvalOptions, is_override
from chef.cli.parser import VERBS, Parser
from chef.cli.targets import add_judge_cfg
from chef.errors import similar

_EXAMPLES = """\
examples:
  chef eval tiny Shapes/ppl                         a model and a recipe of chef
  chef eval my_model.yaml my.yaml mmbench_dev_en my.csv
                                                    files, a benchmark, a table
  chef eval hf:llava-hf/llava-1.5-7b-hf pope        a checkpoint of the hub
  ... scenario_cfg.size=9 model_cfg.dtype=bfloat16  any key of the files
  chef eval tiny privacy/p3-infoflow                a task of MMTrustEval
  chef eval tiny desiderata                         a suite: six scores
  chef eval sweeps/Shapes                           a sweep: what decides?
  chef eval --race Shapes/ppl --model_cfg a b       until the better is known

exit codes: 0 done, 1 some samples failed, 2 bad input, 3 the run failed
"""
#: The options that ``--help`` shows; ``--help-all`` shows all.
_USUAL = ("words", "sample_len", "judge_cfg", "precision", "race", "by", "page", "dry_run",
          "save_dir", "device", "workers", "help", "help_all")  # fmt: skip


def add_eval(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the arguments of ``chef eval``."""
    command = commands.add_parser(
        "eval",
        usage="chef eval MODEL WHAT ... [key=value ...] [options]",
        help=VERBS["eval"],
        description="Ask a MODEL what is named after it: recipes, benchmarks, tables, tasks, or "
        "a sweep. Every answer is saved at once; the same command goes on where it stopped.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.show_only(_USUAL)
    _add_what(command)
    add_how(command)
    _add_forms(command)
    look = command.add_argument_group("look without running")
    look.add_argument(
        "--dry-run", action="store_true",
        help="check everything and show every query of the first sample; no model is loaded "
        "(plugins that the files name are imported, so their code runs)",
    )  # fmt: skip
    look.add_argument("--list", action="store_true", help="the same as `chef list`")


def _add_what(command: Parser) -> None:
    what = command.add_argument_group("what to run")
    what.add_argument(
        "--model_cfg", "--model", "--model-id", metavar="FILE", nargs="+", action="extend",
        default=[],
        help="YAML file(s) of the model, names of chef's own, or hf:owner/name; one is loaded "
        "after the other",
    )  # fmt: skip
    what.add_argument(
        "--model-args", metavar="K=V,K=V", type=elsewhere.model_args,
        help="keys of all models: the same as model_cfg.K=V",
    )  # fmt: skip
    what.add_argument(
        "--recipe_cfg", "--recipe", "--config", metavar="FILE", nargs="+", action="extend",
        default=[],
        help="what is asked, as the words after the model name it: Shapes/ppl, my.yaml, my.csv",
    )  # fmt: skip
    add_judge_cfg(what)
    what.add_argument(
        "--allow", nargs="+", action="extend", default=[], metavar="WORD",
        choices=["text-only", "unscored"],
        help="ask a table though no column is known to hold images (text-only) or answers "
        "(unscored), and columns are left over",
    )  # fmt: skip
    elsewhere.add_options(what)
    what.add_argument(
        "words", metavar="MODEL WHAT|key=value", nargs="*", default=[],
        help="the model and what it is asked, or a key of the recipes; of the models as "
        "model_cfg.key=value; NAME:key=value is for one of them, for example "
        "Shapes/ppl:scenario_cfg.size=10",
    )  # fmt: skip
    what.add_argument(
        "--data-root", metavar="DIR",
        help="the folder with VLMEvalKit's benchmarks and your own, NAME.tsv (default: $LMUData, "
        "else ~/LMUData), or with MMTrustEval's data (default: $CHEF_MMTRUST_DATA, else data)",
    )  # fmt: skip
    what.add_argument(
        "--dataset-id", nargs="+", action="extend", default=[], metavar="ID", dest="datasets",
        help="the data sets of tasks, instead of the one of the file; all: those of the benchmark",
    )  # fmt: skip
    what.add_argument(
        "--cfg-options", nargs="+", action="extend", default=[], help=argparse.SUPPRESS
    )
    add_subset(what)
    add_precision(what)


def _add_forms(command: Parser) -> None:
    race = command.add_argument_group("a race of several models, a sweep and a suite")
    race.add_argument(
        "--race", action="store_true",
        help="ask all models the same samples until one is better; those that are clearly worse "
        "leave. All intervals hold together, at every look",
    )  # fmt: skip
    race.add_argument(
        "--on", choices=["questions", "benchmark"], default="questions",
        help="where the winner is better: on all questions like these, of which the benchmark is a "
        "sample (default), or on the samples of this benchmark, which takes fewer of them",
    )  # fmt: skip
    memory = race.add_mutually_exclusive_group()
    memory.add_argument(
        "--one-at-a-time", action="store_true",
        help="free the memory of each model after its turn (default: where several run on a GPU)",
    )  # fmt: skip
    memory.add_argument(
        "--keep-loaded", action="store_true", help="keep all models in memory, also on a GPU"
    )
    race.add_argument(
        "--csv", type=Path, metavar="FILE", help="write the combinations of a sweep to a table"
    )
    add_json(race, "the result of a race, a sweep or a suite")
    race.add_argument(
        "--chef-results", action="store_true",
        help="write the result files of ChEF's desiderata, too, in its key names, of a suite that "
        "says which of its members they are made of",
    )  # fmt: skip


def eval_options(given: argparse.Namespace, parser: Parser) -> EvalOptions:
    """The options of ``chef eval``, with models, recipes and overrides told apart."""
    elsewhere.expand_evaluation(given, parser.get_default("save_dir"))
    # argparse parses an override right after --model_cfg, --recipe_cfg or --by as part of it.
    files = [*given.model_cfg, *given.recipe_cfg, *given.judge_cfg, *given.by, *given.ids,
             *given.words]  # fmt: skip
    models, recipes, judges, words = (
        [item for item in items if not is_override(item)]
        for items in (given.model_cfg, given.recipe_cfg, given.judge_cfg, given.words)
    )
    overrides = [item for item in (*files, *given.cfg_options) if is_override(item)]
    if "=" in [*models, *recipes, *judges, *words, *overrides]:
        parser.error(
            "an override has no spaces around '='\n  -> write for example scenario_cfg.size=100"
        )
    recipes += elsewhere.recipes(given)
    if (
        not (models or given.race)
        and words
        and (words[1:] or recipes)
        and not names_model(words[0])
    ):
        models = [words.pop(place_of_model(words))]
    recipes = [*words, *recipes]
    if not given.list and not (given.race and recipes):  # a race says what it lacks
        _check_what(models, recipes, parser)
    if given.verify and (given.workers is not None or given.ray_address is not None):
        parser.error(
            "--verify runs in one process\n  -> leave out --verify, or --workers and --ray-address"
        )
    _check_overrides(overrides, recipes, parser)
    overrides += [*(given.model_args or []), *elsewhere.overrides(given)]
    overrides += [f"scenario_cfg.samples={given.samples}"] if given.samples else []
    return _options(given, models, recipes, judges, overrides)


def _check_overrides(overrides: Sequence[str], recipes: Sequence[str], parser: Parser) -> None:
    """Refuse an override that is spelt like an option, unless a suite calls a value like that."""
    for item in overrides:
        is_of_task = item.startswith(("dataset_id=", "model_id="))
        if is_of_task or not (option := parser.option_of(item)):
            continue
        from chef.suite.members.file import value_names

        if not any(item.partition("=")[0] in value_names(name) for name in recipes):
            _check_suites(recipes, parser)
            parser.error(f"'{item}' is no key of a recipe\n  -> did you mean {option}?")


def _check_suites(names: Sequence[str], parser: Parser) -> None:
    """Refuse a name that is nothing, and nearly that of a suite, whose values may follow it."""
    from chef.config.lookup import is_what
    from chef.config.shipped import shipped_names

    for name in names:
        near = similar(name, shipped_names("suites"))
        if near and not is_what(name):
            parser.error(f"{name}: no such file\n  -> did you mean '{near}'?")


def _check_what(models: Sequence[str], recipes: Sequence[str], parser: Parser) -> None:
    """Refuse a command without something to ask, or without a model where one is needed."""
    if recipes and (models or all(names_model(item) for item in recipes)):
        return
    from chef.config.lookup import is_model
    from chef.config.name_hints import missing
    from chef.guard.files import problem_of

    for item in () if models else recipes:
        if item.endswith((".yaml", ".yml")) and problem_of(item) == "no such file":
            error = missing(item, ("recipes",))
            parser.error(f"{item}: {error.what}\n  -> {error.hint}")
    if candidates := models or [item for item in recipes if is_model(item)]:
        problem = f"nothing is asked of {candidates[0]}"
        hint = f"name it after the model: chef eval {quote(candidates[0])} Shapes/ppl"
    elif recipes:
        problem = f"no model is named for {recipes[0]}"
        hint = f"name it first: chef eval tiny {' '.join(map(quote, recipes))}"
    else:
        problem, hint = "no model is named", "for example: chef eval tiny Shapes/ppl"
    parser.error(f"{problem}\n  -> {hint}; `chef list` shows what there is")


def place_of_model(words: Sequence[str]) -> int:
    """Where the model stands: first, or last as in ``chef eval Shapes/ppl tiny``."""
    from chef.config.lookup import is_model

    return -1 if len(words) > 1 and not is_model(words[0]) and is_model(words[-1]) else 0


def names_model(word: str) -> bool:
    """Whether something names the models that it is asked of, as tasks and sweeps do."""
    from chef.config.lookup import form_of

    return form_of(word) in ("task", "sweep")


def _options(
    given: argparse.Namespace,
    models: Sequence[str],
    recipes: Sequence[str],
    judges: Sequence[str],
    overrides: Sequence[str],
) -> EvalOptions:
    values: dict[str, Any] = {
        field.name: tuple(value) if isinstance(value, list) else value
        for field in fields(EvalOptions)
        if (value := getattr(given, field.name, None)) is not None
    }
    sample_len = 32 if given.debug else given.sample_len
    values |= {
        "model_cfg": tuple(dict.fromkeys(models)),
        "recipe_cfg": tuple(dict.fromkeys(recipes)),
        "judge_cfg": tuple(dict.fromkeys(judges)),
        "save_dir": Path("results" if "://" in given.save_dir else given.save_dir),
        "store": given.save_dir if "://" in given.save_dir else None,
        "sample_len": None if sample_len < 0 else sample_len,
        "ids": tuple(item for item in given.ids if not is_override(item)),
        "by": tuple(item for item in given.by if not is_override(item)),
        "overrides": tuple(overrides),
        "page": given.page or given.open,
    }
    return EvalOptions(**values)
