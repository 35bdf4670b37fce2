"""ChEF's own rules for reading answers, kept so that its results can be reproduced.

Each function is one rule of ChEF, defects included; `chef.metric.upstream` says which metric uses
which. The corrected rules are in the other modules of this package.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from chef.common.options import letters
from chef.extraction.quotes import join_quotes
from chef.extraction.text import Extraction
from chef.extraction.words import tokens

_LETTERS = "ABCDEFG"
_MARKED = (re.compile(r"([A-Z])\."), re.compile(r"\(([A-Z])"))
_ENCLOSED = (
    ("(", ")"), ("(", ")."), ("", "."), ("", ","), ("", ":"), ("", ")"), ("", ")."),
    (":", ""), (":", ","), (":", "."), (":", ")"), (":", ")."),
)  # fmt: skip


def cascade(answer: str, choices: Sequence[str], *, content_only: bool = False) -> Extraction[int]:
    """ChEF's rule for options.

    The first of these decides: the first capital before a full stop, else the first one after a
    bracket (neither with ``content_only``); the only letter of A to G that is a word of its own, or
    that has one of twelve forms such as ``(B).``; the choice that equals the answer; the only
    choice that the answer contains.

    It guesses where `extract_option` gives no answer: "A dog" is A, "Washington D.C." is D, and the
    first letter of a chain of thought wins over its conclusion.

    Args:
        answer: the model's text, its chain of thought included.
        choices: the texts of the options.
        content_only: the options are texts, not letters.

    Returns:
        ``rule`` is ``option`` or ``content``. An answer that cannot be read has the rule
        ``content`` too, as in ChEF.

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
    # "A" may be the article when there are other words.
    if len(bare) == 1 and not ("A" in tokens and len(tokens) >= 3):
        return bare[0]
    for before, behind in _ENCLOSED:
        found = [letter for letter in _LETTERS if f"{before}{letter}{behind}" in tokens]
        if len(found) == 1:
            return found[0]
    return None


_NO = frozenset({"No", "not", "no"})


def token_verdict(answer: str) -> Extraction[str]:
    """ChEF's rule for POPE: "no" if the first sentence contains the word No, no or not, else "yes".

    >>> token_verdict("There is no dog. Yes.").value, token_verdict("I know nothing").value
    ('no', 'yes')
    """
    first = answer.partition(".")[0].replace(",", "")
    return Extraction("no" if _NO & set(first.split(" ")) else "yes", "token", first)


def substring_verdict(answer: str) -> Extraction[str]:
    """ChEF's rule for MME: "yes" or "no", if only one of them occurs, even inside a word.

    >>> substring_verdict("I know").value, substring_verdict("Yes, there is no dog").value
    ('no', None)
    """
    # ChEF first replaces number words by digits, so that "none" does not contain "no".
    text = re.sub(r"\bnone\b", "0", answer.lower())
    found = [word for word in ("yes", "no") if word in text]
    return Extraction(found[0] if len(found) == 1 else None, "substring", answer)


def no_or_not(answer: str) -> Extraction[str]:
    """LAMM's rule for smiles: ``-1`` (no smile) if a word is "no" or "not", else ``1``.

    >>> no_or_not("It is not clear.").value, no_or_not("perhaps").value
    ('-1', '1')
    """
    negative = not {"no", "not"}.isdisjoint(tokens(answer))
    return Extraction("-1" if negative else "1", "no or not")


_STATED = re.compile(r"[Tt]he answer is \(?([A-E])\)?\W")
_ANSWER = re.compile(r"ANSWER: ([A-E])")
_BRACKETED = re.compile(r"\(([A-E])\)")


def lamm_option(answer: str, choices: Sequence[str], right: int) -> Extraction[int]:
    """LAMM's rule for options: the correct option, if it can be found anywhere.

    The first of these patterns that occurs decides, and is correct if the correct letter is among
    its matches: all of "the answer is (A)"; the first "ANSWER: A"; all letters in brackets. If none
    occurs, the answer is correct if it contains the words of the correct choice and of no other.

    >>> lamm_option("(A) or (B)", ["cat", "dog"], 1).value
    1
    """
    letter = chr(ord("A") + right)
    for rule, hits in (
        ("stated", _STATED.findall(answer)),
        ("marked", _ANSWER.findall(answer)[:1]),
        ("brackets", _BRACKETED.findall(answer)),
    ):
        if hits:
            read = letter if letter in hits else hits[0]
            return Extraction(ord(read) - ord("A"), rule, read)
    contained = [index for index, choice in enumerate(choices) if choice in answer]
    return Extraction(right if contained == [right] else None, "content")


_EDGES = ",.!?;:'"
#: A text with no more words than this is not searched for the words of an option.
_FEW_WORDS = 5


def mmmu_option(answer: str, choices: Sequence[str], rng: random.Random) -> Extraction[int]:
    """ChEF's rule for the options of MMMU.

    The first of these decides: letters in brackets; letters between spaces; and, in a text of more
    than five words, the words of the options. The last match counts. If there is none, an option is
    drawn at random.

    >>> mmmu_option("B or (C)", ["x", "y", "z"], random.Random(0)).value
    2
    """
    text = f" {answer.strip(_EDGES)} "
    labels = letters(len(choices))
    searches = [
        ("brackets", text, [f"({label})" for label in labels]),
        ("alone", text, [f" {label} " for label in labels]),
    ]
    if len(text.split()) > _FEW_WORDS:
        searches.append(("content", text.lower(), [choice.lower() for choice in choices]))
    for rule, searched, wanted in searches:
        places = [searched.rfind(item) for item in wanted]
        if max(places, default=-1) >= 0:
            value = places.index(max(places))
            return Extraction(value, rule, wanted[value].strip())
    return Extraction(rng.randrange(len(choices)), "random")


def has_letters(text: str, words: str) -> bool:
    """ChEF's rule for the open questions of MMMU: "cat" is in "category".

    A single letter needs a space before or after it.
    """
    if len(words) == 1:
        return f" {words}" in text or f"{words} " in text
    return words in text


_NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip


def first_number(answer: str) -> Extraction[float]:
    """ChEF's rule for counts: the first word that is all digits, or no, zero to twenty; else 0.

    "3." and "1,000" are not numbers by this rule.

    >>> first_number("I see two dogs").value, first_number("There are 3.").value
    (2, 0)
    """
    for word in answer.split():
        if word.isdecimal():
            return Extraction(int(word), "first number", word)
        if word in _NUMBER_WORDS:
            return Extraction(_NUMBER_WORDS.index(word), "first number", word)
        if word == "no":
            return Extraction(0, "first number", word)
    return Extraction(0, "none is 0")


def quoted_by_any(text: str) -> str:
    """ChEF's rule for quotes: apostrophes are quotation marks too.

    The text between two quoted parts counts as well. The parts are joined by ``". "``; if nothing
    is quoted, the result is the whole text.

    >>> quoted_by_any("It's 'a bar'.")
    's . a bar'
    """
    return join_quotes(re.split(r"['\"]", text)[1:-1], text)
