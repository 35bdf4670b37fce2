"""Options of a question as text: letters, yes and no, and lists written in a cell."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from itertools import chain, islice, product
from string import ascii_uppercase
from typing import Any

YES_NO = ("Yes", "No")
#: What a list of options may begin with: `lettered`'s line, and that of MMBench.
_HEADS = "(?:Options:|There are several options:)"


def letters(n: int) -> list[str]:
    """The letters of ``n`` options, upper-case: A to Z, then AA, AB, ... (``n`` is at most 702).

    >>> letters(3), letters(28)[-2:]
    (['A', 'B', 'C'], ['AA', 'AB'])
    """
    pairs = (first + second for first, second in product(ascii_uppercase, repeat=2))
    return list(islice(chain(ascii_uppercase, pairs), n))


def lettered(question: str, hint: str, choices: Mapping[str, str]) -> str:
    r"""The text of a multiple-choice question.

    >>> print(lettered("What is it?", "It purrs.", {"A": "cat", "B": "dog"}))
    Hint: It purrs.
    Question: What is it?
    Options:
    (A) cat
    (B) dog
    """
    lines = [f"Hint: {hint}"] if hint else []
    lines += [f"Question: {question}", "Options:"]
    return "\n".join([*lines, *(f"({label}) {text}" for label, text in choices.items())])


def unlettered(question: str, choices: Mapping[str, str]) -> tuple[str, str]:
    r"""Hint and question of a text that lists its options after them, as `lettered` writes it.

    The options may also be on one line, as ``A. cat``, without a head line, or followed by one line
    that says how to answer. A text that lists others, or none, is returned as the question.

    >>> unlettered(lettered("What is it?", "It purrs.", {"A": "cat"}), {"A": "cat"})
    ('It purrs.', 'What is it?')
    >>> unlettered("Question: Which?\nOptions: (A) cat (B) dog\n", {"A": "cat", "B": "dog"})
    ('', 'Which?')
    >>> unlettered("Is it (A) a cat or (B) a dog?", {"A": "cat", "B": "dog"})
    ('', 'Is it (A) a cat or (B) a dog?')
    """
    listed = r"\s+".join(
        rf"(?:\({label}\)|{label}\.)\s*{re.escape(text)}" for label, text in choices.items()
    )
    found = re.search(rf"\s+(?:{_HEADS}\s+)?{listed}\s*(?:\n[^\n]+)?\s*\Z", question)
    if found is None:
        return "", question
    head = r"(?:Hint: (.*?)\nQuestion: |Question: )?(.*)"
    parts = re.fullmatch(head, question[: found.start()], re.DOTALL)
    assert parts is not None
    return parts[1] or "", parts[2]


def relisted(question: str, old: Mapping[str, str], new: Mapping[str, str]) -> str | None:
    r"""A question whose list of options has other texts; None if it does not list the old ones.

    Args:
        question: a text with the options as ``(A) cat (B) dog`` or ``A. cat``, on one line or
            several.
        old: the texts in the question by their labels, in order.
        new: the texts that replace them, by the same labels.

    >>> relisted("Which?\n(A) cat\n(B) dog", {"A": "cat", "B": "dog"}, {"A": "dog", "B": "cat"})
    'Which?\n(A) dog\n(B) cat'
    >>> relisted("Which?", {"A": "cat", "B": "dog"}, {"A": "dog", "B": "cat"})
    """
    # "(A) cat", or "A. cat" where a line or the text begins with it
    parts = (
        rf"(\({re.escape(label)}\)\s*|(?<!\S){re.escape(label)}\.\s){re.escape(text)}"
        for label, text in old.items()
    )
    found = list(re.finditer(r"(\s+)".join(parts), question))
    if not found:
        return None
    last = found[-1]
    pieces = [*last.groups(), ""]  # head, gap, head, gap, ..., head, nothing
    texts = [new[label] for label in old]
    listed = "".join(
        f"{pieces[2 * place]}{text}{pieces[2 * place + 1]}" for place, text in enumerate(texts)
    )
    return question[: last.start()] + listed + question[last.end() :]


def yes_or_no(answer: str) -> str | None:
    """``Yes`` or ``No``, in whatever case ``answer`` is written; None for any other answer."""
    word = answer.strip().rstrip(".").capitalize()
    return word if word in YES_NO else None


def yes_no_fields(answer: str) -> dict[str, Any]:
    """The fields of a sample whose options are `YES_NO`; ``answer`` is the right one."""
    return {"gt_choice": YES_NO.index(answer), "choices": list(YES_NO)}


def list_literal(cell: str) -> list[object] | None:
    """The list that a cell contains as a literal of JSON or Python; None if it contains none."""
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        try:
            value = ast.literal_eval(cell)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None
    return value if isinstance(value, list) else None


def article(noun: str) -> str:
    """The noun with its indefinite article: ``a red star``, ``an orange star``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
