"""MMBench's numbering of the rotations of a question.

A rotation is the same question with its options in another order. The index of rotation number i
is the index of the question plus i times `ROTATION`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

ROTATION = 1_000_000
#: The field of a record for its position in a file of answers, where rows of a question are there.
PLACE = "circular_place"


def main_index(index: str) -> str | None:
    """The index of the question that a row belongs to; None if ``index`` is not a number.

    >>> main_index("2000241"), main_index("241"), main_index("a7")
    ('241', '241', None)
    """
    number = _number(index)
    return None if number is None else str(number % ROTATION)


def question_index(index: str) -> str:
    """As `main_index`, but an index that is not a number is returned unchanged."""
    return main_index(index) or index


def is_rotation(index: str) -> bool:
    """Whether a row repeats a question with its options rotated.

    The first rotation of question 0 has the index `ROTATION` itself.
    """
    number = _number(index)
    return number is not None and number >= ROTATION


def circular_group(index: str, given: str, *, is_circular: bool) -> str | None:
    """The name of the group of rotations that a row belongs to; None if there are no groups.

    Args:
        index: the index of the row.
        given: the group in the file; empty if the file does not name groups.
        is_circular: whether the file holds rotations.
    """
    return given.strip() or (main_index(index) if is_circular else None)


def group_sizes(rows: Iterable[tuple[str, str | None]]) -> Counter[str]:
    """The number of rows that each group has, or should have.

    A group whose highest rotation is number i has at least i + 1 rows, even if some are missing.

    Args:
        rows: the index of each row, and the group it belongs to; None for no group.

    >>> group_sizes([("7", "7"), ("2000007", "7"), ("8", "8"), ("x", None)])
    Counter({'7': 3, '8': 1})
    """
    sizes: Counter[str] = Counter()
    highest: Counter[str] = Counter()
    for index, group in rows:
        if group is not None:
            sizes[group] += 1
            rotation = (_number(index) or 0) // ROTATION
            # The rotations of another numbering do not tell how many there are.
            if main_index(index) == group:
                highest[group] = max(highest[group], rotation + 1)
    return sizes | highest


def rotation_step(indices: Iterable[str]) -> int:
    """What a rotation adds to the index of its question: `ROTATION`, times 10 until none is larger.

    >>> rotation_step(["7", "a7"]), rotation_step(["1000000"])
    (1000000, 10000000)
    """
    largest = max((_number(index) or 0 for index in indices), default=0)
    step = ROTATION
    while step <= largest:
        step *= 10
    return step


def rotation_index(index: str, number: int, step: int = ROTATION) -> str:
    """The index of rotation ``number`` of a question; an index that is no number gets a suffix.

    >>> rotation_index("7", 2), rotation_index("art_7", 2), rotation_index("art_7", 0)
    ('2000007', 'art_7~2', 'art_7')
    """
    whole = _number(index)
    if not number:
        return index
    return f"{index}~{number}" if whole is None else str(whole + number * step)


def rotated(items: Sequence[T], number: int) -> list[T]:
    """The texts of options after a rotation; the labels stay where they are.

    >>> rotated(["a", "b", "c", "d"], 1)  # the text of A is now that of D
    ['b', 'c', 'd', 'a']
    """
    place = number % max(1, len(items))
    return [*items[place:], *items[:place]]


def names_labels(text: str, labels: Collection[str]) -> bool:
    """Whether the text of an option is a label, or names several: then it must not be moved.

    >>> [names_labels(text, "ABCD") for text in ("B", "Both A and C", "point A", "a cat")]
    [True, True, False, False]
    """
    words = re.findall(r"\w+", text)
    return words in [[label] for label in labels] or len({*words} & {*labels}) > 1


def _number(text: str) -> int | None:
    """``text`` as a number; None if it is not one. Ids of samples remain texts."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None
