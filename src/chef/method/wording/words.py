"""Changes of words: small letters, contractions, synonyms, words and sentences more, and errors.

Errors of single characters are those of a scanner, of fast typing, of spelling, and of near keys.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from string import ascii_lowercase
from typing import ClassVar

from chef.errors import DependencyError
from chef.method.wording.base import ByRate, Reworded, cased, tables, words


class Lowercase(Reworded):
    """All letters are small; marks of images stay; nothing is drawn at random."""

    level, title = "basic", "lowercase"

    def reworded(self, text: str, rng: random.Random) -> str:
        del rng
        return re.sub(r"<[^<>]*>|[^<]+|<", lambda part: _small(part[0]), text)


def _small(part: str) -> str:
    return part if part.startswith("<") and part.endswith(">") else part.lower()


class Contraction(Reworded):
    """``is not`` becomes ``isn't``, ``what is`` becomes ``what's``, and so on; nothing is drawn."""

    level, title = "basic", "contraction"
    #: Whether it is the other way round.
    expands: ClassVar[bool] = False

    def reworded(self, text: str, rng: random.Random) -> str:
        del rng
        pairs = {short: long for long, short in tables()["contractions"].items()}
        if not self.expands:
            pairs = {long: short for short, long in pairs.items()}
        either = "|".join(map(re.escape, sorted(pairs, key=len, reverse=True)))
        pattern = re.compile(rf"\b(?:{either})\b(?!['’])", re.IGNORECASE)
        return pattern.sub(lambda match: cased(match[0], pairs[match[0].lower()]), text)


class Expansion(Contraction):
    """``isn't`` becomes ``is not``, and so on; nothing is drawn at random."""

    title = "expansion"
    expands = True


class SwapSynonym(ByRate):
    """Words become synonyms of theirs, of NLTK's WordNet."""

    level, title = "word", "swap_syn"

    def other(self, word: str, rng: random.Random) -> str | None:
        near = [other for other in synonyms(word.lower()) if other.lower() != word.lower()]
        return cased(word, rng.choice(near)) if near else None

    def fingerprint(self) -> str:
        synonyms("color")
        return ""


def synonyms(word: str) -> list[str]:
    """The words (no phrases) of the most frequent sense in WordNet of a word that has several."""
    try:
        from nltk.corpus import wordnet

        senses = wordnet.synsets(word)
    except (ImportError, LookupError):
        raise DependencyError(
            "synonyms are those of WordNet, and NLTK's corpus of it is not installed",
            hint="pip install nltk; python -m nltk.downloader wordnet; or use another method",
        ) from None
    for sense in senses:
        names = [name for name in sense.lemma_names() if name.isalpha() and name.lower() != word]
        if names:
            return sorted(names)
    return []


class InsertAdverb(Reworded):
    """An adverb is put before the first verb, of those that questions use."""

    level, title = "word", "insert_adv"

    def reworded(self, text: str, rng: random.Random) -> str:
        adverb = rng.choice(tables()["adverbs"])
        for word in words(text):
            if word[0].lower() in tables()["verbs"]:
                first, rest = text[: word.start()], text[word.start() :]
                if first.strip():
                    return f"{first}{adverb} {rest}"
                return f"{cased(rest, adverb)} {rest[0].lower()}{rest[1:]}"
        return text


class AppendIrrelevant(Reworded):
    """A sentence that has nothing to do with the question is put before or after it."""

    level, title = "word", "append_irr"

    def reworded(self, text: str, rng: random.Random) -> str:
        sentence = rng.choice(tables()["irrelevant"])
        return f"{sentence} {text}" if rng.random() < 0.5 else f"{text} {sentence}"


def _replaced(word: str, near: Callable[[str], str], rng: random.Random) -> str | None:
    """A word with one character replaced by one near it; None where none has any."""
    places = [place for place, letter in enumerate(word) if near(letter)]
    if not places:
        return None
    place = rng.choice(places)
    return word[:place] + rng.choice(near(word[place])) + word[place + 1 :]


class ScanErrors(ByRate):
    """A character becomes one that looks like it: ``o`` becomes ``0``, ``l`` becomes ``1``."""

    level, title = "character", "char_ocr"

    def other(self, word: str, rng: random.Random) -> str | None:
        return _replaced(word, lambda letter: tables()["look_alikes"].get(letter, ""), rng)


class KeyboardErrors(ByRate):
    """A letter becomes one whose key is beside its own."""

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
    """A letter is left out, doubled, replaced by any other, or changes places with the next."""

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
    """Words are written as they often are by mistake."""

    level, title = "character", "char_spell_error"

    def other(self, word: str, rng: random.Random) -> str | None:
        wrong = tables()["misspellings"].get(word.lower())
        return cased(word, rng.choice(wrong.split())) if wrong else None
