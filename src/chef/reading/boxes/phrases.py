"""Noun phrases: which words of a clause name the thing that is located, and their head noun.

There is no grammar here, only closed lists of the words that stand around names of things in
answers. A name is what remains between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chef.reading.boxes.word_lists import (
    BOX_NOUNS,
    NO_PARTICIPLES,
    NUMERALS,
    PARTICIPLES,
    POSITIONS,
    PREPOSITIONS,
    QUALITIES,
    QUANTITIES,
    SMALL,
    VERBS,
)

_COPULAS = frozenset({"is", "are", "was", "were"})
_FILLER = POSITIONS | BOX_NOUNS | SMALL | PREPOSITIONS | VERBS
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[0-9]+(?:st|nd|rd|th)\b|\S", re.UNICODE)
#: Between two words of one name.
_INNER = re.compile(r"[ \t_-]{1,3}|(?:\s*&\s*)")
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:ing|ed)\Z")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    lower: str
    start: int
    end: int


def thing_named(clause: str) -> str:
    """The name of the thing that a clause before a box is about; empty if it names none.

    >>> thing_named("The bounding box of the dog is"), thing_named("cat next to the dog")
    ('dog', 'cat')
    >>> thing_named("A woman sits at a dining table"), thing_named("Here is the box:")
    ('dining table', '')
    """
    words = [_Word(m[0], m[0].lower().replace("’", "'"), *m.span()) for m in _WORD.finditer(clause)]
    chunks = _chunks(words, clause)
    if not chunks:
        return ""
    last_start = chunks[-1][0].start
    verb = max(
        (word.start for i, word in enumerate(words) if _divides(words, i, last_start)), default=-1
    )
    first = next(chunk for chunk in chunks if chunk[0].start > verb)
    name = clause[first[0].start : first[-1].end]
    return re.sub(r"['’]s?\Z", "", name)


def begins_a_description(text: str) -> bool:
    """Whether the first word of ``text`` only describes what came before: "on the left", "sitting".

    >>> begins_a_description(" looking up"), begins_a_description("the dog")
    (True, False)
    """
    match = re.match(r"[\s\])}>*`$\"']*([^\W\d_]+)", text)
    return match is not None and _describes(match[1].lower())


def head_words(phrase: str) -> list[str]:
    """The words of a noun phrase up to its head noun, in lower case.

    >>> head_words("The small dog_2 next to a cat (left)"), head_words("two pairs of scissors")
    (['small', 'dog'], ['scissors'])
    """
    plain = re.sub(r"\([^()]*\)|<[^<>]*>", " ", phrase.replace("’", "'")).lower()
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*|,", plain)
    while words and (words[0] in SMALL or words[0] in NUMERALS or words[0] == ","):
        words = words[1:]
    for i, word in enumerate(words):
        if word == "of" and 0 < i < len(words) - 1 and words[i - 1] in QUANTITIES:
            return head_words(" ".join(words[i + 1 :]))
        named = any(item not in QUALITIES for item in words[:i])
        if named and (word == "," or word in VERBS or _describes(word)):
            words = words[:i]
            break
    while len(words) > 1 and words[-1] in POSITIONS and not words[-2].endswith("'s"):
        words = words[:-1]
    return [*words[:-1], words[-1].removesuffix("'s")] if words else []


def _describes(word: str) -> bool:
    if word in PREPOSITIONS or word in PARTICIPLES:
        return True
    return bool(_PARTICIPLE.match(word)) and word not in NO_PARTICIPLES


def _divides(words: Sequence[_Word], i: int, limit: int) -> bool:
    """Whether word ``i`` is a verb after which the thing is named; "is on" says where it is."""
    word = words[i]
    if word.start >= limit or word.lower not in VERBS:
        return False
    if word.lower in _COPULAS and i + 1 < len(words):
        return not _describes(words[i + 1].lower)
    return True


def _chunks(words: Sequence[_Word], clause: str) -> list[list[_Word]]:
    """The runs of words that are no filler and that belong together."""
    chunks: list[list[_Word]] = []
    last: _Word | None = None
    for i, word in enumerate(words):
        if not _names(words, i):
            last = None
            continue
        if last is not None and _INNER.fullmatch(clause[last.end : word.start]):
            chunks[-1].append(word)
        else:
            chunks.append([word])
        last = word
    return [chunk for chunk in chunks if not all(word.lower in QUALITIES for word in chunk)]


def _names(words: Sequence[_Word], i: int) -> bool:
    word = words[i]
    # "top-left" is a place, as "top" and "left" are.
    if not word.text[0].isalpha() or all(part in _FILLER for part in word.lower.split("-")):
        return False
    if word.lower in NUMERALS:
        return False
    if len(word.text) == 1 and word.text.isascii():
        return False
    following = words[i + 1].lower if i + 1 < len(words) else ""
    if word.lower == "hand" and following in POSITIONS:  # on the left hand side
        return False
    # "dining table" and "parking meter" are names; "holding the racket" is none.
    return not _describes(word.lower) or (following not in _FILLER and following.isalpha())
