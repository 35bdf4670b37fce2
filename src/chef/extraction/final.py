"""Read the final answer to an open question, which has no options to search for."""

from __future__ import annotations

from chef.extraction.leaks import answer_body
from chef.extraction.statements import stated, tagged
from chef.extraction.text import sentence_end, strip_markup


def final_text(text: str) -> str:
    """The final answer in a text: the tagged one, otherwise the stated one, otherwise the text.

    It is used for open questions, which have no options to search for.

    >>> final_text("<think>Rome? no</think>The answer is **Paris**.")
    'Paris'
    """
    seen = answer_body(text)
    plain = strip_markup(seen)
    for spans in (tagged(seen), stated(plain)):
        if spans:
            start, end = spans[-1]
            return plain[start : sentence_end(plain, start, end)].strip(" \t\n.,;:!?\"'")
    return plain.strip()
