"""Times of day in words: "ten past ten" is 10:10."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from chef.reading.number_words import TEENS, TENS, UNITS, european

#: A time in digits.
CLOCK = re.compile(r"\s*\d{1,2}:\d{2}(?:\s*[ap]\.?m\.?)?\s*", re.IGNORECASE)
_DIGITS = re.compile(
    r"(?<![\w:.])(?P<hour>[01]?\d|2[0-4])(?::|h(?=\d\d\b)|\.(?=\d\d\s*(?:[ap]\.?m\b|Uhr\b)))"
    r"(?P<minutes>[0-5]\d)(?![\d:])(?:\s*(?P<half>[ap])(?:m\b|\.m\.))?",
    re.IGNORECASE,
)
#: Half a day, in minutes; and the first minute that only a clock of 24 hours has.
_HALF, _NOON = 12 * 60, 13 * 60
_FORMS = (
    # English and German: the minutes come first; "halb acht" is half an hour before eight.
    r"(?:an?\s+)?(?P<minutes>NUMBER|quarter|half|Viertel)(?:\s+(?:minutes?|Minuten?))?\s+"
    r"(?:(?P<past>past|after|nach)|(?P<to>to|before|till|vor))\s+(?P<hour>NUMBER)",
    r"(?P<half>halb)\s+(?P<hour>NUMBER)",
    # French, Spanish, Italian and Portuguese: the hour comes first.
    r"(?P<hour>NUMBER)(?:\s+heures?|\s+horas?)?\s+"
    r"(?:(?P<past>et|y|e)|(?P<to>moins|menos|meno))\s+"
    r"(?:le\s+|un\s+)?(?P<minutes>NUMBER|demie?|quart|media|cuarto|mezza|mezzo|quarto|meia)",
    r"(?P<hour>NUMBER)\s+(?:o'clock|heures?|horas)(?:\s+(?P<minutes>NUMBER))?",
    r"(?P<hour>NUMBER)\s+Uhr(?:\s+(?P<minutes>NUMBER))?",
)
_PARTS = {
    **dict.fromkeys(("half", "demi", "demie", "media", "mezza", "mezzo", "meia"), 30),
    **dict.fromkeys(("quarter", "viertel", "quart", "cuarto", "quarto"), 15),
}


@cache
def _values() -> dict[str, int]:
    """The words for numbers below sixty."""
    tens = {f"{ten}{sign}{unit}": TENS[ten] + UNITS[unit]
            for ten in TENS for unit in UNITS for sign in "- "}  # fmt: skip
    known = {**european(), **tens, **TENS, **TEENS, **UNITS, "une": 1, "una": 1, "ein": 1}
    return {word: value for word, value in known.items() if value < 60}


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    # Which words are numbers is looked up: a pattern of hundreds of them is slow.
    number = r"(?:\d{1,2}|[^\W\d_]{2,20}(?:-[^\W\d_]{2,10})?)"
    forms = (form.replace("NUMBER", number) for form in _FORMS)
    return tuple(re.compile(rf"(?<![\w:.]){form}(?![\w:])", re.IGNORECASE) for form in forms)


def with_clock_times(text: str) -> str:
    """``text`` with times of day in digits.

    >>> with_clock_times("It is ten past ten."), with_clock_times("a quarter to four")
    ('It is 10:10.', '3:45')
    """
    for pattern in _patterns():
        text = pattern.sub(_time, text)
    return text


def _time(match: re.Match[str]) -> str:
    """The time of a match in digits; its own words where they are none."""
    said = {key: value for key, value in match.groupdict().items() if value}
    hour, minutes = _number(said["hour"]), _number(said.get("minutes", "0"))
    if hour is None or minutes is None or not 0 < hour < 25:
        return match[0]
    minutes = 30 if "half" in said else minutes
    total = 60 * hour + (-minutes if {"to", "half"} & set(said) else minutes)
    return f"{total // 60 or 12}:{total % 60:02}"


def same_times(text: str, references: Sequence[str]) -> str:
    """``text`` with times of day, also in words, as the first reference has them that is the same.

    A time with "am" or "pm", or behind noon, is one of 24 hours; any other one may be a time of
    either half of a day that has "am" or "pm".

    >>> same_times("It leaves at 5:45 PM.", ["17:45"]), same_times("17:45", ["5:45 am"])
    ('It leaves at 17:45.', '17:45')
    """

    def put(match: re.Match[str]) -> str:
        same = (item for item in references if _is_same(match, _DIGITS.fullmatch(item.strip())))
        return next(same, match[0])

    return _DIGITS.sub(put, with_clock_times(text))


def _is_same(one: re.Match[str], two: re.Match[str] | None) -> bool:
    if two is None:
        return False
    moments = [60 * int(item["hour"]) + int(item["minutes"]) for item in (one, two)]
    halves = [(item["half"] or "").lower() for item in (one, two)]
    if not any(halves):
        return moments[0] == moments[1]
    pairs = list(zip(moments, halves, strict=True))
    if all(half or moment >= _NOON for moment, half in pairs):
        hours = [
            moment % _HALF + _HALF * (half == "p") if half else moment for moment, half in pairs
        ]
        return hours[0] == hours[1]
    return moments[0] % _HALF == moments[1] % _HALF


def _number(word: str) -> int | None:
    name = " ".join(word.lower().split())
    return int(name) if name.isdigit() else _PARTS.get(name) or _values().get(name)
