"""Options of a question as text: letters, yes and no, and lists written in a cell."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Mapping, Sequence
from itertools import product
from string import ascii_uppercase
from typing import Any

YES_NO = ("Yes", "No")
_LETTERS = [*ascii_uppercase, *map("".join, product(ascii_uppercase, repeat=2))]
#: What a list of options may begin with: `lettered`'s line, and that of MMBench.
_HEADS = "(?:Options:|There are several options:)"


def letters(n: int) -> list[str]:
    """The letters of ``n`` options, upper-case: A to Z, then AA, AB, ... (``n`` is at most 702).

    >>> letters(3), letters(28)[-2:]
    (['A', 'B', 'C'], ['AA', 'AB'])
    """
    return _LETTERS[:n]


def by_letter(texts: Sequence[str], labels: object) -> dict[str, str]:
    """The options of a multiple-choice question by its own letters, where ``labels`` are some, else
    by A, B, ...; none of a yes/no question, or beyond Z.

    >>> by_letter(["cat", "dog"], ["B", "C"]), by_letter(["cat", "dog"], None)
    ({'B': 'cat', 'C': 'dog'}, {'A': 'cat', 'B': 'dog'})
    """
    if not 2 <= len(texts) <= 26 or all(map(yes_or_no, texts)):
        return {}
    marks = [str(label) for label in labels] if isinstance(labels, list | tuple) else []
    fits = len(marks) == len({*marks}) == len(texts) and {*marks} <= {*letters(26)}
    return dict(zip(marks if fits else letters(26), texts, strict=False))


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
    return "\n".join([*lines, *[f"({label}) {text}" for label, text in choices.items()]])


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
    match = re.search(rf"\s+(?:{_HEADS}\s+)?{listed}\s*(?:\n[^\n]+)?\s*\Z", question)
    if match is None:
        return "", question
    head = r"(?:Hint: (.*?)\nQuestion: |Question: )?(.*)"
    parts = re.fullmatch(head, question[: match.start()], re.DOTALL)
    assert parts is not None
    return parts[1] or "", parts[2]


def yes_or_no(answer: str) -> str | None:
    """``Yes`` or ``No``, in whatever case ``answer`` is written; None for any other answer."""
    word = answer.strip().rstrip(".").capitalize()
    return word if word in YES_NO else None


def yes_no_fields(answer: str) -> dict[str, Any]:
    """The fields of a sample whose options are `YES_NO`; ``answer`` is the right one."""
    return {"gt_choice": YES_NO.index(answer), "choices": list(YES_NO)}


def list_literal(cell: str) -> list[object] | None:
    """The list that a cell contains as a literal of JSON or Python; None if it contains none.

    Texts without a comma between them, as NumPy prints them, are no list: Python would join them.

    >>> list_literal("['a', 'b']"), list_literal("['a' 'b']")
    (['a', 'b'], None)
    """
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        try:
            value = None if _joins_texts(cell) else ast.literal_eval(cell)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None
    return value if isinstance(value, list) else None


def _joins_texts(cell: str) -> bool:
    """Whether two texts stand side by side in a literal of Python; SyntaxError if it is none."""
    before = tokenize.OP
    try:
        for token in tokenize.generate_tokens(io.StringIO(cell).readline):
            if token.type == before == tokenize.STRING:
                return True
            before = before if token.type == tokenize.NL else token.type
    except tokenize.TokenError:
        return False  # `ast` says what is wrong with it
    return False


def article(noun: str) -> str:
    """The noun with its indefinite article: ``a red star``, ``an orange star``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
