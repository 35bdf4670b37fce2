"""The list of options in the text of a question, found and written with other texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

#: What stands before the text of an option: ``(A)``, ``[A]``, ``A.``, ``A)`` or ``A:``, perhaps in
#: bold type. A letter within a word, or after a full stop ("U.S.A."), is no label.
_HEAD = re.compile(r"(?:[(\[](\w{1,2})[)\]]|(?<![\w.])(\w{1,2})[*_]*[.):])[.:*_]*\s*")
#: What stands between the text of an option and the next label.
_BETWEEN = re.compile(
    r"[ \t]*[.,;|/]?\s*(?:[-*•]\s+)?(?:(?:or|and|option|choice)\s+)?[*_]*", re.IGNORECASE
)


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
        between = _BETWEEN.match(question, place + len(text))
        head = _HEAD.match(question, between.end()) if between else None
    end = places[-1][1] + len(texts[-1])
    is_cut = question[end - 1 : end + 1].isalnum() and end < len(question)
    return [] if is_cut else places  # "dogs" is not the option "dog"
