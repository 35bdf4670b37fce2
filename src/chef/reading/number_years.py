"""The year, or the day, that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.number_context import Candidate, Role
from chef.reading.number_forms import is_year
from chef.reading.number_phrases import YEAR_BEFORE
from chef.reading.opposites import extremes
from chef.reading.questions import content_places, content_words

_WHEN = re.compile(r"(?P<year>\b(?:which|what)\s+year|哪一?年|何年)|\bwhen\b", re.IGNORECASE)
#: "5.1 % in 2018", "in 2018, 5.1 %", "2018: 5.1 %"
_AT_YEAR = re.compile(r"[^\d.;,\n]{0,20}\b(?:in|by|for)\s+((?:19|20)\d\d)\b", re.IGNORECASE)
_FROM_YEAR = re.compile(
    r"\b((?:19|20)\d\d)(?:[,:]?\s+(?:it\s+(?:was|had)\s+|the\s+\w+\s+was\s+)?)\Z", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_ONWARDS = re.compile(r"\s+on(?:wards?)?\b", re.IGNORECASE)
#: "Rebuilt in 1843 after it had been destroyed in 1838"
_OTHER_TIME = re.compile(r"\b(?:after|before|when|once)\s+(?:it|they|he|she|the)\b", re.IGNORECASE)
_WHICH_DAY, _LAST_DAY = re.compile(r"\b(?:which|what)\s+(?:day|date)\b", re.IGNORECASE), 31


def same_value(numbers: Sequence[Candidate]) -> bool:
    """Whether some numbers, of which there is at least one, are equal."""
    return len({c.value for c in numbers}) == 1


def year_asked(numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """The year that the question asks for: the only one, or the one of which most of it is said."""
    when = _WHEN.search(question)
    if when is None:
        return None
    years = [c for c in numbers if 1000 <= c.value <= 2100 and _is_year(c)]
    if when["year"] and not same_value(years):
        years = [c for c in years if str(c.value) not in question]
        terms = content_words(question)
        # "reached their peak in 2013" says when something was highest.
        same = [end for end, other in extremes() if end & terms and not other & terms]
        terms = terms.union(*same)
        if same:
            # "It rose from 2001 on and was highest in 2008" gives a beginning, too.
            years = [c for c in years if not _ONWARDS.match(c.after)] or years
        # The thing is named once, and what happened to it in each clause.
        places = content_places(question.partition(",")[0])
        happened = frozenset(stem for stem, _, _ in places[-1:])
        scores = [(len(zone & terms), len(zone & happened)) for zone in map(_said_at, years)]
        most = max(scores, default=(0, 0))
        best = [c for c, score in zip(years, scores, strict=True) if score == most > (0, 0)]
        years = best or [*_behind(years, frozenset().union(*same))]
    return years[-1] if same_value(years) else None


def of_year(numbers: Sequence[Candidate], question: str) -> Sequence[Candidate]:
    """Some numbers without those of another year than the only one of the question, if one is of
    that: "from 5.1 % in 2018 to 4.5 % in 2019".
    """
    years = {*_YEAR.findall(question)}
    if len(years) != 1:
        return numbers
    matches = ((c, _AT_YEAR.match(c.after) or _FROM_YEAR.search(c.near)) for c in numbers)
    of_years = [(c, match[1] if match else "") for c, match in matches]
    if not any(year in years for _, year in of_years):
        return numbers
    return [c for c, year in of_years if not (year or is_year(c.number)) or year in years]


def day_asked(numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """The only day ("the 21st") in the answer to a question for one."""
    days = [c for c in numbers if c.number.form == "ordinal" and c.value <= _LAST_DAY]
    return days[-1] if _WHICH_DAY.search(question) and same_value(days) else None


def _said_at(year: Candidate) -> frozenset[str]:
    """The stems of its clause, without what is said of another time behind it."""
    start, end = year.limits
    behind = year.plain[year.number.end : end]
    other = _OTHER_TIME.search(behind)
    if other is None:
        return year.zone
    before = year.plain[start : year.number.start]
    return content_words(before) | content_words(behind[: other.start()])


def _is_year(number: Candidate) -> bool:
    counted = number.role is Role.COUNT and (
        YEAR_BEFORE.search(number.before) or _WHEN.match(number.after.lstrip())
    )
    return number.role is Role.LABEL or bool(counted)


def _behind(years: Sequence[Candidate], stems: frozenset[str]) -> Sequence[Candidate]:
    """Those of some years before which, behind the year before, one of some stems stands."""
    starts = [0, *(c.number.end for c in years)]
    return [
        c
        for c, start in zip(years, starts, strict=False)
        if content_words(c.plain[start : c.number.start]) & stems
    ]
