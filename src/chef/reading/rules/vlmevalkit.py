"""VLMEvalKit's own rules for options, yes and no, kept so that its figures can be compared.

Its form of free answers is `chef.reading.rules.vqa_normal.process_answer`. Each function is one
rule, defects included; `chef.metric.vlmevalkit` says which metric uses which.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from chef.reading.rules.vqa_normal import process_punctuation

#: What is inferred where the model declines to answer: none of the options.
NONE_OF_THEM = "Z"
#: What VLMEvalKit stores as the answer where a request has failed.
FAILED = "Failed to obtain answer via API"
#: How refusals are recognised, with their case: photographs of people, a file that cannot be read,
#: a missing image, an answer that cannot be given.
_REFUSALS = (
    "help with images of people",
    "can't process this file",
    "without the image provided",
    "Cannot determine the answer",
)
_BLANKS = str.maketrans(dict.fromkeys(".()[],:;!*#{}", " "))
#: No word ends behind the letter: "the answer is clearly B" states C.
_STATED = re.compile(r"answer\s+is\s+\**([ABCD])", re.IGNORECASE)
#: The only label counts if its first place is among this many last words.
_LAST_WORDS = 4


def can_infer(answer: object, choices: Mapping[str, object]) -> str | None:
    """The label of the option that an answer chose: `option_rule`, else `text_rule`.

    Args:
        answer: what the model wrote; values that are no texts are read as they are printed.
        choices: the texts of the options by their labels.

    Returns:
        A label, ``Z`` for a refusal or an answer that says Z, or None where nothing is found.

    >>> can_infer("(B)", {"A": "cat", "B": "dog"}), can_infer("cats", {"A": "cat", "B": "dog"})
    ('B', 'A')
    """
    text = str(answer)
    return option_rule(text, choices) or text_rule(text, choices)


def option_rule(answer: str, choices: Mapping[str, object]) -> str | None:
    """The only label that is a word of the answer, near its end; else a stated A, B, C or D.

    Words are separated by blanks and by ``. ( ) [ ] , : ; ! * # { }``; case counts. Where no label
    is a word but Z is, that is ``Z``. The phrase "answer is B" is looked for where the words do not
    decide. The first one counts, in any case and without regard to the end of a word, if its
    letter is a label: "the answer is an otter" states A.
    """
    if FAILED in answer:
        return None
    if any(refusal in answer for refusal in _REFUSALS):
        return NONE_OF_THEM
    words = answer.translate(_BLANKS).split()
    labels = [label for label in choices if label in words]
    if len(labels) == 1 and words.index(labels[0]) >= len(words) - _LAST_WORDS:
        return labels[0]
    if not labels and NONE_OF_THEM in words:
        return NONE_OF_THEM
    stated = _STATED.search(answer)
    letter = stated[1].upper() if stated else None
    return letter if letter in choices else None


def text_rule(answer: str, choices: Mapping[str, object]) -> str | None:
    """The only option whose text is in the answer, in any case; it has twice all options' length at
    most.
    """
    texts = {label: str(text).lower() for label, text in choices.items()}
    answer = answer.lower()
    if len(answer) > 2 * sum(map(len, texts.values())):
        return None
    found = [label for label, text in texts.items() if text in answer]
    return found[0] if len(found) == 1 else None


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
