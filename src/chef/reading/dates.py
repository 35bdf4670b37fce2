"""Dates in a text: the days that they name, with a year or without one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache, partial
from typing import TypeAlias

from chef.reading.lexicon import word_rows

#: A year, a month and a day.
Date: TypeAlias = tuple[int, int, int]
Days: TypeAlias = AbstractSet[tuple[int, ...]]

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"


@cache
def _months() -> dict[str, int]:
    rows = enumerate(word_rows("months"), 1)
    return {name: number for number, row in rows for name in row.split()}


@cache
def date_forms() -> tuple[re.Pattern[str], ...]:
    """Patterns of dates with a year, in words and in digits."""
    names = "|".join(sorted(_months(), key=len, reverse=True))
    month, year = rf"(?P<month>{names})\.?", r"(?P<year>\d{4})"
    forms = (
        rf"\b{month}\s+{_DAY},?\s+{year}\b",
        rf"\b{_DAY}\s+(?:of\s+|de\s+)?{month},?\s+(?:de\s+)?{year}\b",
        rf"(?<![\d/.-]){year}-(?P<month>\d{{2}})-(?P<day>\d{{2}})(?![\d/-]|\.\d)",
        rf"(?<![\d/.-])(?P<one>\d{{1,2}})(?P<sign>[./-])(?P<two>\d{{1,2}})(?P=sign){year}(?![\d/-])",
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


@lru_cache(256)
def days_of(text: str) -> dict[str, Date]:
    """The day that a date is by each order of month and day that it may be written in.

    >>> days_of("March 4, 2001")["day"], days_of("03/14/2001")
    ((2001, 3, 4), {'month': (2001, 3, 14)})
    """
    match = next((match for form in date_forms() if (match := form.fullmatch(text))), None)
    if match is None:
        return {}
    parts, year = match.groupdict(), int(match["year"])
    if "one" not in parts:
        month = _months().get(parts["month"].lower()) or int(parts["month"])
        return dict.fromkeys(("month", "day"), (year, month, int(parts["day"])))
    one, two = int(parts["one"]), int(parts["two"])
    orders = {"month": (year, one, two), "day": (year, two, one)}
    return {order: date for order, date in orders.items() if date[1] <= 12}


@cache
def _day_forms() -> tuple[re.Pattern[str], ...]:
    names = "|".join(sorted(_months(), key=len, reverse=True))
    month = rf"(?P<month>{names})\.?"
    forms = rf"\b{month}\s+{_DAY}(?!\w|[.:]\d)", rf"\b{_DAY}\s+(?:of\s+|de\s+)?{month}(?!\w)"
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


@lru_cache(256)
def days_named(text: str) -> frozenset[tuple[int, int]]:
    """The months and days that a text names in words. Cached.

    >>> sorted(days_named("May 3 and the 4th of June"))
    [(5, 3), (6, 4)]
    """
    return frozenset(
        (_months()[match["month"].lower()], int(match["day"]))
        for form in _day_forms()
        for match in form.finditer(text)
    )


def same_days(text: str, references: Sequence[str]) -> str:
    """``text`` with each date as the first reference has it that is the same day.

    >>> same_days("am 12. März 1998", ["March 12, 1998"]), same_days("4th of May", ["May 4"])
    ('am March 12, 1998', 'May 4')
    """
    for reference in references:
        if day := {*days_of(reference.strip(" .")).values()}:
            for form in date_forms():
                text = form.sub(
                    partial(_put, reference, day, lambda one: {*days_of(one).values()}), text
                )
        elif any(form.fullmatch(reference.strip(" .")) for form in _day_forms()):
            for form in _day_forms():
                text = form.sub(
                    partial(_put, reference, {*days_named(reference)}, days_named), text
                )
    return text


def _put(reference: str, day: Days, read: Callable[[str], Days], match: re.Match[str]) -> str:
    return match[0] if day.isdisjoint(read(match[0])) else reference
