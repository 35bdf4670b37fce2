"""Extract the things that an answer lists."""

from __future__ import annotations

import re

#: A limit, because each thing is asked about and a model may repeat itself endlessly.
MOST = 20
_BETWEEN = re.compile(r"[,;\n]|\band\b|\.(?=\s|\Z)", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:there\s+(?:is|are)|(?:the|this)\s+(?:image|picture)\s+(?:shows|contains)|i\s+(?:can\s+)?see"
    r"|an?|the|another|one|two|three|four|five|six|\d+)\b[\s:.)]*",
    re.IGNORECASE,
)
_EDGES = " \t:*-\"'`()[]"


def things_named(text: str) -> list[str]:
    """The things that a text lists, in order and without repetition, articles and numbers.

    >>> things_named("There is a red star, a blue cross and a red star.")
    ['red star', 'blue cross']
    """
    found: dict[str, str] = {}
    for piece in _BETWEEN.split(text):
        name = bare_name(piece)
        if name:
            found.setdefault(name.casefold(), name)
    return list(found.values())[:MOST]


def bare_name(text: str) -> str:
    """The name of a thing without its article.

    >>> bare_name(" a red star")
    'red star'
    """
    name, start = text.strip(_EDGES), 0
    while match := _LEAD.match(name, start):
        start = match.end()
        while name[start : start + 1] and name[start] in _EDGES:
            start += 1
    return name[start:]
