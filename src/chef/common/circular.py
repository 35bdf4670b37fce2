"""Rotations of one question, as MMBench numbers them: their indices differ by multiples of 1e6."""

from __future__ import annotations

ROTATION = 1_000_000


def main_index(index: str) -> str | None:
    """The index of the question that a row is a rotation of; None where indices are no numbers.

    >>> main_index("2000241"), main_index("241"), main_index("a7")
    ('241', '241', None)
    """
    number = _number(index)
    return None if number is None else str(number % ROTATION)


def question_index(index: str) -> str:
    """As `main_index`; an index that is no number stands for itself."""
    return main_index(index) or index


def is_rotation(index: str) -> bool:
    """Whether a row repeats a question with its options rotated."""
    number = _number(index)
    return number is not None and number >= ROTATION


def circular_group(index: str, given: str, *, is_circular: bool) -> str | None:
    """What the rotations of one question have in common; None if there are none.

    Args:
        index: of the row.
        given: the group that the file names, if it does.
        is_circular: whether the file holds rotations.
    """
    return given.strip() or (main_index(index) if is_circular else None)


def _number(text: str) -> int | None:
    """Indices stay texts: this only tells rotations apart."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None
