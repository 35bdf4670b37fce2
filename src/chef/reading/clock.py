"""Times of day in words and in other digits: "ten past ten" is 10:10, "11.40 p.m." 23:40."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from chef.reading.lexicon import word_rows
from chef.reading.number_words import TEENS, TENS, UNITS, european
from chef.reading.units import units_after

#: A time in digits.
CLOCK = re.compile(
    r"\s*\d{1,2}(?::\d{2}|(?:[:.]\d{2})?(?=\s*(?:[ap]\.?m|Uhr\b))|h\d{2})(?:\s*[ap]\.?m\.?|\s*Uhr)?\s*",
    re.IGNORECASE,
)
_DIGITS = re.compile(
    r"(?<![\w:.,$€£¥])(?P<hour>[01]?\d|2[0-4])(?:(?:[:h]|(?P<stop>\.))(?P<minutes>[0-5]\d))?(?![\d:]|[.,]\d)"
    r"(?:\s*(?P<half>[ap])(?:m(?![a-z])|\.\s?m(?![a-z])\.?)|\s*(?P<clock>Uhr)\b)?",
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
    r"(?P<hour>NUMBER)(?:[:.h](?P<minutes>\d\d))?(?:\s+Uhr)?(?=\s+(?:HALF)\b)",
)
#: Chinese and Japanese: "下午3点20分".
_ASIAN = re.compile(
    r"(?:(?P<am>上午|早上|午前|오전)|(?P<pm>下午|晚上|午後|오후))?\s?(?P<hour>\d{1,2})\s?[点點時时시]\s?"
    r"(?:(?P<minutes>\d{1,2})\s?(?:分|분))?"
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
    halves = dict(row.split(": ") for row in word_rows("half_days"))
    am, pm = ("|".join(halves[name].split(" / ")) for name in ("am", "pm"))
    forms = (form.replace("NUMBER", number).replace("HALF", f"{am}|{pm}") for form in _FORMS)
    half = rf"(?:,?\s+(?:(?P<am>{am})|(?P<pm>{pm}))\b)?"
    spaced = (rf"(?<![\w:.,$€£¥]){form}(?![\w:]){half}" for form in forms)
    return (*(re.compile(form, re.IGNORECASE) for form in spaced), _ASIAN)


def with_clock_times(text: str) -> str:
    """``text`` with times of day in digits.

    >>> with_clock_times("It is ten past ten."), with_clock_times("a quarter to four")
    ('It is 10:10.', '3:45')
    >>> with_clock_times("nine in the morning"), with_clock_times("um 8.30 Uhr abends")
    ('9:00 am', 'um 8:30 pm')
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
    half = next((f" {name}" for name in ("am", "pm") if name in said), "")
    space = " " if match.re is _ASIAN else ""
    return f"{space}{total // 60 or 12}:{total % 60:02}{half}{space}"


def same_times(text: str, references: Sequence[str]) -> str:
    """``text`` with times of day, also in words, as the first reference has them that is the same.

    A time with "am" or "pm", or behind noon, is one of 24 hours; any other one may be a time of
    either half of a day that has "am" or "pm".

    >>> same_times("It leaves at 5:45 PM.", ["17:45"]), same_times("17:45", ["5:45 am"])
    ('It leaves at 17:45.', '17:45')
    """
    matches = ((item, _DIGITS.fullmatch(item.strip())) for item in references)
    times = [(item, match) for item, match in matches if match]
    # "7:00" beside "7 am" is no time of the evening.
    times = [pair for pair in times if _half_of(pair[1]) is not None] or times

    def put(match: re.Match[str]) -> str:
        # "11.40" may be any number, of which only a reference says that it is a time.
        is_price = match["stop"] and units_after(match.string, match.end())[0]
        if not (match["half"] or match["clock"] or (match["minutes"] and not is_price)):
            return match[0]
        return next((item for item, time in times if _is_same(match, time)), match[0])

    return _DIGITS.sub(put, with_clock_times(text))


def _half_of(time: re.Match[str]) -> int | None:
    """0 for a time before noon, 1 for one behind it; None where it may be either."""
    if time["half"]:
        return int(time["half"].lower() == "p")
    return 1 if int(time["hour"]) * 60 >= _NOON else None


def _is_same(one: re.Match[str], two: re.Match[str]) -> bool:
    moments = [60 * int(time["hour"]) + int(time["minutes"] or 0) for time in (one, two)]
    halves = [_half_of(time) for time in (one, two)]
    if not (one["half"] or two["half"]):
        return moments[0] == moments[1]
    return moments[0] % _HALF == moments[1] % _HALF and (None in halves or halves[0] == halves[1])


def _number(word: str) -> int | None:
    name = " ".join(word.lower().split())
    return int(name) if name.isdigit() else _PARTS.get(name) or _values().get(name)
