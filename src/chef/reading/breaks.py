"""Whether a text breaks off before it ends."""

from __future__ import annotations

import re

_ENDED = re.compile(r"[.!?:;)\]}\"'|`*…~✓✔✗✘✅❌>°%$]\Z|[^\W\d_a-zA-Z]\Z")
#: A word that cannot be the last of a sentence.
_OPEN_END = re.compile(
    r"(?:\b(?:an?|the|of|in|on|at|to|for|with|and|or|but|is|are|was|were|by|from|as|that|which|its|his"
    r"|her|their|so|because|has|have)|[=,-])\s*\Z",
    re.IGNORECASE,
)
#: "Perimeter: 36 cm"
_RESULT_LINE = re.compile(r"\W*\w[^:]{0,40}:[^:]{1,30}")
_LIST_LINE = re.compile(r"(?:^|\n)[ \t]*(?:[-*•|]|\(?\d+[.)])[^\n]*\Z")


def cut_off(plain: str) -> bool:
    """Whether a text of several sentences ends in the middle of one.

    >>> cut_off("First I count the cups. There are 2 in front. In the second row")
    True
    >>> cut_off("There are 2 cups. All of them are blue.")
    False
    """
    text = plain.rstrip()
    if _ENDED.search(text, max(0, len(text) - 1)):
        return False
    sentences = re.split(r"(?<=[.!?])\s+", text)
    tail = sentences[-1].rpartition("\n")[2]
    if tail and any(sentence.startswith(tail) for sentence in sentences[:-1]):
        return False  # it repeats itself
    if text.islower() and not _OPEN_END.search(text):
        return False  # small letters and no stops
    result = "\n" in text and _RESULT_LINE.fullmatch(tail) and not _OPEN_END.search(text)
    if len(sentences) < 2 and "\n" in text and _OPEN_END.search(text):
        return True  # "B. a dog\n\nThe correct answer is"
    if len(sentences) < 2 or result or _LIST_LINE.search(text):
        return False
    few = len(sentences) > 2 or _OPEN_END.search(text)  # "As for the scarf, it is"
    return len(tail.split()) > (2 if few else 8) or text.endswith("=")
