"""Rotations of a question: MMBench's numbering of them, and the list of options in their text.

A rotation is the same question with its options in another order. The index of rotation number i
is the index of the question plus i times `ROTATION`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

ROTATION = 1_000_000
#: The field of a record for its position in a file of answers: ChEF's, or one with rotations.
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
    """Whether a row repeats a question with its options rotated; question 0 has the index
    `ROTATION`.
    """
    number = _number(index)
    return number is not None and number >= ROTATION


def has_rotations(indices: Collection[str]) -> bool:
    """Whether indices say that rows are rotations: one of a rotation is there with its question's.

    A large index alone is not one: many data sets have indices beyond a million.

    >>> has_rotations({"7", "1000007"}), has_rotations({"7", "1000008"})
    (True, False)
    """
    known = indices if isinstance(indices, set | dict) else set(indices)
    large = [index for index in known if len(index) > 6 and is_rotation(index)]
    return any(main_index(index) in known for index in large)


def circular_group(index: str, given: str, *, is_circular: bool) -> str | None:
    """The name of the group of rotations of a row, ``given`` in the file or from its index; None if
    none.

    >>> circular_group("1000007", "7.0", is_circular=True)  # as pandas writes gaps
    '7'
    """
    return given.strip().removesuffix(".0") or (main_index(index) if is_circular else None)


def group_sizes(rows: Iterable[tuple[str, str | None, int]]) -> Counter[str]:
    """The number of rows that each group has, or should have.

    A group with rotations has one for each option. If it is not known how many options there are,
    a group whose highest rotation is number i has at least i + 1 rows.

    Args:
        rows: the index of each row, the group it belongs to (None for no group), and the number of
            its options (0: not known).

    >>> group_sizes([("7", "7", 0), ("2000007", "7", 0), ("8", "8", 4), ("x", None, 4)])
    Counter({'7': 3, '8': 1})
    >>> group_sizes([("7", "7", 4), ("1000007", "7", 4)])  # two of four rows are missing
    Counter({'7': 4})
    """
    sizes: Counter[str] = Counter()
    options: Counter[str] = Counter()
    added: Counter[str] = Counter()
    step = 0
    for index, group, count in rows:
        if group is None:
            continue
        sizes[group] += 1
        if offset := _offset(index, group):
            options[group] = max(options[group], count)
            added[group] = max(added[group], offset)
            step = math.gcd(step, offset)
    # Rotations may be numbered by ten million, as `rotation_step` does.
    unit = ROTATION
    while step and step % (10 * unit) == 0:
        unit *= 10
    return sizes | options | Counter({group: most // unit + 1 for group, most in added.items()})


def _offset(index: str, group: str) -> int:
    """What the index of a rotation adds to that of its question; 0 where it does not tell."""
    row, main = _number(index), _number(group)
    if row is None or main is None or row <= main:
        return 0
    return 0 if (row - main) % ROTATION else row - main


def rotation_step(indices: Iterable[str]) -> int:
    """What a rotation adds to the index of its question: `ROTATION`, times 10 until none is larger.

    >>> rotation_step(["7", "a7"]), rotation_step(["1000000"])
    (1000000, 10000000)
    """
    largest = max([_number(index) or 0 for index in indices], default=0)
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


def names_labels(texts: Iterable[str], labels: Iterable[str]) -> bool:
    """Whether the text of an option is a label, or names several: then it must not be moved.

    >>> [names_labels([text], "ABCD") for text in ("B", "Both A and C", "point A", "a cat")]
    [True, True, False, False]
    """
    names = {*labels}
    for words in (re.findall(r"\w+", text) for text in texts):
        if len(names.intersection(words)) > (len(words) > 1):
            return True
    return False


def _number(text: str) -> int | None:
    """``text`` as a number; None if it is not one. Ids of samples remain texts."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None


#: What stands before the text of an option: ``(A)``, ``[A]``, ``A.``, ``A)`` or ``A:``, perhaps in
#: bold type. A letter within a word, or after a full stop ("U.S.A."), is no label.
_HEAD = re.compile(r"(?:[(\[](\w{1,2})[)\]]|(?<![\w.])(\w{1,2})[*_]*[.):])[.:*_]*\s*")
#: What stands between the text of an option and the next label.
_BETWEEN = r"(?i:[ \t]*[.,;|/]?\s*(?:[-*•]\s+)?(?:(?:or|and|option|choice)\s+)?[*_]*)"


def relisted(question: str, old: Mapping[str, str], new: Mapping[str, str]) -> str | None:
    r"""A question whose list of options has other texts; None if it does not list the old ones.

    All else stays as it is. If the options are listed several times, the last list is changed.

    Args:
        question: a text with the options as ``(A) cat``, ``[A] cat``, ``A. cat``, ``A) cat`` or
            ``A: cat``, on one line or several; small letters do as well.
        old: the texts in the question by their labels, in order.
        new: the texts that replace them, by the same labels.

    >>> relisted("Which?\n(A) cat\n(B) dog", {"A": "cat", "B": "dog"}, {"A": "dog", "B": "cat"})
    'Which?\n(A) dog\n(B) cat'
    >>> relisted("a) cat, b) dog?", {"A": "cat", "B": "dog"}, {"A": "dog", "B": "cat"})
    'a) dog, b) cat?'
    >>> relisted("Which?", {"A": "cat", "B": "dog"}, {"A": "dog", "B": "cat"})
    """
    places = _list_places(question, old)
    if not places:
        return None
    pieces, end = [], 0
    for (_, place), (label, text) in zip(places, old.items(), strict=True):
        pieces += [question[end:place], new[label].strip()]
        end = place + len(text.strip())
    return "".join([*pieces, question[end:]])


def list_start(question: str, options: Mapping[str, str]) -> int | None:
    """Where the list of options of a question begins, its first label included; None: nowhere.

    Args:
        question: as for `relisted`.
        options: the texts in the question by their labels, in order.

    >>> list_start("Which? (A) cat (B) dog", {"A": "cat", "B": "dog"})
    7
    """
    places = _list_places(question, options)
    return places[0][0] if places else None


def _list_places(question: str, options: Mapping[str, str]) -> list[tuple[int, int]]:
    """Where the head and the text of each option begin in the last list of them; empty: nowhere."""
    labels, texts = list(options), [text.strip() for text in options.values()]
    if not labels or not all(texts):
        return []
    small = [label.lower() for label in labels]
    by_first = {small[0]: small, labels[0]: labels}
    places: list[tuple[int, int]] = []
    for head in _HEAD.finditer(question):
        if names := by_first.get(head[1] or head[2]):
            places = _places(question, head, names, texts) or places
    return places


def _places(
    question: str, first: re.Match[str], labels: Sequence[str], texts: Sequence[str]
) -> list[tuple[int, int]]:
    """Where heads and texts of the list begin whose first label is ``first``; empty: no list."""
    places: list[tuple[int, int]] = []
    head: re.Match[str] | None = first
    for label, text in zip(labels, texts, strict=True):
        if head is None or (head[1] or head[2]) != label:
            return []
        place = head.end()
        if not question.startswith(text, place):
            return []
        places.append((head.start(), place))
        between = re.compile(_BETWEEN).match(question, place + len(text))
        head = _HEAD.match(question, between.end()) if between else None
    end = places[-1][1] + len(texts[-1])
    is_cut = question[end - 1 : end + 1].isalnum() and end < len(question)
    return [] if is_cut else places  # "dogs" is not the option "dog"
