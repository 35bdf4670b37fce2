"""The arguments of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from chef.cli import elsewhere
from chef.cli.compare import add_compare
from chef.cli.describe import add_describe
from chef.cli.export import add_export
from chef.cli.how import add_how, add_precision, add_subset
from chef.cli.judge import add_judge, add_judge_cfg
from chef.cli.listing import add_list
from chef.cli.options import EvalOptions, is_override
from chef.cli.parser import Parser
from chef.cli.prepare import add_prepare
from chef.cli.race import add_race
from chef.cli.runs import add_runs
from chef.cli.score import add_score
from chef.cli.show import add_show
from chef.cli.sweep import add_sweep
from chef.cli.task import add_task
from chef.cli.trust import add_trust
from chef.cli.view import add_view
from chef.common.version import VERSION
from chef.errors import similar

_EXAMPLES = """\
examples:
  chef eval tiny Shapes/ppl                                   a model and a recipe of chef
  chef eval my_model.yaml my.yaml MMBench_DEV_EN my.csv       files, a benchmark, a table
  chef eval hf:llava-hf/llava-1.5-7b-hf ...                   a checkpoint of the hub, no file
  chef eval --model_cfg tiny --recipe_cfg Shapes/ppl          the same, with the names written
  ... --recipe_cfg configs/recipes/Shapes/*.yaml --debug      several recipes, 32 samples each
  ... scenario_cfg.size=100 model_cfg.dtype=bfloat16          override any key of the YAML files
  ... --judge_cfg judge.yaml judge_cfg.when=always            a model judges the answers
  ... --by category                                           the scores by category, too
  ... --model_cfg a.yaml b.yaml a:dtype=float32               two models; a key of one of them
  ... --dry-run                                               check, and show what is asked

exit codes: 0 done, 1 some samples failed, 2 bad input, 3 the run failed
"""
#: The commands that take any number of positional arguments, and where these are stored.
_SEVERAL = {
    "eval": "words",
    "score": "answers",
    "export": "runs",
    "judge": "runs",
    "compare": "runs",
    "trust": "folders",
    "sweep": "given",
    "task": "configs",
    "view": "runs",
    "show": "ids",
    "race": "what",
}


def parse(arguments: Sequence[str]) -> EvalOptions | argparse.Namespace:
    """Parse a command: the options of ``eval``, or the namespace of another command.

    A usage error exits with code 2.
    """
    parser, commands = build_parser()
    if not arguments or arguments[0] == "help":
        parser.print_help()
        parser.exit(0)
    name = arguments[0]
    if name not in commands:
        if not name.startswith("-"):
            near = similar(name, commands)
            known = ", ".join(commands)
            hint = f"did you mean '{near}'?" if near else f"the commands are {known}"
            parser.error(f"unknown command '{name}'\n  -> {hint}")
        elif parser.normalised([name])[0] not in ("-h", "--help", "-V", "--version"):
            command = " ".join(("chef eval", *arguments[:2]))
            parser.error(f"a command has to come first\n  -> write {command} ...")
        parser.parse_args(arguments)
    chosen = commands[name]
    given, rest = parser.parse_known_args([name, *chosen.normalised(arguments[1:])])
    if name in _SEVERAL:  # argparse cannot parse positional arguments after an option
        more = [item for item in rest if not item.startswith("-")]
        setattr(given, _SEVERAL[name], [*getattr(given, _SEVERAL[name]), *more])
        rest = [item for item in rest if item.startswith("-")]
    if rest:
        chosen.unknown(rest, commands)
    if name == "task":
        given.options = _task_options(given)
    return _eval_options(given, chosen) if name == "eval" else given


def _task_options(given: argparse.Namespace) -> EvalOptions:
    """The options of ``chef task`` besides its files; overrides may stand between these."""
    files = [*given.configs, *given.config]
    given.configs = [item for item in files if not is_override(item)]
    overrides = [*(item for item in files if is_override(item)), *given.cfg_options]
    if given.data_root is not None:
        overrides.append(f"dataset_cfg.data_root={given.data_root}")
    return _options(given, tuple(dict.fromkeys(given.model_cfg)), (), given.judge_cfg, overrides)


def _eval_options(given: argparse.Namespace, parser: Parser) -> EvalOptions:
    elsewhere.expand_evaluation(given, parser.get_default("save_dir"))
    # argparse parses an override right after --model_cfg, --recipe_cfg or --by as part of it.
    files = [*given.model_cfg, *given.recipe_cfg, *given.judge_cfg, *given.by, *given.words]
    models, recipes, judges, words = (
        [item for item in items if not is_override(item)]
        for items in (given.model_cfg, given.recipe_cfg, given.judge_cfg, given.words)
    )
    overrides = [item for item in files if is_override(item)]
    if "=" in [*models, *recipes, *judges, *words, *overrides]:
        parser.error(
            "an override has no spaces around '='\n  -> write for example scenario_cfg.size=100"
        )
    if not models and (words[1:] or recipes):
        models = [words.pop(0)] if words else []
    recipes = [*words, *recipes, *elsewhere.recipes(given)]
    if not given.list and not (recipes and models):
        lacking = "--recipe_cfg" if models else "--model_cfg"
        parser.error(
            f"{lacking} is missing\n  -> for example: chef eval tiny Shapes/ppl, or chef eval "
            "--model_cfg tiny --recipe_cfg Shapes/ppl; `chef list` shows what there is"
        )
    if given.verify and (given.workers is not None or given.ray_address is not None):
        parser.error(
            "--verify runs in one process\n  -> leave out --verify, or --workers and --ray-address"
        )
    for item in overrides:
        if option := parser.option_of(item):
            parser.error(f"'{item}' is no key of a recipe\n  -> did you mean {option}?")
    overrides += [*(given.model_args or []), *elsewhere.overrides(given)]
    if given.data_root is not None:
        overrides.append(f"scenario_cfg.data_root={given.data_root}")
    return _options(
        given, tuple(dict.fromkeys(models)), tuple(dict.fromkeys(recipes)), judges, overrides
    )


def _options(
    given: argparse.Namespace,
    models: tuple[str, ...],
    recipes: tuple[str, ...],
    judges: Sequence[str],
    overrides: Sequence[str],
) -> EvalOptions:
    sample_len = 32 if given.debug else given.sample_len
    return EvalOptions(
        model_cfg=models,
        recipe_cfg=recipes,
        judge_cfg=tuple(dict.fromkeys(judges)),
        save_dir=Path(given.save_dir),
        time=given.time,
        fresh=given.fresh,
        reuse_answers=given.reuse_answers,
        sample_len=None if sample_len < 0 else sample_len,
        batch_size=given.batch_size,
        device=given.device,
        dtype=given.dtype,
        workers=given.workers,
        ray_address=given.ray_address,
        response_cache=given.response_cache,
        seed=given.seed,
        verify=given.verify,
        log_prompts=given.log_prompts,
        timeout=given.timeout,
        precision=given.precision,
        dry_run=given.dry_run,
        list=getattr(given, "list", False),
        traceback=given.traceback,
        by=tuple(item for item in given.by if not is_override(item)),
        keep_going=given.keep_going,
        overrides=tuple(overrides),
        allow=tuple(getattr(given, "allow", ())),
        report=given.report or given.open,
        open=given.open,
    )


def build_parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of ``chef``, and those of its commands by name."""
    parser = Parser(
        prog="chef",
        description="Evaluate multimodal language models by recipe.",
        epilog="`chef COMMAND --help` explains a command. First run:\n"
        "  chef eval --model_cfg tiny --recipe_cfg Shapes/ppl",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"chef {VERSION}")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", title="commands")
    _add_eval(commands)
    for add in (
        add_task, add_runs, add_show, add_view, add_score, add_compare, add_race, add_sweep,
        add_judge, add_export, add_trust, add_list, add_describe, add_prepare,
    ):  # fmt: skip
        add(commands)
    return parser, commands.choices


def _add_eval(commands: argparse._SubParsersAction[Parser]) -> None:
    command = commands.add_parser(
        "eval",
        help="evaluate a model by recipes",
        description="Evaluate a model by one or more recipes; every answer is saved at once.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_what(command)
    add_how(command)
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
        "--model_cfg", "--model", metavar="FILE", nargs="+", action="extend", default=[],
        help="YAML file(s) of the model, names of chef's own, or hf:owner/name; one is loaded "
        "after the other",
    )  # fmt: skip
    what.add_argument(
        "--model_args", metavar="K=V,K=V", type=elsewhere.model_args,
        help="keys of all models: the same as model_cfg.K=V",
    )  # fmt: skip
    what.add_argument(
        "--recipe_cfg", "--recipe", metavar="FILE", nargs="+", action="extend", default=[],
        help="YAML file(s) of the recipe, or names: Shapes/ppl, MMBench_DEV_EN, my.csv",
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
        help="the model and what it is asked (recipes, benchmarks, tables, tasks), as --model_cfg "
        "and --recipe_cfg take them; or override a key of the recipes, or of the models as "
        "model_cfg.key=value; NAME:key=value is for one of them, for example "
        "Shapes/ppl:scenario_cfg.size=10",
    )  # fmt: skip
    what.add_argument(
        "--data_root", metavar="DIR",
        help="the folder with VLMEvalKit's benchmarks and your own, NAME.tsv (default: $LMUData, "
        "else ~/LMUData), or with MMTrustEval's data (default: $CHEF_MMTRUST_DATA, else data): "
        "the same as scenario_cfg.data_root=DIR",
    )  # fmt: skip
    add_subset(what)
    add_precision(what)
