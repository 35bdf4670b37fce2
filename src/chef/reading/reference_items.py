"""References that are lists: "red and white", of which the items may have any order."""

from __future__ import annotations

import re
from itertools import pairwise

from chef.reading.mentions import normal
from chef.reading.word_forms import Token, occurrences, phrase_keys

_SEPARATOR = re.compile(
    r"\s*(?:,(?!\d{3}(?!\d))\s*(?:and\b)?|\band\b|&|、|和|と)\s*", re.IGNORECASE
)
_JOINT = re.compile(
    r"\s*(?:,\s*(?:and|y|und|et)?|\b(?:and|y|und|et)\b|&|、|和|と)\s*(?:(?:an?|the|some|\d+)\s+)?"
    r"(?:(?:one|other|another)\s+(?:one\s+)?(?:is|has)\s+(?:an?\s+)?)?",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\w\s*(?:,|&|\band\b)\s*(?:and\s+)?(?:(?:an?|the|some)\s+)?\Z", re.IGNORECASE)
#: Another item of the list follows, and no clause: "and they are".
_AFTER = re.compile(
    r"\s*(?:,?\s*\b(?:and|or)\b|,|&)\s*(?!(?:it|he|she|they|there|this|that|is|are|which|with|in|on"
    r"|but|so|as|while|the|and|respectively)\b)\w",
    re.IGNORECASE,
)


def list_items(text: str) -> list[str]:
    """The items of a list in their order; none of a text that is no list.

    >>> list_items("red, white and blue"), list_items("red"), list_items("1,000")
    (['red', 'white', 'blue'], [], [])
    """
    parts = [part for part in _SEPARATOR.split(normal(text)) if part]
    return parts if len(parts) > 1 else []


def item_keys(text: str) -> frozenset[str]:
    """The forms of the items of a list, for comparison in any order; empty where it is no list.

    >>> item_keys("red and white") == item_keys("white, red"), item_keys("red")
    (True, frozenset())
    """
    keys = [phrase_keys(part) for part in list_items(text)]
    return frozenset(key[0] for key in keys if key) if all(keys) else frozenset()


def listed(text: str, tokens: list[Token], reference: str) -> tuple[int, int] | None:
    """Where a text lists all items of a reference and nothing else, in any order.

    >>> from chef.reading.word_forms import tokens_of
    >>> text = "They are white and red."
    >>> listed(text, tokens_of(text), "red and white")
    (9, 22)
    """
    items = sorted(item_keys(reference))
    if not items:
        return None
    places = sorted((span, item) for item in items for span in occurrences(tokens, item))
    for first in range(len(places) - len(items) + 1):
        run = places[first : first + len(items)]
        spans = [span for span, _ in run]
        gaps = [text[one[1] : two[0]] for one, two in pairwise(spans)]
        whole = (spans[0][0], spans[-1][1])
        if (
            sorted(item for _, item in run) == items
            and all(_JOINT.fullmatch(gap) for gap in gaps)
            and not _BEFORE.search(text[: whole[0]])
            and not _AFTER.match(text, whole[1])
        ):
            return whole
    return None
