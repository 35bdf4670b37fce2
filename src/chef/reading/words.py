"""The words of a caption, and the quoted parts of an answer."""

from __future__ import annotations

import re

from chef.reading.excerpt import excerpt
from chef.reading.text import strip_reasoning

_QUOTED = re.compile(r'"([^"]*)"')
_LETTERS = r"[^\W\u4e00-\u9fff]"
_TOKEN = re.compile(
    rf"""
    [\u4e00-\u9fff]                      # a Chinese character
    | \d+(?:[.,:/]\d+)+                  # a number with its signs: 3.5, 1,000, 10:30
    | can(?=not\b)                       # can|not
    | {_LETTERS}+?(?=n't\b) | n't\b      # does|n't
    | {_LETTERS}+(?:-{_LETTERS}+)*        # a word, with inner hyphens
    | (?<=\w)'\w+                        # a clitic: man|'s
    | [$£€%&@#]                          # signs that are read out
    """,
    re.VERBOSE,
)


def tokens(text: str) -> list[str]:
    """Lower-case words without punctuation, close to those of the COCO caption server.

    The server splits words by the rules of the Penn treebank, which keep a number together and
    take contractions apart.

    >>> tokens("A man's T-shirt, red.")
    ['a', 'man', "'s", 't-shirt', 'red']
    >>> tokens("It doesn't cost $3.50.")
    ['it', 'does', "n't", 'cost', '$', '3.50']
    """
    return _TOKEN.findall(text.lower().replace("’", "'"))


def quoted(text: str) -> str:
    """The parts of ``text`` between double quotes, joined by ``". "``; all of it if it has none.

    Typographic quotes count as plain ones. A quote that is never closed is ignored.

    >>> quoted('It says "open" and "come in".')
    'open. come in'
    """
    seen = strip_reasoning(excerpt(text))
    parts = _QUOTED.findall(seen)
    return ". ".join(parts) if any(part.strip() for part in parts) else seen.strip()
