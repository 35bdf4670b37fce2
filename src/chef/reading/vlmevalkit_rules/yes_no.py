"""VLMEvalKit's rule for yes and no."""

from __future__ import annotations

from typing import Literal

from chef.reading.vlmevalkit_rules.words import process_punctuation


def yes_no(answer: object) -> Literal["Yes", "No", "Unknown"]:
    """``Yes`` or ``No`` if exactly one of them is a word of the answer, else ``Unknown``.

    Punctuation is treated as in `process_punctuation`, so "**Yes**" and "Answer:yes" are unknown.

    >>> yes_no("Yes."), yes_no("no-one"), yes_no("Yes, there is no cat")
    ('Yes', 'No', 'Unknown')
    """
    words = set(process_punctuation(str(answer).lower()).split())
    if ("yes" in words) == ("no" in words):
        return "Unknown"
    return "Yes" if "yes" in words else "No"
