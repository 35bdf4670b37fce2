"""ChEF's rule for the open questions of MMMU (Yue et al. 2024)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chef.reading.text import Reading

#: What comes before an answer, also inside a word: "this is" ends with "is ".
_INDICATORS = ("could be ", "so ", "is ", "thus ", "therefore ", "final ", "answer ", "result ")
#: The digits of a number are searched from the first one only, which takes linear time.
_NUMBERS = (
    re.compile(r"-?\b\d{1,3}(?:,\d{3})+\b"),
    re.compile(r"-?(?<!\d)\d+(?:\.\d+)?[eE][+-]?\d+"),
    re.compile(r"-?(?:(?<!\d)\d+\.\d+|\.\d+|(?<!\d)\d+\b)(?![eE][+-]?\d+)(?![,\d])"),
)


def chef_open_answer(answer: str, references: Sequence[str]) -> Reading[str]:
    """ChEF's rule for open questions: the reference that an answer contains.

    Of each line the shortest text after an indicator ("is", "so", "answer", ...; "=" in the last
    line) is kept, of an answer without indicators everything. These texts and the numbers in them
    are compared with the references: numbers are equal if they are so with two decimals, a text is
    given by a text that contains it ("cat" by "category"). A single letter is compared with a space
    before it, and with one behind it.

    Args:
        answer: the model's text, its chain of thought included.
        references: the accepted answers.

    Returns:
        The reference (``rule`` is ``number`` or ``words``); the last of the texts if none is given
        (``other``), None if the answer is empty (``none``).

    >>> chef_open_answer("This gives the result b.", ["B"]).value
    'B'
    """
    text = answer.strip().strip(".").lower()
    if not text:
        return Reading(None, "none")
    tails = _tails(text.split("\n")) or [text]
    numbers = [number for tail in tails for form in _NUMBERS for number in form.findall(tail)]
    given = [form for item in (*tails, *numbers) for form in _forms(item)]
    for reference in references:
        for wanted in _forms(reference):
            if isinstance(wanted, float):
                if wanted in given:
                    return Reading(reference, "number", reference)
            elif any(isinstance(item, str) and wanted in item for item in given):
                return Reading(reference, "words", reference)
    return Reading(tails[-1], "other", tails[-1])


def _tails(lines: Sequence[str]) -> list[str]:
    """The shortest text after an indicator, of each line that has one."""
    tails = []
    for place, line in enumerate(lines):
        marks = (*_INDICATORS, "=") if place == len(lines) - 1 else _INDICATORS
        shortest = ""
        for mark in marks:
            tail = line.rpartition(mark)[2].strip()
            if mark in line and (not shortest or len(tail) < len(shortest)):
                shortest = tail
        if shortest and shortest not in {":", ",", ".", "!", "?", ";", "'"}:
            tails.append(shortest)
    return tails


def _forms(text: str) -> Iterator[str | float]:
    """What is compared: a number, a text in lower case, or a letter with a space on either side."""
    text = text.strip()
    try:
        yield round(float(text.replace(",", "")), 2)
    except ValueError:
        folded = text.lower()
        yield from (f" {folded}", f"{folded} ") if len(folded) == 1 else (folded,)
