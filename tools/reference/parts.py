"""The page docs/reference/parts.md: the keys of models, wordings, ways to ask, methods, judges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from chef.cli.description import description
from chef.cli.listing import registries
from chef.registry import Registry

_HEAD = """\
# Parts and their keys

Written by `python tools/write_reference.py` from what `chef list NAME` shows, where each has an
example, too; a test holds it. [Metrics](metrics.md) and [scenarios](scenarios.md) have pages
of their own.
"""
#: The kinds on this page, by the plural that `chef list` knows, and where their keys stand.
_KINDS = {
    "models": "the model file",
    "instructions": "`instruction_cfg`",
    "retrievers": "`incontext_cfg`",
    "inferencers": "`inferencer_cfg`",
    "methods": "`method_cfg`",
    "judges": "`judge_cfg`",
    "evaluators": "an item of `evaluator_seq_cfgs`",
}
_KEY = re.compile(r"  (\w+): (.*) (?:= (.*)|\(required\))$")


def page() -> str:
    """The whole page."""
    known = registries()
    return _HEAD + "".join(_kind(kind, known[kind], place) for kind, place in _KINDS.items())


def _kind(kind: str, registry: Registry[Any], place: str) -> str:
    parts = [f"\n## {kind.capitalize()}\n\nKeys of {place}.\n"]
    own = (name for name in sorted(registry) if registry.get(name).__module__.startswith("chef."))
    parts.extend(f"\n### {name}\n\n{_part(description(registry, name))}" for name in own)
    return "".join(parts)


def _part(text: str) -> str:
    """The description of one part as Markdown: what it is, and its keys."""
    prose, _, rest = text.partition("\n\n")[2].partition("\n\nkeys of ")
    paragraphs = [" ".join(part.replace("``", "`").split()) for part in prose.split("\n\n")]
    keys = list(_keys(rest.partition("\n\nexample:")[0].splitlines()[1:]))
    return "\n\n".join(paragraphs) + "\n" + ("\n" + "".join(keys) if keys else "")


def _keys(lines: list[str]) -> Iterator[str]:
    """An item for each key, from its line and the indented note below it."""
    for number, line in enumerate(lines):
        if found := _KEY.match(line):
            notes = []
            for note in lines[number + 1 :]:
                if not note.startswith("      "):
                    break
                notes.append(note.strip())
            default = "required" if found[3] is None else f"default `{found[3]}`"
            about = f": {' '.join(notes).replace('``', '`')}" if notes else ""
            yield f"- `{found[1]}` ({found[2]}; {default}){about}\n"
