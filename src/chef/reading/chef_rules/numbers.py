"""ChEF's rule for counts."""

from __future__ import annotations

from chef.reading.text import Reading

_NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
_VALUES = {"no": 0, **{word: number for number, word in enumerate(_NUMBER_WORDS)}}


def first_number(answer: str) -> Reading[float]:
    """ChEF's rule for counts: the first word that is all digits, or no, zero to twenty; else 0.

    Case does not matter. "3." and "1,000" are not numbers by this rule, and "No 5" is 0.

    >>> first_number("I see Two dogs").value, first_number("There are 3.").value
    (2, 0)
    """
    for word in answer.lower().split():
        if word.isdecimal():
            return Reading(int(word), "first number", word)
        if word in _VALUES:
            return Reading(_VALUES[word], "first number", word)
    return Reading(0, "none is 0")
