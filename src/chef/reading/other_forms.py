"""Other forms of a word, and other names of a thing: facts of ``lexicon/words.yaml``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from chef.reading.lexicon import word_list, word_rows

#: A shorter word is no noun that has a plural: "no".
_SHORTEST_NOUN = 3
#: Plurals in "es".
_IN_ES = re.compile(r"(?:ss|x|zz|ch|sh|to|ro)es\Z")


@cache
def inflections() -> dict[str, str]:
    """Forms of adjectives, and the one by which they are compared: "rote" and "rot"."""
    return _bases("inflections")


@cache
def derived() -> dict[str, str]:
    """Words of another class that say the same, and the one that they come from."""
    return _bases("derived")


def _bases(name: str) -> dict[str, str]:
    forms: dict[str, str] = {}
    for row in word_rows(name):
        endings, _, stems = row.partition(":")
        base, *others = ("" if ending == "-" else ending for ending in endings.split())
        forms |= {name + ending: name + base for name in stems.split() for ending in others}
    return forms


@cache
def _forms() -> dict[str, list[str]]:
    forms: dict[str, list[str]] = {}
    for form, base in {**inflections(), **_bases("materials")}.items():
        forms.setdefault(base, []).append(form)
    irregular = dict(pair.split() for pair in word_rows("irregular"))
    for form, base in {**derived(), **irregular}.items():
        forms.setdefault(base, []).append(form)
        forms.setdefault(form, []).append(base)
    return forms


@lru_cache(1 << 12)
def forms_of(word: str) -> Sequence[str]:
    """Other forms of a word: its number, adjectives of materials, countries and shapes, nouns of
    feelings; lower case.

    >>> forms_of("wood"), forms_of("cats"), forms_of("no")
    (['wooden', 'woods'], ['cat'], [])
    """
    return [*_forms().get(word, ()), *_of_other_number(word)]


def _of_other_number(word: str) -> Sequence[str]:
    """A regular noun in the plural, or in the singular if it is one; so far as can be told."""
    if len(word) < _SHORTEST_NOUN or not (word.isascii() and word.isalpha()):
        return ()
    if word in word_list("empty"):
        return ()
    if word.endswith("us"):
        return (f"{word}es",)
    if word.endswith("s"):
        return () if (one := singular(word)) == word else (one,)
    if word.endswith("y") and word[-2] not in "aeiou":
        return (f"{word[:-1]}ies",)
    return (f"{word}es" if word.endswith(("x", "z", "ch", "sh")) else f"{word}s",)


def singular(word: str) -> str:
    """A word without the regular ending of the plural.

    >>> singular("berries"), singular("boxes"), singular("bus")
    ('berry', 'box', 'bus')
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word in word_list("no_verbs"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if _IN_ES.search(word) else word[:-1]


@cache
def _names() -> dict[str, tuple[str, ...]]:
    rows = [tuple(item.strip() for item in row.split("/")) for row in word_rows("names")]
    return {name: tuple(other for other in row if other != name) for row in rows for name in row}


def other_names(text: str) -> Sequence[str]:
    """Other names of a thing, in lower case.

    >>> other_names("sofa"), other_names("cat")
    (('couch',), ())
    """
    return _names().get(text.lower(), ())


@cache
def _shades() -> tuple[re.Pattern[str], frozenset[str]]:
    """The first parts of names of shades ("dunkelgrün"), and colors without accents."""
    forms = {*inflections(), *inflections().values(), *word_list("colors")}
    shades = "|".join(word_list("shades"))
    return re.compile(rf"\b(?:{shades})-?(?P<color>\w{{3,}})", re.IGNORECASE), frozenset(forms)


def without_shades(text: str) -> str:
    """A text with blanks for what makes a color darker or lighter.

    >>> without_shades("ein dunkelgrünes Auto")
    'ein       grünes Auto'
    """
    pattern, colors = _shades()

    def plain(match: re.Match[str]) -> str:
        color = match["color"]
        parts = unicodedata.normalize("NFD", color.lower())
        bare = "".join(char for char in parts if not unicodedata.combining(char))
        return color.rjust(len(match[0])) if bare in colors else match[0]

    return pattern.sub(plain, text)
