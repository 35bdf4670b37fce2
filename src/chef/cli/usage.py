"""Errors of the command line in words: what argparse says, for people."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from chef.errors import similar

_ARGUMENT = re.compile(r"argument (?P<names>\S+(?: \[.*?\])?): (?P<rest>.*)", re.DOTALL)
_INVALID = re.compile(r"invalid (int|float|Path) value: (?P<given>.*)")
_CHOICE = re.compile(r"invalid choice: (?P<given>.+?) \(choose from (?P<known>.*)\)")
_EXCLUDED = "not allowed with argument "
_KINDS = {"int": "a whole number", "float": "a number", "Path": "a path"}


def in_words(message: str, typed: Sequence[str], actions: Sequence[argparse.Action]) -> str:
    """What argparse says about an option, as a sentence, perhaps with a hint in a second line.

    Args:
        message: of argparse. Other messages are returned as they are.
        typed: the arguments as typed, which tell by which of its names an option was called.
        actions: the options of the parser.
    """
    found = _ARGUMENT.fullmatch(message)
    if found is None:
        return message
    names, rest = found["names"].split("/"), found["rest"]
    given = {item.partition("=")[0] for item in typed}
    name = next((one for one in names if one in given), names[-1])
    if rest.startswith("expected"):
        action = next((one for one in actions if name in one.option_strings), None)
        shown = action.metavar if action is not None else None
        value = shown if isinstance(shown, str) else "VALUE"
        return f"{name} needs a value\n  -> write {name} {value}"
    if rest.startswith(_EXCLUDED):
        return f"{name} and {rest.removeprefix(_EXCLUDED)} exclude each other"
    if rest.startswith("ignored explicit argument"):
        return f"{name} takes no value"
    return f"{name}: {_of_value(rest)}"


def _of_value(rest: str) -> str:
    """What argparse says about the value of an option, as a sentence."""
    if invalid := _INVALID.fullmatch(rest):
        return f"{invalid['given']} is not {_KINDS[invalid[1]]}"
    if choice := _CHOICE.fullmatch(rest):
        known = [item.strip("'\" ") for item in choice["known"].split(",")]
        near = similar(choice["given"].strip("'\""), known)
        hint = f"did you mean '{near}'?" if near else f"known: {', '.join(known)}"
        return f"{choice['given']} is not known\n  -> {hint}"
    return rest
