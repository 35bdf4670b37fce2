"""Errors of single characters: of a scanner, of fast typing, of spelling, of near keys."""

from __future__ import annotations

import random
from collections.abc import Callable
from string import ascii_lowercase

from chef.method.wording.base import ByRate, cased, tables


def _replaced(word: str, near: Callable[[str], str], rng: random.Random) -> str | None:
    """A word with one character replaced by one near it; None where none has any."""
    places = [place for place, letter in enumerate(word) if near(letter)]
    if not places:
        return None
    place = rng.choice(places)
    return word[:place] + rng.choice(near(word[place])) + word[place + 1 :]


class ScanErrors(ByRate):
    """A character becomes one that looks like it: ``o`` becomes ``0``, ``l`` becomes ``1``.

    Args:
        method_id, severity, seed: as for `ByRate`.
    """

    level, title = "character", "char_ocr"

    def other(self, word: str, rng: random.Random) -> str | None:
        return _replaced(word, lambda letter: tables()["look_alikes"].get(letter, ""), rng)


class KeyboardErrors(ByRate):
    """A letter becomes one whose key is beside its own.

    Args:
        method_id, severity, seed: as for `ByRate`.
    """

    level, title = "character", "char_keyboard"

    def other(self, word: str, rng: random.Random) -> str | None:
        return _replaced(word, _beside, rng)


def _beside(letter: str) -> str:
    """The letters on keys around that of a letter, as large as it.

    >>> _beside("a")
    'qwsz'
    """
    rows: list[str] = tables()["keyboard"]
    for number, row in enumerate(rows):
        if (place := row.find(letter.lower())) >= 0:
            same = row[max(0, place - 1) : place] + row[place + 1 : place + 2]
            above = rows[number - 1][place : place + 2] if number else ""
            lower = rows[number + 1] if number + 1 < len(rows) else ""
            below = lower[max(0, place - 1) : place + 1]
            near = above + same + below
            return near.upper() if letter.isupper() else near
    return ""


class Typos(ByRate):
    """A letter is left out, doubled, replaced by any other, or changes places with the next.

    Args:
        method_id, severity, seed: as for `ByRate`.
    """

    level, title = "character", "char_typos"

    def other(self, word: str, rng: random.Random) -> str | None:
        if len(word) < 3:
            return None
        place = rng.randrange(1, len(word) - 1)  # the first letter stays, as in hasty typing
        before, letter, after = word[:place], word[place], word[place + 1 :]
        match rng.randrange(4):
            case 0:
                return before + after
            case 1:
                return before + letter + letter + after
            case 2:
                return before + rng.choice(ascii_lowercase.replace(letter.lower(), "")) + after
            case _:
                return before + after[0] + letter + after[1:]


class SpellingErrors(ByRate):
    """Words are written as they often are by mistake.

    Args:
        method_id, severity, seed: as for `ByRate`.
    """

    level, title = "character", "char_spell_error"

    def other(self, word: str, rng: random.Random) -> str | None:
        wrong = tables()["misspellings"].get(word.lower())
        return cased(word, rng.choice(wrong.split())) if wrong else None
