"""The prompt of a judge: the judged texts are enclosed so that they cannot speak to it.

A text stands between two lines that hold a word which occurs in none of the texts. It is a digest
of them, so an answer cannot name the word: whatever it writes would change it. Marks that a chat
template or the form of a verdict gives a meaning are shown with a blank in between; a reply that
quotes an answer therefore never holds a verdict of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from chef.common.digest import content_digest
from chef.reading.harmless import harmless

_PLACE = re.compile(r"\{(\w+)\}")


def enclosed(template: str, texts: Mapping[str, str]) -> str:
    """The template with every ``{name}`` a text between lines that no text can hold, ``{mark}``
    their word; other braces stay, also those in the texts.
    """
    shown = {name: harmless(text) for name, text in texts.items()}
    mark = mark_of([*shown.values(), template])

    def block(found: re.Match[str]) -> str:
        name = found[1]
        if name == "mark":
            return mark
        if name not in shown:
            return found[0]
        title = name.replace("_", " ")
        return f"--- {title} {mark} ---\n{shown[name]}\n--- end of {title} {mark} ---"

    return _PLACE.sub(block, template)


def mark_of(texts: list[str]) -> str:
    """A word of 16 hex digits that occurs in none of the texts; the same for the same texts."""
    number = 0
    while True:
        mark = content_digest(f"{number}", *(f"\0{text}" for text in texts), size=8)
        if not any(mark in text.lower() for text in texts):
            return mark
        number += 1
