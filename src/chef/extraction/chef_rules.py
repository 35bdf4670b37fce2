"""ChEF's own ways of reading an option letter, yes and no, kept to compare with its results.

`cascade` guesses where `extract_option` says that it cannot tell: "A dog" is A, "Washington D.C."
is D, and the first letter of a chain of thought wins over its conclusion.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.extraction.text import Extraction

_LETTERS = "ABCDEFG"
_MARKED = (re.compile(r"([A-Z])\."), re.compile(r"\(([A-Z])"))
_ENCLOSED = (
    ("(", ")"), ("(", ")."), ("", "."), ("", ","), ("", ":"), ("", ")"), ("", ")."),
    (":", ""), (":", ","), (":", "."), (":", ")"), (":", ")."),
)  # fmt: skip


def cascade(answer: str, choices: Sequence[str], *, content_only: bool = False) -> Extraction[int]:
    """The option that ChEF takes a text for.

    In this order: the first capital before a full stop, else the first one after a bracket (not
    with ``content_only``); the only one of A to G that stands alone, or in one of twelve forms such
    as ``(B).``; the choice that equals the answer; the only choice that it contains.

    Args:
        answer: the model's text, its chain of thought included.
        choices: the texts of the options.
        content_only: the options are texts, not letters.

    Returns:
        ``rule`` is ``option`` or ``content``. What cannot be read counts as ``content`` too, as in
        ChEF.

    >>> cascade("(A) or (B)", ["cat", "dog"]).value
    0
    """
    if not content_only:
        answer = answer.partition("###")[0].rpartition("Assistant:")[2].strip()
        marked = next((hit for form in _MARKED if (hit := form.search(answer))), None)
        answer = f"({marked[1]})" if marked else answer
    letter = _letter(answer.split())
    if letter is not None:
        return Extraction(_LETTERS.index(letter), "option", letter)
    if answer in choices:
        return Extraction(choices.index(answer), "content", answer)
    folded = answer.lower()
    contained = [index for index, choice in enumerate(choices) if choice.lower() in folded]
    value = contained[0] if len(contained) == 1 else None
    return Extraction(value, "content", "" if value is None else choices[value])


def _letter(tokens: list[str]) -> str | None:
    bare = [letter for letter in _LETTERS if letter in tokens]
    # "A" may be the article where there are words beside it.
    if len(bare) == 1 and not ("A" in tokens and len(tokens) >= 3):
        return bare[0]
    for before, behind in _ENCLOSED:
        found = [letter for letter in _LETTERS if f"{before}{letter}{behind}" in tokens]
        if len(found) == 1:
            return found[0]
    return None


_NO = frozenset({"No", "not", "no"})


def token_verdict(answer: str) -> Extraction[str]:
    """ChEF's rule for POPE: no if the first sentence has the word No, no or not, else yes.

    >>> token_verdict("There is no dog. Yes.").value, token_verdict("I know nothing").value
    ('no', 'yes')
    """
    first = answer.partition(".")[0].replace(",", "")
    return Extraction("no" if _NO & set(first.split(" ")) else "yes", "token", first)


def substring_verdict(answer: str) -> Extraction[str]:
    """ChEF's rule for MME: the one of "yes" and "no" that occurs, inside a word or not.

    >>> substring_verdict("I know").value, substring_verdict("Yes, there is no dog").value
    ('no', None)
    """
    # ChEF turns number words into digits first, so that "none" is no "no".
    text = re.sub(r"\bnone\b", "0", answer.lower())
    said = [word for word in ("yes", "no") if word in text]
    return Extraction(said[0] if len(said) == 1 else None, "substring", answer)
