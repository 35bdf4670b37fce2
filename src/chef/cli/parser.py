"""A parser whose messages are short, and which reads hyphens and underscores alike."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn

from chef.cli.elsewhere import INSTEAD, folded
from chef.cli.terminal import with_values_apart
from chef.common.printing import say
from chef.common.text import typed, typed_option
from chef.errors import similar

#: Where the first clause of a help text ends.
_CLAUSE = re.compile(r"; | \(|(?<!\.)\. ")
#: The commands, with what `chef --help` says of them.
VERBS = {
    "eval": "ask a model, and score its answers",
    "show": "look at what there is: runs, a run, its samples, its page",
    "compare": "is one run better than another, or is it noise?",
    "score": "score answers again, by another metric, a judge or as a suite",
    "list": "what there is: scenarios, metrics, models, recipes; of one: its keys",
    "prepare": "download the data of scenarios",
}
_NO_OTHERS: Mapping[str, Parser] = {}


_ARGUMENT = re.compile(r"argument (?P<names>\S+(?: \[.*?\])?): (?P<rest>.*)", re.DOTALL)
_INVALID = re.compile(r"invalid (int|float|Path) value: (?P<given>.*)")
_CHOICE = re.compile(r"invalid choice: (?P<given>.+?) \(choose from (?P<known>.*)\)")
_EXCLUDED = "not allowed with argument "
_KINDS = {"int": "a whole number", "float": "a number", "Path": "a path"}


class Parser(argparse.ArgumentParser):
    """An argument parser of chef; its subcommands have the same class."""

    _typed: Sequence[str] = ()  # the arguments as typed, once they are known
    _usual: Collection[str] = ()  # the arguments that ``--help`` shows; none: all

    def show_only(self, usual: Collection[str]) -> None:
        """Let ``--help`` show these arguments alone, by attribute, and ``--help-all`` all."""
        self._usual = usual
        self.add_argument(
            "--help-all", action=_HelpAll, nargs=0, default=argparse.SUPPRESS, help="all options"
        )

    def error(self, message: str) -> NoReturn:
        """Print one line and where to find help, instead of the whole usage; exit with code 2."""
        message = in_words(message, self._typed, self._actions)
        needs, missing = "the following arguments are required: ", message.partition(": ")[2]
        if message.startswith(needs):
            name = missing.partition("|")[0]
            message = f"{name} is missing\n  -> for example: {self._example()}"
        hint = "" if "\n  ->" in message else f"\n  -> `{self.prog} --help` shows what there is"
        say(f"error: {message}{hint}", sys.stderr)
        self.exit(2)

    def _example(self) -> str:
        """The first example of the help, without its comment."""
        _, _, examples = (self.epilog or "").partition("examples:\n")
        return examples.strip().partition("\n")[0].partition("  ")[0] or f"{self.prog} --help"

    def format_help(self) -> str:
        """The help; its description, which argparse leaves as it is, in lines that fit."""
        texts = {action: action.help for action in self._actions}
        for action, text in texts.items() if self._usual else ():
            is_usual = action.dest in self._usual and text is not None
            # The first clause says what an option does.
            action.help = _CLAUSE.split(str(text))[0] if is_usual else argparse.SUPPRESS
        try:
            return self._whole_help()
        finally:
            for action, text in texts.items():
                action.help = text

    def help_all(self) -> str:
        """The help with all options."""
        usual, self._usual = self._usual, ()
        text, self._usual = self.format_help(), usual
        return text

    def _whole_help(self) -> str:
        description = self.description
        if description and "\n" not in description:
            columns = shutil.get_terminal_size().columns
            self.description = textwrap.fill(description, max(columns - 2, 20))
        text, self.description = super().format_help(), description
        return text

    @property
    def names(self) -> list[str]:
        """Every option, also those with one hyphen."""
        return list(self._option_string_actions)

    @property
    def options(self) -> list[str]:
        """Every option with two hyphens."""
        return [name for name in self._option_string_actions if name.startswith("--")]

    def normalised(self, arguments: Sequence[str]) -> list[str]:
        """The arguments, with options spelled as they were declared.

        >>> parser = Parser()
        >>> _ = parser.add_argument("--dry-run"), parser.add_argument("--model_cfg")
        >>> parser.normalised(["--dry_run", "--model-cfg=a-b", "c-d"])
        ['--dry-run', '--model_cfg=a-b', 'c-d']
        """
        self._typed = arguments
        declared = {folded(option): option for option in self.options}
        spelled = []
        for item in with_values_apart(arguments):
            if item.startswith(("–", "—")) and not os.path.lexists(item):
                hint = f"write two hyphens: --{item.strip('–—-')}"
                self.error(f"{item} begins with a long dash\n  -> {hint}")
            name, equals, value = item.partition("=")
            option = declared.get(folded(name), name) if name.startswith("--") else name
            spelled.append(f"{option}{equals}{value}")
        return spelled

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """The options that a name abbreviates; none where other tools have an option so called."""
        if folded(option_string.partition("=")[0]).strip("_") in INSTEAD:
            return []
        return super()._get_option_tuples(option_string)

    def option_of(self, override: str) -> str | None:
        """The option that an override such as ``limit=5`` means; None if there is none.

        Its end may be missing, it may have an ``s`` more, or be what another tool calls it.
        """
        name, _, value = override.partition("=")
        key = folded(name)
        actions = {folded(option)[2:]: option for option in self.options}
        near = [key, key.removesuffix("s"), *(one for one in actions if one.startswith(f"{key}_"))]
        option = next((actions[one] for one in near if one in actions), INSTEAD.get(key, ""))
        if option not in self.options:
            return None
        return f"{option} {value}" if self._option_string_actions[option].nargs != 0 else option

    def unknown(self, items: Sequence[str], others: Mapping[str, Parser] = _NO_OTHERS) -> NoReturn:
        """Refuse the first unknown option, with what it may mean, also of other commands."""
        name = next((item for item in items if item.startswith("-")), items[0]).partition("=")[0]
        key = folded(name).strip("_")
        for item in items:
            if item.startswith("-") and os.path.lexists(item):
                what = f"{item} begins with a hyphen, like an option"
                self.error(f"{what}\n  -> write {typed(item)}")
        if not name.startswith("-") or name == "-":
            self.error(f"'{name}' is one argument too many")
        if key in INSTEAD and (instead := INSTEAD[key]):
            what = instead if instead.startswith("the ") else f"write {instead}"
            self.error(f"unknown option {name}\n  -> {what}")
        if "_cfg." in name:  # an override in the shape of an option
            key = name.lstrip("-")
            self.error(f"unknown option {name}\n  -> write {key}=VALUE, without hyphens before it")
        # Without the hyphens, which make any two short options look alike.
        declared = {folded(option).strip("_"): option for option in self.options}
        near = similar(key, declared)
        hint = f"\n  -> did you mean '{declared[near]}'?" if near else ""
        having = [f"`chef {one}`" for one, other in others.items() if name in other.names]
        if not near and having:
            hint = f"\n  -> it is an option of {', '.join(having)}"
        self.error(f"unknown option {name}{hint}")


class _HelpAll(argparse.Action):
    """Prints the help with all options."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        if isinstance(parser, Parser):
            say(parser.help_all().rstrip("\n"))
        parser.exit(0)


def in_words(message: str, typed_words: Sequence[str], actions: Sequence[argparse.Action]) -> str:
    """What argparse says about an option, as a sentence, perhaps with a hint in a second line;
    other messages as they are.
    """
    match = _ARGUMENT.fullmatch(message)
    if match is None:
        return message
    names, rest = match["names"].split("/"), match["rest"]
    given = {item.partition("=")[0] for item in typed_words}
    name = next((one for one in names if one in given), names[-1])
    action = next((one for one in actions if name in one.option_strings), None)
    shown = action.metavar if action is not None else None
    value = shown if isinstance(shown, str) else "VALUE"
    if rest.startswith("expected"):
        after = [two for one, two in pairwise(typed_words) if one == name and two.startswith("-")]
        options = {option for one in actions for option in one.option_strings}
        meant = [typed_option(name, two) for two in after if two.partition("=")[0] not in options]
        hint = f"{name} {value}" if not meant else f"{meant[0]} if this is the value"
        return f"{name} needs a value\n  -> write {hint}"
    if invalid := _INVALID.fullmatch(rest):
        usual = None if action is None else action.default
        example = f", for example {name} {usual}" if isinstance(usual, int | float) else ""
        what = f"{invalid['given']} is not {_KINDS[invalid[1]]}"
        return f"{name}: {what}\n  -> write {name} {value}{example}"
    if rest.startswith(_EXCLUDED):
        return f"{name} and {rest.removeprefix(_EXCLUDED)} exclude each other"
    if rest.startswith("ignored explicit argument"):
        return f"{name} takes no value"
    return f"{name}: {_of_value(rest)}"


def _of_value(rest: str) -> str:
    """What argparse says about the value of an option, as a sentence."""
    if choice := _CHOICE.fullmatch(rest):
        known = [item.strip("'\" ") for item in choice["known"].split(",")]
        near = similar(choice["given"].strip("'\""), known)
        hint = f"did you mean '{near}'?" if near else f"known: {', '.join(known)}"
        return f"{choice['given']} is not known\n  -> {hint}"
    return rest
