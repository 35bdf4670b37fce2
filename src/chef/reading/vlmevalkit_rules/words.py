"""The form in which VLMEvalKit compares free answers: that of the VQA benchmark."""

from __future__ import annotations

import re

from chef.reading.vqa_benchmark import plain_words, without_signs

_DIGIT_COMMA = re.compile(r"\d,\d")


def process_punctuation(text: str) -> str:
    """``text`` without the signs of the VQA benchmark; colons and asterisks are none of them.

    A sign that touches a space anywhere is removed everywhere, otherwise it becomes a space; with
    a comma between digits every sign is removed. Of the full stops that stand before no digit the
    first 32 are removed. (The comma is a rule of the benchmark; what is known of VLMEvalKit's rules
    does not name it.)

    >>> process_punctuation("no-one"), process_punctuation("1,000 dog-like")
    ('no one', '1000 doglike')
    """
    return without_signs(text, all_removed=_DIGIT_COMMA.search(text) is not None)


def process_answer(answer: object) -> str:
    """An answer or a reference as `process_punctuation` leaves it, in plain lower-case words.

    Number words up to ten become digits ("none" is 0), articles are left out, and apostrophes are
    added to contractions. Values that are no texts are read as they are printed.

    >>> process_answer("The two dogs, dont run."), process_answer("a"), process_answer("None")
    ("2 dogs don't run", '', '0')
    """
    text = str(answer).replace("\n", " ").replace("\t", " ").strip()
    return plain_words(process_punctuation(text))
