"""An answer written as its references are: times, ratios, telephone numbers; without shades."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from chef.reading.clock import CLOCK, same_times
from chef.reading.lexicon import word_list
from chef.reading.other_forms import inflections

_RATIO = re.compile(r"(?<![\w.,:])(\d+)\s*(?::|\bto\b|\bzu\b|\bà\b)\s*(\d+)(?![\w:]|[.,]\d)")


def as_written(text: str, references: Sequence[str]) -> str:
    """``text`` with the times, or else the ratios, of references as these are written.

    >>> as_written("It leaves at 5:45 PM.", ["17:45"]), as_written("2 to 1", ["2:1"])
    ('It leaves at 17:45.', '2:1')
    """
    if any(map(CLOCK.fullmatch, references)):
        return same_times(text, references)
    return _RATIO.sub(r"\1:\2", text) if any(map(_RATIO.fullmatch, references)) else text


@cache
def _shades() -> tuple[re.Pattern[str], frozenset[str]]:
    """The first parts of names of shades ("dunkelgrün"), and colors without accents."""
    forms = {*inflections(), *inflections().values(), *word_list("colors")}
    shades = "|".join(word_list("shades"))
    return re.compile(rf"\b(?:{shades})-?(?P<color>\w{{3,}})", re.IGNORECASE), frozenset(forms)


def without_shades(text: str) -> str:
    """A text with blanks for what makes a color darker or lighter.

    >>> without_shades("ein dunkelblauer Hut")
    'ein       blauer Hut'
    """
    pattern, colors = _shades()

    def plain(match: re.Match[str]) -> str:
        color = match["color"]
        parts = unicodedata.normalize("NFD", color.lower())
        bare = "".join(char for char in parts if not unicodedata.combining(char))
        return color.rjust(len(match[0])) if bare in colors else match[0]

    return pattern.sub(plain, text)
