"""The page docs/reference/commands.md: the commands with all of their options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from chef.cli.arguments import build_parser
from chef.cli.parser import Parser

_HEAD = """\
# Commands

Written by `python tools/write_reference.py` from what `chef COMMAND --help` shows (`chef eval
--help-all`); a test holds it. Hyphens and underscores in options mean the same.
"""


def page() -> str:
    """The whole page."""
    _, commands = build_parser()
    return _HEAD + "".join(_section(name, parser) for name, parser in commands.items())


def _section(name: str, parser: Parser) -> str:
    description = " ".join((parser.description or "").split())
    parts = [f"\n## chef {name}\n\n{description}\n"]
    for group in parser._action_groups:  # noqa: SLF001 - argparse has no other way to them
        members = group._group_actions  # noqa: SLF001
        actions = [action for action in members if action.dest != "help"]
        if lines := [line for action in actions for line in _line(action)]:
            title = (group.title or "").removesuffix(":")
            parts.append(f"\n**{title.capitalize()}**\n\n{''.join(lines)}")
    examples, _, rest = (parser.epilog or "").partition("\n\n")
    if examples:
        parts.append(f"\n```text\n{examples.strip()}\n```\n")
    if rest.strip():
        parts.append(f"\n{rest.strip()}\n")
    return "".join(parts)


def _line(action: argparse.Action) -> Iterator[str]:
    """An item for one option or argument; none for one that the help hides."""
    if action.help == argparse.SUPPRESS:
        return
    names = [_hyphens(option) for option in action.option_strings]
    value = _value(action)
    shown = ", ".join(dict.fromkeys(names)) or value
    called = f"{shown} {value}" if names and value else shown
    yield f"- `{called}`: {' '.join((action.help or '').split()).replace('%%', '%')}\n"


def _hyphens(option: str) -> str:
    return option if option.endswith("_cfg") else option.replace("_", "-")


def _value(action: argparse.Action) -> str:
    """The value of an option as the help writes it: empty for one that takes none."""
    if action.nargs == 0:
        return ""
    name = action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper()
    text = " ".join(name) if isinstance(name, tuple) else name
    endings = {"+": f"{text} ...", "*": f"[{text} ...]", "?": f"[{text}]"}
    return endings.get(str(action.nargs), text)
