"""What is read of an answer: no invisible characters, and of a very long one not the middle.

A model that repeats itself until its limit of tokens writes a hundred thousand characters. No one
states an answer in the middle of them, and to read all of them would take seconds for each sample.
Every reader of chef's own rules reads an excerpt; ChEF's rules, which are simple, read everything.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from chef.reading.text import Reading

T = TypeVar("T")
#: A longer answer is read at its start and at its end only, where answers are stated.
LONGEST = 12_000
#: So many of these characters are the start.
HEAD = 3_000

#: Invisible characters; and more of a run of blanks, line breaks or equal marks than mean anything.
_DROPPED = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff]"
    r"|(?<=[ \t]{2})[ \t]+|(?<=\n\n)\n+|(?<=([^\w\s]))(?<=\1\1\1\1)\1+"
)
#: Runs of which a text in ASCII has one, if anything of it is dropped. In a text of some thousand
#: characters equal marks do no harm.
_BLANKS = ("   ", "\t\t", " \t", "\t ", "\n\n\n")
_RUNS = tuple(sign * 5 for sign in string.punctuation)
_SOME = 4_000


def without_invisible(text: str) -> str:
    r"""``text`` without zero-width spaces, and without more of a run of blanks than means anything.

    >>> without_invisible("\u200bno")
    'no'
    """
    return _DROPPED.sub("", text) if _may_drop(text) else text


def excerpt(text: str) -> str:
    """A text as it is read: a very long one without its middle; a line break stands there.

    >>> excerpt("yes"), len(excerpt("yes " * 40_000)) == LONGEST + 1
    ('yes', True)
    """
    if len(text) <= LONGEST:
        return text
    shown = without_invisible(text)
    return shown if len(shown) <= LONGEST else f"{shown[:HEAD]}\n{shown[HEAD - LONGEST :]}"


def read_visible(
    answer: str, read: Callable[[str], Reading[T]], also: re.Pattern[str] | None = None
) -> Reading[T]:
    r"""What ``read`` finds in the `excerpt` of ``answer``, without characters that mean nothing.

    Zero-width spaces, marks of direction and the rest of long runs of blanks or equal marks are
    removed, and so is what ``also`` matches. The span is one in ``answer``.

    >>> from chef.reading.text import Reading
    >>> read_visible("\u200bno", lambda text: Reading("no", "whole", text, (0, 2))).span
    (1, 3)
    """
    if also is None and len(answer) <= LONGEST and not _may_drop(answer):
        return read(answer)
    patterns = (_DROPPED,) if also is None else (_DROPPED, also)
    dropped = [match.span() for pattern in patterns for match in pattern.finditer(answer)]
    if not dropped and len(answer) <= LONGEST:
        return read(answer)
    gone = {place for span in dropped for place in range(*span)}
    kept = [place for place in range(len(answer)) if place not in gone]
    seen = "".join(answer[place] for place in kept)
    if len(kept) > LONGEST:
        seen, tail = f"{seen[:HEAD]}\n{seen[HEAD - LONGEST :]}", kept[HEAD - LONGEST :]
        kept = [*kept[:HEAD], tail[0], *tail]
    result = read(seen)
    if result.span is None:
        return result
    start, end = result.span
    span = (kept[start], kept[end - 1] + 1) if end > start else (0, 0)
    return replace(result, text=answer[slice(*span)], span=span)


def _may_drop(text: str) -> bool:
    """Whether a text may have characters that are dropped; a cheap test, for most have none."""
    if not text.isascii() or any(run in text for run in _BLANKS):
        return True
    return len(text) > _SOME and any(run in text for run in _RUNS)


def left_out(text: str) -> int:
    """How many characters of a text are not read, because it is too long.

    >>> left_out("yes"), left_out("yes " * 4_000)
    (0, 4000)
    """
    return 0 if len(text) <= LONGEST else max(0, len(without_invisible(text)) - LONGEST)
