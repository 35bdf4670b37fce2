"""Extract a number from text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from chef.extraction.leaks import answer_body
from chef.extraction.statements import after as _after
from chef.extraction.statements import stated, tagged
from chef.extraction.text import (
    Extraction,
    Hit,
    decide,
    found,
    last_of,
    sentence_end,
    sentence_start,
    strip_markup,
    strip_reasoning,
)

# fmt: off
_UNITS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
          "nine": 9}
_TEENS = {"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
          "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
         "eighty": 80, "ninety": 90}
# fmt: on
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000}
_WORDS = {**_UNITS, **_TEENS, **_TENS}


def _any(words: dict[str, int]) -> str:
    return f"(?:{'|'.join(words)})"


_SMALL = rf"(?:{_any(_TENS)}(?:[\s-]{_any(_UNITS)}\b)?|{_any(_TEENS)}|{_any(_UNITS)})\b"
_HUNDREDS = (
    rf"(?:(?:{_SMALL}\s+)?hundred\b(?:\s+(?:and\s+)?{_SMALL})?|(?:{_SMALL}\s+)?dozen\b|{_SMALL})"
)
_WORDED = rf"(?:(?:{_HUNDREDS}\s+)?thousand\b(?:\s+(?:and\s+)?{_HUNDREDS})?|{_HUNDREDS})"
_DIGITS = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_NUMBER = re.compile(
    # A hyphen after a number makes a range ("3-4"), after a letter a name ("F-16").
    rf"(?P<digits>(?:(?<![\w.)])[+-]|(?<![\w.])(?<![A-Za-z]-)){_DIGITS})(?!\w|\.[0-9])"
    rf"|(?P<words>\b{_WORDED})"
    r"|(?P<zero>\b(?:zero|none|no(?=\s+(?!doubt|idea|way|longer|more|one|matter)[a-z]))\b)",
    re.IGNORECASE,
)
_OF_WHAT = r"(?:\s{1,3}of\s{1,3}[\w ]{1,40}?)?"
_TOTAL = re.compile(
    rf"(?:\btotal\b(?:\s{{1,3}}(?:number|count){_OF_WHAT})?\s*(?:of\b|is\b|are\b|was\b|:|=)"
    rf"|\b(?:count|number)\b{_OF_WHAT}\s*(?:is\b|are\b|was\b|:|=)|=)\s*",
    re.IGNORECASE,
)
_IN_TOTAL = re.compile(r"\b(?:in\s+total|altogether|overall|in\s+all)\b", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:\b(?:or|to|and)\b|[-–/,])\s*", re.IGNORECASE)
_PRONOUN_BEFORE = re.compile(
    r"\b(?:no|this|that|each|every|the|which|any|another)\s+\Z", re.IGNORECASE
)
_AMBIGUOUS: Extraction[float] = Extraction(None, "ambiguous")


def as_number(text: str) -> float | None:
    """The value of a text that is a number and nothing else; None for any other text.

    >>> as_number(" 1,000. "), as_number("three"), as_number("3 dogs")
    (1000, 3, None)
    """
    plain = strip_markup(strip_reasoning(text)).lstrip(" \t\n,;:\"'([").rstrip(" \t\n.,;:!?\"')]")
    match = _NUMBER.fullmatch(plain)
    value = _value(match) if match else None
    return 0 if plain.lower() == "no" else value


def extract_number(answer: str) -> Extraction[float]:
    """The number that an answer gives.

    Digits ("3.", "1,000", "-2", "2.5") and words ("three", "twenty-one", "two hundred and five",
    "a dozen") are read; "no circles" and "none" are 0. The pronoun "one" ("the one", "one of") is
    not a number.

    The first of these decides: the whole answer, if it is a number; a tagged or boxed number; the
    last explicit statement ("the answer is", "a total of", "=", "3 in total"); the only number in
    the text. Different numbers without such a statement are ambiguous, because "2 red and 1 blue"
    might mean 3.

    Returns:
        An int if the value is whole, otherwise a float; None if the text cannot be read.

    >>> extract_number("I count three red circles.").value
    3
    >>> extract_number("two or three").rule
    'ambiguous'
    """
    seen = answer_body(answer)
    plain = strip_markup(seen)
    whole = as_number(seen)
    if whole is not None:
        start = len(plain) - len(plain.lstrip())
        return found(Hit(whole, start, len(plain.rstrip())), "whole", answer)
    return (
        _in_tags(seen, plain, answer)
        or _in_statements(plain, answer)
        or decide(list(_numbers(plain, 0, len(plain))), "only number", answer)
        or Extraction(None, "none")
    )


def _in_tags(seen: str, plain: str, answer: str) -> Extraction[float] | None:
    last: Hit[float] | None = None
    for start, end in tagged(seen):
        hits = list(_numbers(plain, start, end))
        if len({hit.value for hit in hits}) > 1:
            return _AMBIGUOUS
        last = hits[-1] if hits else last
    return found(last, "tagged", answer) if last else None


def _in_statements(plain: str, answer: str) -> Extraction[float] | None:
    """The first number after each statement; the last statement counts."""
    hits: list[Hit[float]] = []
    for start, end in [*stated(plain), *_after(plain, _TOTAL)]:
        inside = list(_numbers(plain, start, sentence_end(plain, start, end)))
        if inside and _rivalled(plain, inside):
            return _AMBIGUOUS
        hits += inside[:1]
    begin = 0
    for match in _IN_TOTAL.finditer(plain):
        # "in total" refers to the last number before it in its sentence.
        begin += sentence_start(plain[begin : match.start()], match.start() - begin)
        hits += list(_numbers(plain, begin, match.start()))[-1:]
        begin = match.end()
    hits.sort(key=lambda hit: hit.start)
    return last_of(hits, "statement", plain, answer)


def _rivalled(plain: str, hits: list[Hit[float]]) -> bool:
    """Whether the second number is joined to the first: "2 or 3", "2-3"."""
    if len(hits) < 2 or hits[0].value == hits[1].value:
        return False
    return _JOINED.fullmatch(plain, hits[0].end, hits[1].start) is not None


def _numbers(plain: str, start: int, end: int) -> Iterator[Hit[float]]:
    for match in _NUMBER.finditer(plain, start, end):
        value = _value(match)
        if value is not None and not _is_pronoun(match, plain):
            yield Hit(value, *match.span())


def _is_pronoun(match: re.Match[str], plain: str) -> bool:
    if match[0].lower() != "one":
        return False
    before = plain[max(0, match.start() - 20) : match.start()]
    after = re.compile(r"\s+(?:of|another|can|could|might|may)\b", re.IGNORECASE)
    return bool(_PRONOUN_BEFORE.search(before) or after.match(plain, match.end()))


def _value(match: re.Match[str]) -> float | None:
    if match["zero"]:
        return 0
    if match["words"]:
        return _from_words(re.findall(r"[a-z]+", match[0].lower()))
    value = float(match[0].replace(",", ""))
    if not math.isfinite(value):
        return None
    # Beyond 2**53 floats do not represent every whole number, so an int would look too exact.
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _from_words(words: list[str]) -> int:
    """The value of number words.

    >>> _from_words(["two", "thousand", "three", "hundred", "and", "five"])
    2305
    """
    total = current = 0
    for word in words:
        if word == "thousand":
            total, current = total + (current or 1) * 1000, 0
        elif word in _SCALES:
            current = (current or 1) * _SCALES[word]
        else:
            current += _WORDS.get(word, 0)
    return total + current
