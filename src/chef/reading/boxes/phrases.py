"""Noun phrases: which words of a clause name the thing that is located, and their head noun.

There is no grammar here, only closed lists of the words that stand around names of things in
answers. A name is what remains between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from chef.frozen import Frozen
from chef.reading.lexicon import word_list

_COPULAS = frozenset({"is", "are", "was", "were"})
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[0-9]+(?:st|nd|rd|th)\b|\S", re.UNICODE)
#: Between two words of one name.
_INNER = re.compile(r"[ \t_-]{1,3}|(?:\s*&\s*)")
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:ing|ed)\Z")


class _Word(Frozen):
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
    while words and (_is(words[0], "small_words") or _is(words[0], "numerals") or words[0] == ","):
        words = words[1:]
    for i, word in enumerate(words):
        if word == "of" and 0 < i < len(words) - 1 and _is(words[i - 1], "quantities"):
            return head_words(" ".join(words[i + 1 :]))
        named = any(not _is(item, "qualities") for item in words[:i])
        if named and (word == "," or _is(word, "verbs") or _describes(word)):
            words = words[:i]
            break
    while len(words) > 1 and _is(words[-1], "positions") and not words[-2].endswith("'s"):
        words = words[:-1]
    return [*words[:-1], words[-1].removesuffix("'s")] if words else []


def _describes(word: str) -> bool:
    if _is(word, "prepositions") or _is(word, "participles"):
        return True
    return bool(_PARTICIPLE.match(word)) and not _is(word, "no_participles")


def _divides(words: Sequence[_Word], i: int, limit: int) -> bool:
    """Whether word ``i`` is a verb after which the thing is named; "is on" says where it is."""
    word = words[i]
    if word.start >= limit or not _is(word.lower, "verbs"):
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
    return [chunk for chunk in chunks if not all(_is(word.lower, "qualities") for word in chunk)]


def _is(word: str, kind: str) -> bool:
    """Whether a word is of a kind that stands around the names of things."""
    return word in word_list(f"box_{kind}")


@cache
def _filler() -> frozenset[str]:
    """Words that name nothing."""
    kinds = ("positions", "nouns", "small_words", "prepositions", "verbs")
    return frozenset().union(*(word_list(f"box_{kind}") for kind in kinds))


def _names(words: Sequence[_Word], i: int) -> bool:
    word = words[i]
    # "top-left" is a place, as "top" and "left" are.
    if not word.text[0].isalpha() or all(part in _filler() for part in word.lower.split("-")):
        return False
    if _is(word.lower, "numerals"):
        return False
    if len(word.text) == 1 and word.text.isascii():
        return False
    following = words[i + 1].lower if i + 1 < len(words) else ""
    if word.lower == "hand" and _is(following, "positions"):  # on the left hand side
        return False
    # "dining table" and "parking meter" are names; "holding the racket" is none.
    return not _describes(word.lower) or (following not in _filler() and following.isalpha())
