"""Extract short answers to open questions, as the evaluation of MMMU does (Yue et al. 2024)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.excerpt import excerpt
from chef.reading.text import Reading, strip_reasoning

_PART = re.compile(r"\n|\.\s+(?=[A-Z])")
_INDICATOR = re.compile(r"\b(?:is|are|so|thus|therefore|hence|answer|result|final|correct)\b[:,]?")
_NUMBER = re.compile(
    r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)(?![\w]|\.\d)",
    re.IGNORECASE,
)
_EDGES = " \t.,;:!?'\""


def has_words(text: str, words: str) -> bool:
    """Whether ``text`` contains ``words`` as whole words: "cat" is not in "category"."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def open_matches(answer: str, references: Sequence[str]) -> Reading[str]:
    """The reference that an answer gives.

    The candidates are the texts after the last indicator word ("is", "thus", "answer", ...) of each
    line and sentence, and the text after "=" in the last one; the whole text if there are none; and
    every number in these texts. A numeric reference is given by an equal candidate, both rounded to
    two decimals; any other reference by a candidate that contains it as whole words.

    Args:
        answer: the model's text, without its chain of thought.
        references: the accepted answers.

    Returns:
        The value is the reference, the last candidate if no reference is given, or None if the
        answer is empty.

    >>> open_matches("The area is 1,250.0 m2.", ["1250"]).value
    '1250'
    """
    seen = strip_reasoning(excerpt(answer)).strip()
    if not seen:
        return Reading(None, "none")
    texts, numbers = candidates(seen)
    for reference in references:
        number = as_float(reference)
        if number is not None and number in numbers:
            return Reading(reference, "number", reference)
        if number is None and _contained(reference, texts):
            return Reading(reference, "words", reference)
    return Reading(texts[-1], "other", texts[-1])


def candidates(text: str) -> tuple[list[str], set[float]]:
    """The parts of a text that may be its answer, in lower case, and the numbers in them.

    >>> candidates("So it is four. For 2 + 2 = 4")
    (['four', '4'], {4.0})
    """
    parts = [part.strip(_EDGES).lower() for part in _PART.split(text)]
    parts = [part for part in parts if part]
    tails = []
    for place, part in enumerate(parts):
        marks = [match.end() for match in _INDICATOR.finditer(part)]
        if "=" in part and place == len(parts) - 1:
            marks.append(part.rindex("=") + 1)
        tail = part[max(marks) :].strip(_EDGES) if marks else ""
        tails += [tail] if tail else []
    texts = tails or parts or [text.lower()]
    found = (as_float(match[0]) for item in texts for match in _NUMBER.finditer(item))
    return texts, {number for number in found if number is not None}


def as_float(text: str) -> float | None:
    """The value of a number, rounded to two decimals; None for any other text.

    >>> as_float("1,234.567"), as_float("12 m")
    (1234.57, None)
    """
    match = _NUMBER.fullmatch(text.strip())
    return round(float(match[0].replace(",", "")), 2) if match else None


def _contained(reference: str, texts: Sequence[str]) -> bool:
    words = reference.strip().lower()
    return any(has_words(text, words) for text in texts)
