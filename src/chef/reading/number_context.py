"""Judge from the words around a number what it is: a count, a part, a bound, a year, a label."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cached_property
from operator import attrgetter

from chef.reading import number_phrases as phrases
from chef.reading.assertion import refused_text, ruled_out
from chef.reading.bounds import is_one_of_two
from chef.reading.characters import is_cjk
from chef.reading.denials import denies
from chef.reading.number_forms import (
    Number,
    in_one_unit,
    is_range,
    is_year,
    list_markers,
    merged,
    numbers_in,
    without_denials,
)
from chef.reading.patterns import Pattern
from chef.reading.questions import asks_for_count, content_places, content_words, predicate_words
from chef.reading.text import Hit, limits
from chef.reading.units import dimensions_wanted, units_after

#: What a question compares with: "taller than 160 cm".
_BOUNDS = re.compile(r"\b(?:than|over|above|below|under|least|most)\s+[$€£]?(\d+(?:\.\d+)?)")
#: "half of 14"
_OF_BASE = re.compile(r"\s+of\s+[$€£]?\d")
_OF = re.compile(r"\s+of\b")
_PER = re.compile(r"\b(?:per|each)\b", re.IGNORECASE)


class Role(IntEnum):
    """What a number is; a lower one is considered only where there is no higher one."""

    DROPPED = 0  # the marker of a list, a number that is ruled out
    LABEL = 1  # a year, an ordinal, "Figure 3", "3-door", the 8 of "3 of the 8"
    GIVEN = 2  # "the two events"
    PART = 3  # "2 of them", "including 2", in parentheses
    OPEN = 4  # "2 or 3", "more than 3": not one number
    COUNT = 5
    EACH = 6  # "$3 each": a number only where no count is asked for; never a role of a candidate


#: How many characters before a number are looked at, and how many for words right before it.
_WINDOW, _NEAR = 90, 40
#: How far behind a number its noun may begin.
_NOUN_REACH = 30
_SENTENCE_STOP = re.compile(r"[.!?;](?!\d)|\n")
_QUOTED = re.compile(r"[\"'](?<!\w.)[^\"'\n]{1,80}[\"'](?!\w)")


class Candidate:
    """The number of a text at ``place`` and what is around it; ``last`` is the candidate before."""

    def __init__(
        self,
        plain: str,
        numbers: Sequence[Number],
        place: int,
        question: str,
        last: Candidate | None,
    ) -> None:
        self.plain, self.numbers, self.place = plain, numbers, place
        self.number = number = numbers[place]
        self.question, self._last = question, last
        self.value = number.value
        #: The characters before it, the few right before it, and those behind it.
        self.before = plain[max(0, number.start - _WINDOW) : number.start]
        self.near = self.before[-_NEAR:]
        self.after = plain[number.end : number.end + _NEAR]

    @property
    def hit(self) -> Hit[float]:
        """The value with its place."""
        return Hit(self.number.value, self.number.start, self.number.end)

    @property
    def gap(self) -> str:
        """The words since the number before; a line break if it is the first one."""
        if not self.place:
            return "\n"
        return self.plain[self.numbers[self.place - 1].end : self.number.start]

    @cached_property
    def role(self) -> Role:
        """What the number is in an answer to the question."""
        # The first of these questions that is answered decides.
        role = next((role for role, holds in _ROLES if holds(self)), Role.COUNT)
        return _role_for(self.question, role, self.number)

    @cached_property
    def limits(self) -> tuple[int, int]:
        """The clause around the number, or what of it no other number parts from this one."""
        number, place = self.number, self.place
        start = max(self.numbers[place - 1].end if place else 0, number.start - _WINDOW)
        after = self.numbers[place + 1].start if place + 1 < len(self.numbers) else len(self.plain)
        end = min(after, number.end + _WINDOW)
        starts, ends = phrases.clause_limits(self.plain)
        before, behind = bisect_right(ends, number.start), bisect_left(starts, number.end)
        start = max(start, ends[before - 1]) if before else start
        end = min(end, starts[behind]) if behind < len(starts) else end
        colon = self.plain.find(":", number.end, end)
        return start, end if colon < 0 else colon

    @cached_property
    def zone(self) -> frozenset[str]:
        """The stems of the words in its clause."""
        start, end = self.limits
        zone = content_words(self.plain[start : self.number.start])
        zone |= content_words(self.plain[self.number.end : end])
        if self._last and phrases.JOINED.fullmatch(self.gap):
            # "The roots are 2 and 3": the words before 2 go with 3 too.
            zone |= self._last.zone
        return zone

    @cached_property
    def _named(self) -> tuple[tuple[str, ...], bool]:
        number, (start, end) = self.number, self.limits
        counter = is_cjk(self.plain[number.end : number.end + 2].lstrip(" ")[:1])
        bare = phrases.BARE.match(self.plain, number.end) is not None and not counter
        lead = self.plain[start : number.start].rstrip() if bare else ""
        is_led = lead.endswith(phrases.LABEL_ENDS)
        label = phrases.LABELLED.search(self.plain, start, number.start) if is_led else None
        if label:
            # The noun of "Dark apples: 3" is its last word.
            return tuple(stem for stem, _, _ in reversed(content_places(label[1]))), False
        near = self.plain.find(" ", number.end + _NOUN_REACH, end)
        following = content_places(self.plain[number.end : end if near < 0 else near])
        return tuple(stem for stem, place, _ in following if place < _NOUN_REACH)[:3], bare

    @property
    def noun(self) -> tuple[str, ...]:
        """The stems of the words right behind it."""
        return self._named[0]

    @property
    def bare(self) -> bool:
        """Whether no noun follows: "2 on the left". Then it counts what the question asks for."""
        return self._named[1]


def candidates(plain: str, question: str = "", start: int = 0) -> list[Candidate]:
    """The numbers of a text without markup, in order; what they are is judged when it is asked.

    >>> [(c.value, c.role.name) for c in candidates("In 2019: 6 birds, 2 of them black.")]
    [(2019, 'LABEL'), (6, 'COUNT'), (2, 'PART')]
    """
    markers = list_markers(plain)
    # "1. one at the edge", "2. one next to it" are items.
    items = [end for _, end in markers if plain[end : end + 4].lower() == "one "]
    places_asked = phrases.PLACE_ASKED.search(question)
    numbers = [
        number
        for number in numbers_in(plain, question, start)
        if not (
            number.form == "one"
            and (
                (items[1:] and number.start in items)
                or phrases.is_pronoun(plain, number.start, number.end, question)
            )
        )
        and (places_asked or number.form != "ordinal" or plain[number.start].isdigit())
        and not any(first <= number.start < end for first, end in markers)
    ]
    numbers = in_one_unit(merged(without_denials(numbers, plain), plain), plain, question)
    found: list[Candidate] = []
    for place in range(len(numbers)):
        found.append(Candidate(plain, numbers, place, question, found[-1] if place else None))
    return found


def _role_for(question: str, role: Role, number: Number) -> Role:
    """The role of a number in the answer to a question."""
    count = asks_for_count(question)
    if number.form == "fraction" and number.value < 1 and count:
        return Role.OPEN
    if role is Role.EACH:
        return Role.OPEN if count and not _PER.search(question) else Role.COUNT
    if str(number.value) not in question:
        return role
    if 1000 <= number.value <= 2100 or str(number.value) in _BOUNDS.findall(question):
        return min(role, Role.LABEL)
    return role


def _is_ruled_out(at: Candidate) -> bool:
    if not at.value and at.number.form != "digits":  # "no hay ningún perro"
        return False
    if phrases.is_set_against(at.near, at.zone, at.question):
        return False
    # "no fewer than 6" is a bound.
    before = at.before.rstrip().lower()
    if (before.endswith("rather than") or not before.endswith("than")) and denies(at.before):
        return ruled_out(at.plain, (at.number.start, at.number.end))
    # "2 are missing" counts them where the question asks for what is missing.
    refused = refused_text(at.plain, at.number.end)
    return refused and content_words(at.after[:_NEAR]).isdisjoint(predicate_words(at.question))


def _is_share_asked(at: Candidate) -> bool:
    """Whether the result follows: "3/4 of 120 is 90", or where the question has the fraction."""
    behind = len(at.numbers) - at.place - 1
    if behind > 1 and _OF_BASE.match(at.after):
        return True
    shares = numbers_in(at.question) if behind and _OF.match(at.after) else ()
    return any(share.value == at.value for share in shares)


def _is_operand(at: Candidate) -> bool:
    """Whether a calculation follows: "2(3 + 4) = 14", "the sum of 3 and 4"."""
    number = at.number
    if number.form == "fraction" and _is_share_asked(at):
        return True
    line = at.plain[number.end : number.end + 80].partition("\n")[0]
    if "=" in line and (
        phrases.OPERATION.match(line)
        or phrases.BEFORE_OPERATOR.match(at.after)
        or phrases.AFTER_OPERATOR.search(at.near)
    ):
        return True
    if not phrases.OPERAND.may_match(at.before):
        return False
    return phrases.OPERAND.search(f"{at.before}N{at.after}") is not None


def _is_label(at: Candidate) -> bool:
    number, near, after = at.number, at.near, at.after
    if number.form == "ordinal":
        return True
    if number.form in ("zero", "fraction"):
        return False
    is_value = phrases.VALUES.search(at.before) and asks_for_count(at.question)
    if is_value or _is_quoted(at) or phrases.COMPOUND.match(after) or phrases.TIMES.match(after):
        return True
    if (
        number.form != "one"
        and after.lstrip().startswith(":")
        and phrases.LINE_LABEL.search(at.before)
    ):
        return True
    if number.form == "digits" and (_is_date(at) or _is_named(at)):
        return True
    return number.form in ("digits", "words", "one") and bool(phrases.LABEL_BEFORE.search(near))


def _is_quoted(at: Candidate) -> bool:
    """Whether it stands among quoted words: the 8 of "a sign reads 'NO PARKING 8 AM - 6 PM'"; or
    is all of them, where things are counted.
    """
    if '"' not in at.before and "'" not in at.before:
        return False
    place = at.number.start
    starts, ends = limits(at.plain, _QUOTED)
    last = bisect_left(starts, place) - 1
    if last < 0 or place >= ends[last] - 1:
        return False
    rest = re.sub(r"[\d\W]", "", at.plain[starts[last] : ends[last]])
    is_counted = asks_for_count(at.question) and "number" not in at.question
    return (rest.isupper() and len(rest) > 1) or (not rest and is_counted)


def _is_date(at: Candidate) -> bool:
    """Whether digits are a year or a day: "in 2019", "May 5"."""
    number, before, after = at.number, at.before, at.after
    day = phrases.DAY.match(after) or phrases.DAY_AFTER_MONTH.search(before)
    if number.value <= 31 and day and not units_after(after, 0)[0]:
        return True
    if not is_year(number):
        return False
    if phrases.SURE_YEAR.match(after):
        return True
    if re.match(r"\s*:", after) and before[-2:].strip():
        return True
    return bool(phrases.YEAR_BEFORE.search(before) and phrases.YEAR_AFTER.match(after))


def _is_named(at: Candidate) -> bool:
    """Whether it belongs to a name, "iPhone 12", and is no value of what the question names."""
    name = (at.before.rsplit(maxsplit=1) or [""])[-1]
    if name.islower() or (name in at.question and f"{name} {at.value}" not in at.question):
        return False
    # Nouns of German have a capital, too: "der Turm 54 Meter hoch".
    is_value = re.match(r"[:.]?\d|\s?%", at.after) or units_after(at.after, 0)[0]
    return not is_value and phrases.NAME_BEFORE.search(at.before) is not None


def _is_open(at: Candidate) -> bool:
    """Whether it is a bound or one end of a range: "more than 3", "2 or 3", "3:4"."""
    end = at.number.end
    if phrases.BOUND.search(at.near) or phrases.BOUND_AFTER.match(at.plain, end):
        return True
    if phrases.IN_CASE.match(at.plain, end) or phrases.OTHERWISE.search(at.before):
        return True
    if at.numbers[1:] and is_one_of_two(at.plain, at.number.start):
        return True
    pairs = ((at.place - 1, at.place), (at.place, at.place + 1))
    return at.number.form != "zero" and any(
        is_range(at.plain, at.numbers[first], at.numbers[second])
        for first, second in pairs
        if first >= 0 and second < len(at.numbers)
    )


def _is_base(at: Candidate) -> bool:
    """Whether it is what another number is a part of: the 8 of "3 of the 8", "of the 8, 3 are"."""
    if at.place + 1 < len(at.numbers) and phrases.BASE_BEFORE.search(at.near):
        return not _SENTENCE_STOP.search(at.plain, at.number.end, at.numbers[at.place + 1].start)
    if at.place and phrases.OUT_OF.search(at.near):
        return True
    is_base = len(at.gap) < 40 and phrases.BASE.fullmatch(at.gap) is not None
    return is_base and at.numbers[at.place - 1].form != "ordinal"


def _is_itemised(at: Candidate) -> bool:
    """Whether it is behind a colon, itemises a count ("Six: two on each side") and is no result."""
    colon = at.plain.rfind(":", max(0, at.number.start - 200), at.number.start)
    if colon < 0 or _SENTENCE_STOP.search(at.plain, colon, at.number.start):
        return False
    first = bisect_right(at.numbers, colon, key=attrgetter("start"))
    last = at.numbers[first - 1] if first else None
    if (
        last is None
        or last.form not in ("digits", "words")
        or _SENTENCE_STOP.search(at.plain, last.end, colon)
    ):
        return False
    stop = _SENTENCE_STOP.search(at.plain, at.number.end)
    end = stop.start() if stop else len(at.plain)
    several = first + 1 < len(at.numbers) and at.numbers[first + 1].start < end
    if not several and not phrases.AND_ONE.search(at.plain, colon, end):
        return False
    return bool(content_words(at.plain[last.end : colon])) and last.value >= at.value


def _is_usual(at: Candidate) -> object:
    """Whether it only counts what such things have, beside another: "cars usually have four"."""
    return at.numbers[1:] and asks_for_count(at.question) and phrases.IN_GENERAL.search(at.near)


def _is_of_other_time(at: Candidate) -> bool:
    return bool(at.numbers[1:]) and phrases.is_other_time(at.near, at.after, at.question)


def _in_other_unit(at: Candidate) -> bool:
    """Whether its unit is of another kind than the one that the question wants: km, not km/h."""
    wanted = dimensions_wanted(at.question)
    units = units_after(at.plain, at.number.end)[0] if wanted else frozenset()
    return bool(units) and wanted.isdisjoint(unit.dimension for unit in units)


def _is_said_of(at: Candidate, phrase: Pattern) -> bool:
    """Whether it is what another thing than one of the question says or shows."""
    start, question = at.number.start, at.question
    return asks_for_count(question) and phrases.stands_in(phrase, at.plain, start, question)


def _is_part(at: Candidate) -> bool:
    start = at.number.start
    if at.number.form == "one" and at.place and phrases.THE_OTHER.match(at.plain, at.number.end):
        return True
    if at.place and _is_itemised(at):
        return True
    if phrases.PART_BEFORE.search(at.near) or phrases.PART_AFTER.match(at.after):
        return True
    opened = at.plain.rfind("(", max(0, start - 200), start)
    closed = ")" in at.plain[opened:start] or opened < 0
    return not closed and bool(at.plain[:opened].strip())


_ROLES: tuple[tuple[Role, Callable[[Candidate], object]], ...] = (
    (Role.DROPPED, _is_ruled_out),
    (Role.DROPPED, lambda at: at.number.form == "one" and phrases.ONE_OF_MOST.match(at.after)),
    (Role.DROPPED, lambda at: phrases.tells_precision(at.after, at.question)),
    (Role.DROPPED, lambda at: _is_said_of(at, phrases.OTHER_PICTURE)),
    (Role.LABEL, _is_operand),
    (Role.LABEL, _is_label),
    (Role.DROPPED, _in_other_unit),
    (Role.OPEN, _is_open),
    (Role.LABEL, lambda at: "%" in at.plain and phrases.is_odds(at.gap, at.after)),
    (Role.LABEL, _is_base),
    (Role.EACH, lambda at: phrases.EACH.match(at.after) or phrases.GROUPS.fullmatch(at.gap)),
    (Role.PART, lambda at: at.place and phrases.is_subset(at.number.form, at.after, at.question)),
    (Role.LABEL, _is_usual),
    (Role.LABEL, _is_of_other_time),
    (Role.GIVEN, lambda at: phrases.is_presupposed(at.near, at.zone, at.question)),
    (Role.PART, lambda at: _is_said_of(at, phrases.SAID_ELSEWHERE)),
    (Role.PART, _is_part),
)
