"""ChEF's rules for options: letters, other names, and words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from chef.common.options import letters
from chef.reading.text import Reading

#: The letters of ChEF's metrics, except those of MMBench.
LETTERS = "ABCDEFG"
_MARKED = (re.compile(r"([A-Z])\."), re.compile(r"\(([A-Z])"))
_ENCLOSED = (
    ("(", ")"), ("(", ")."), ("", "."), ("", ","), ("", ":"), ("", ")"), ("", ")."),
    (":", ""), (":", ","), (":", "."), (":", ")"), (":", ")."),
)  # fmt: skip


def cascade(
    answer: str, choices: Sequence[str], *, known: str = LETTERS, content_only: bool = False
) -> Reading[int]:
    """ChEF's rule for options.

    The first of these decides: the first capital before a full stop, else the first one after a
    bracket; the only known letter that is a word of its own, or that has one of twelve forms such
    as ``(B).``; the choice that equals the answer; the only choice that the answer contains.

    It guesses where `extract_option` gives no answer: "A dog" is A, "Washington D.C." is D, and the
    first letter of a chain of thought wins over its conclusion.

    Args:
        answer: the model's text, its chain of thought included.
        choices: the texts of the options.
        known: the letters that options may have.
        content_only: the options are texts, so no letter is read.

    Returns:
        ``rule`` is ``option`` or ``content``. An answer that cannot be read has the rule
        ``content`` too, as in ChEF.

    >>> cascade("(A) or (B)", ["cat", "dog"]).value
    0
    """
    if not content_only:
        cut = _last_turn(answer)
        marked = _first_marked(cut)
        answer = f"({marked})" if marked else cut
        letter = _letter(answer.split(), known)
        if letter is not None:
            return Reading(LETTERS.index(letter), "option", letter)
    if answer in choices:
        return Reading(choices.index(answer), "content", answer)
    folded = answer.lower()
    contained = [index for index, choice in enumerate(choices) if choice.lower() in folded]
    value = contained[0] if len(contained) == 1 else None
    return Reading(value, "content", "" if value is None else choices[value])


def _last_turn(answer: str) -> str:
    """What the model itself said: before the next turn, and after its last name."""
    return answer.partition("###")[0].rpartition("Assistant:")[2].strip()


def _first_marked(text: str) -> str | None:
    """The first capital before a full stop, else the first one after a bracket."""
    return next((hit[1] for form in _MARKED if (hit := form.search(text))), None)


def _letter(words: list[str], known: str) -> str | None:
    bare = [letter for letter in known if letter in words]
    # "A" may be the article when there are other words.
    if len(bare) == 1 and not ("A" in words and len(words) >= 3):
        return bare[0]
    place = _only_enclosed(words, known)
    return None if place is None else known[place]


def _only_enclosed(words: list[str], names: Sequence[str]) -> int | None:
    """The only name that is a word in one of the twelve forms; the first such form decides."""
    for before, behind in _ENCLOSED:
        found = [place for place, name in enumerate(names) if f"{before}{name}{behind}" in words]
        if len(found) == 1:
            return found[0]
    return None


def mapped_option(answer: str, options: Sequence[str]) -> Reading[int]:
    """ChEF's rule for options with other names, such as ``Smith`` or ``(1``.

    A capital before a full stop or after a bracket counts first, as in `cascade`; if there is none,
    the whole answer does. The only option that is a word of it is the answer, unless that is ``A``;
    otherwise the only option in one of the twelve forms. The words of the choices are not read.

    >>> mapped_option("It is Smith.", ["Smith", "Jones"]).value
    0
    """
    marked = _first_marked(_last_turn(answer))
    words = (f"({marked})" if marked else answer).split()
    bare = [place for place, option in enumerate(options) if option in words]
    only = bare[0] if len(bare) == 1 and options[bare[0]] != "A" else None
    value = _only_enclosed(words, options) if only is None else only
    return Reading(value, "option", "" if value is None else options[value])


_STATED = re.compile(r"[Tt]he answer is \(?([A-E])\)?\W")
_ANSWER = re.compile(r"ANSWER: ([A-E])")
_BRACKETED = re.compile(r"\(([A-E])\)")


def lamm_option(answer: str, choices: Sequence[str], right: int) -> Reading[int]:
    """LAMM's rule for options: is the correct one stated, and no other?

    The first of these patterns that occurs decides, and is correct if all its matches are the
    correct letter: "the answer is (A)"; the first "ANSWER: A"; letters in brackets. If none occurs,
    the answer is correct if it contains the correct choice and no other, in any case.

    Returns:
        The correct option; otherwise the first wrong one that is stated, or None.

    >>> lamm_option("(A) or (B)", ["cat", "dog"], 1).value
    0
    """
    letter = chr(ord("A") + right)
    for rule, hits in (
        ("stated", _STATED.findall(answer)),
        ("marked", _ANSWER.findall(answer)[:1]),
        ("brackets", _BRACKETED.findall(answer)),
    ):
        if hits:
            read = next((hit for hit in hits if hit != letter), letter)
            return Reading(ord(read) - ord("A"), rule, read)
    folded = answer.lower()
    contained = [index for index, choice in enumerate(choices) if choice.lower() in folded]
    return Reading(right if contained == [right] else None, "content")


#: Removed from both ends of an answer, one after the other.
_EDGES = ",.!?;:'"
#: A text with no more words than this is not searched for the words of an option.
_FEW_WORDS = 5


def mmmu_option(answer: str, choices: Sequence[str], rng: random.Random) -> Reading[int]:
    """ChEF's rule for the options of MMMU.

    The first of these decides: letters in brackets; letters between spaces; and, in a text of more
    than five words, the words of the options. The last match counts. If there is none, an option is
    drawn at random.

    >>> mmmu_option("B or (C)", ["x", "y", "z"], random.Random(0)).value
    2
    """
    for edge in _EDGES:
        answer = answer.strip(edge)
    text = f" {answer} "
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
            return Reading(value, rule, wanted[value].strip())
    return Reading(rng.randrange(len(choices)), "random")
