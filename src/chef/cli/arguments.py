"""The arguments of the command line: six verbs."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from functools import cache
from importlib import import_module

from chef.cli.options import EvalOptions
from chef.cli.parser import VERBS, Parser
from chef.common.text import encodable
from chef.common.version import VERSION
from chef.errors import ConfigError, similar

#: The modules of the commands that are not called like them.
_MODULES = {"eval": "asking", "list": "listing", "show": "looking"}
#: The verbs that take any number of positional arguments, and where these are stored.
_SEVERAL = {"eval": "words", "score": "answers", "compare": "runs", "show": "runs"}
#: What a word was a command for, or is one of in other tools, and what is written here.
_FORMER = {
    "describe": "list NAME",
    "export": "show RUN --export csv",
    "judge": "score RUN --judge FILE",
    "label": "score RUN --label",
    "race": "eval --race WHAT --model_cfg MODEL MODEL",
    "results": "show",
    "run": "eval MODEL WHAT",
    "runs": "show",
    "suite": "eval MODEL SUITE.yaml",
    "sweep": "eval SWEEP.yaml",
    "task": "eval MODEL TASK",
    "trust": "score RESULTS_DIR --suite trust",
    "version": "--version",
    "view": "show RUN --page",
}


def parse(arguments: Sequence[str]) -> EvalOptions | argparse.Namespace:
    """Parse a command: the options of ``eval``, or the namespace of another command.

    A usage error exits with code 2; `ConfigError` for a word that is no text.
    """
    for item in arguments:
        if (shown := encodable(item)) != item:
            what = "is no text in the encoding of this system"
            hint = "rename the file, or work with UTF-8: LC_ALL=C.UTF-8 chef ..."
            raise ConfigError(what, where=shown, hint=hint)
    parser, commands = build_parser(arguments[0] if arguments else "help")
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
        chosen.unknown(rest, build_parser()[1])
    if name != "eval":
        return given
    from chef.cli.asking import eval_options

    return eval_options(given, chosen)


def _refuse(parser: Parser, commands: dict[str, Parser], arguments: Sequence[str]) -> None:
    """Refuse what is no command; the options of ``chef`` itself may stand in its place."""
    name = arguments[0]
    if not name.startswith("-"):
        near, known = similar(name, [*commands, *_FORMER]), ", ".join(commands)
        former = _FORMER.get(name) or _FORMER.get(near or "")
        if name == "label":  # what follows is the same
            former = shlex.join(["score", *(arguments[1:] or ["RUN"]), "--label"])
        hint = f"did you mean '{near}'?" if near else f"the commands are {known}"
        if not near and len(arguments) > 1 and not arguments[1].startswith("-"):
            from chef.config.lookup import is_model

            hint += "; the first run: chef eval MODEL WHAT"
            if any(map(is_model, arguments[:2])):
                former = shlex.join(["eval", *arguments])
        parser.error(f"unknown command '{name}'\n  -> {f'write chef {former}' if former else hint}")
    elif parser.normalised([name])[0] not in ("-h", "--help", "-V", "--version"):
        verb = name.strip("-")
        command = f"chef {verb}" if verb in VERBS else " ".join(("chef eval", *arguments[:2]))
        parser.error(f"a command has to come first\n  -> write {command} ...")


@cache
def build_parser(verb: str | None = None) -> tuple[Parser, dict[str, Parser]]:
    """The parser of ``chef`` and those of its commands; all but ``verb`` are bare names."""
    parser = Parser(
        prog="chef",
        description="Evaluate multimodal language models by recipe.",
        epilog="`chef COMMAND --help` explains a command. First run:\n  chef eval tiny Shapes/ppl",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"chef {VERSION}")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command", title="commands")
    for name, line in VERBS.items():
        if verb in (None, name):
            module = import_module(f"chef.cli.{_MODULES.get(name, name)}")
            module.COMMAND.add_to(commands, name, line)
        else:
            commands.add_parser(name, help=line)
    return parser, commands.choices
