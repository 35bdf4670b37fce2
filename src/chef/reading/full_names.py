"""Proper names of options in full, where an answer writes their short forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from chef.reading.lexicon import word_list
from chef.reading.patterns import words
from chef.reading.text import fold

Texts: TypeAlias = tuple[str, ...]

_SMALL = words("van von de der den da di del du la le el of bin al")
#: Behind a name that stands for a longer one no noun follows: "the Indian elephant" is no ocean.
_NO_NOUN = (
    r"(?=['’]s\b|[\"')*]*(?:[.,;:!?\n]|\s*\Z)|\s+(?:is|was|are|and|or|to|in|on|at|of|for|with|which"
    r"|who|that|because|as|since|not|has|had|lies|by|from|here)\b)"
)
_ENDS = re.compile(r"(?:\A|[.!?:;\n])[\s\"'(*]*\Z")


def with_full_names(text: str, texts: Texts) -> tuple[str, Texts]:
    """Proper names in full: "the Atlantic" for "Atlantic Ocean", "Seurat" for "Georges Seurat".

    >>> with_full_names("By Seurat.", ("Georges Seurat", "Paul Signac"))[0]
    'By Georges Seurat.'
    """
    for short, name in zip(_short_names(texts), texts, strict=False):
        at_start = name.split()[0] != short
        text = _name_form(short).sub(_named(name, at_start=at_start), text)
    return text, texts


def _named(name: str, *, at_start: bool) -> Callable[[re.Match[str]], str]:
    """What puts a name in full where its short form stands, at the start of a sentence or not."""

    def replaced(match: re.Match[str]) -> str:
        before = match.string[max(0, match.start() - 20) : match.start()]
        return name if at_start or not _ENDS.search(before) else match[0]

    return replaced


@lru_cache(1024)
def _name_form(short: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(short)}{_NO_NOUN}")


@lru_cache(1024)
def _short_names(texts: Texts) -> Texts:
    """The names of options without the noun that all end with, or else their last words; () if a
    text is no name of several words, or two of them would be the same.
    """
    split = [fold(item).strip(" .").split() for item in texts]
    if len(texts) < 2 or not all(map(_is_name, split)):
        return ()
    same_end = len({item[-1] for item in split}) == 1
    parts = [" ".join(item[:-1]) if same_end else item[-1] for item in split]
    others = {word for item in split for word in (item[1:] if same_end else item[:-1])}
    return () if len(set(parts)) < len(parts) or others & set(parts) else tuple(parts)


def _is_name(parts: list[str]) -> bool:
    capitals = [word for word in parts if word[:1].isupper() and len(word) > 1]
    return (
        len(parts) > 1
        and all(word in capitals or word.lower() in _SMALL or word.endswith(".") for word in parts)
        and parts[-1] in capitals
        and parts[-1].lower() not in word_list("colors")
    )
