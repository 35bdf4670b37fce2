"""The arguments of the command line: six verbs."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from functools import cache

from chef.cli.asking import add_eval, eval_options
from chef.cli.compare import add_compare
from chef.cli.listing import add_list
from chef.cli.looking import add_show
from chef.cli.options import EvalOptions
from chef.cli.parser import Parser
from chef.cli.prepare import add_prepare
from chef.cli.score import add_score
from chef.common.version import VERSION
from chef.errors import similar

#: The verbs that take any number of positional arguments, and where these are stored.
_SEVERAL = {"eval": "words", "score": "answers", "compare": "runs", "show": "runs"}
#: What a word was a command for, or is one of in other tools, and what is written here.
_FORMER = {
    "describe": "list NAME",
    "export": "show RUN --export csv",
    "judge": "score RUN --judge FILE",
    "label": "score RUN --label",
    "race": "eval --race WHAT --model_cfg MODEL MODEL",
    "run": "eval MODEL WHAT",
    "runs": "show",
    "sweep": "eval SWEEP.yaml",
    "task": "eval MODEL TASK",
    "trust": "score RESULTS_DIR --suite trust",
    "view": "show RUN --page",
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
        _refuse(parser, commands, arguments)
        parser.parse_args(arguments)
    chosen = commands[name]
    given, rest = parser.parse_known_args([name, *chosen.normalised(arguments[1:])])
    if name in _SEVERAL:  # argparse cannot parse positional arguments after an option
        more = [item for item in rest if not item.startswith("-")]
        setattr(given, _SEVERAL[name], [*getattr(given, _SEVERAL[name]), *more])
        rest = [item for item in rest if item.startswith("-")]
    if rest:
        chosen.unknown(rest, commands)
    return eval_options(given, chosen) if name == "eval" else given


def _refuse(parser: Parser, commands: dict[str, Parser], arguments: Sequence[str]) -> None:
    """Refuse what is no command; the options of ``chef`` itself may stand in its place."""
    name = arguments[0]
    if not name.startswith("-"):
        near, known = similar(name, [*commands, *_FORMER]), ", ".join(commands)
        former = _FORMER.get(name) or _FORMER.get(near or "")
        if name == "label":  # what follows is the same
            former = shlex.join(["score", *(arguments[1:] or ["RUN"]), "--label"])
        hint = f"did you mean '{near}'?" if near else f"the commands are {known}"
        parser.error(f"unknown command '{name}'\n  -> {f'write chef {former}' if former else hint}")
    elif parser.normalised([name])[0] not in ("-h", "--help", "-V", "--version"):
        command = " ".join(("chef eval", *arguments[:2]))
        parser.error(f"a command has to come first\n  -> write {command} ...")


@cache
def build_parser() -> tuple[Parser, dict[str, Parser]]:
    """The parser of ``chef``, and those of its commands by name; made once a process."""
    parser = Parser(
        prog="chef",
        description="Evaluate multimodal language models by recipe.",
        epilog="`chef COMMAND --help` explains a command. First run:\n  chef eval tiny Shapes/ppl",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"chef {VERSION}")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", title="commands")
    for add in (add_eval, add_show, add_compare, add_score, add_list, add_prepare):
        add(commands)
    return parser, commands.choices
