"""Judge from the words around a number what it is: a count, a part, a bound, a year, a label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from chef.reading import number_phrases as phrases
from chef.reading.assertion import negated, refused_text
from chef.reading.characters import CJK
from chef.reading.number_forms import Number, numbers_in
from chef.reading.questions import asks_for_count, content_places, content_words
from chef.reading.text import Hit


class Role(IntEnum):
    """What a number is; a lower one is considered only where there is no higher one."""

    DROPPED = 0  # the marker of a list, a number that is ruled out
    LABEL = 1  # a year, an ordinal, "Figure 3", "3-door", the 8 of "3 of the 8"
    GIVEN = 2  # "the two events"
    PART = 3  # "2 of them", "including 2", in parentheses
    OPEN = 4  # "2 or 3", "more than 3": not one number
    COUNT = 5
    EACH = 6  # "$3 each": a number only where no count is asked for; never a role of a candidate


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number with its role, and the words that go with it."""

    number: Number
    role: Role
    #: Stems in the clause around the number, and the stems of the words right after it.
    zone: frozenset[str]
    noun: tuple[str, ...]
    #: Whether no noun follows: "2 on the left". Then it counts what the question asks for.
    bare: bool

    @property
    def value(self) -> float:
        """The value of the number."""
        return self.number.value

    @property
    def hit(self) -> Hit[float]:
        """The value with its place."""
        return Hit(self.number.value, self.number.start, self.number.end)


_WINDOW = 90
_ITEM = re.compile(r"^[ \t>]*[(\[]?(\d{1,2})(?:[.):\]]|\s-)[ \t]+(?=\S)", re.MULTILINE)
_INLINE = re.compile(r"\((\d{1,2})\)\s|(?<![\w.])(\d{1,2})\)\s")


_COLON = re.compile("[:：]")


def candidates(plain: str, question: str = "") -> list[Candidate]:
    """The numbers of a text without markup, with their roles, in order.

    >>> [(c.value, c.role.name) for c in candidates("In 2019: 6 birds, 2 of them black.")]
    [(2019, 'LABEL'), (6, 'COUNT'), (2, 'PART')]
    """
    markers = list_markers(plain)
    places_asked = phrases.PLACE_ASKED.search(question)
    numbers = [
        number
        for number in numbers_in(plain, question)
        if not _pronoun(number, plain, question)
        and (places_asked or number.form != "ordinal" or plain[number.start].isdigit())
        and not any(start <= number.start < end for start, end in markers)
    ]
    numbers = _repeated(_without_denials(numbers, plain), plain)
    found: list[Candidate] = []
    for place, number in enumerate(numbers):
        role = _role_for(question, _role(_Place(plain, numbers, place)), number)
        left = numbers[place - 1].end if place else 0
        right = numbers[place + 1].start if place + 1 < len(numbers) else len(plain)
        candidate = _candidate(number, role, plain, left, right)
        if place and re.fullmatch(r"\s*(?:,|and|&|or|,\s*and)\s*", plain[left : number.start]):
            # "The roots are 2 and 3": the words before 2 go with 3 too.
            candidate = replace(candidate, zone=candidate.zone | found[-1].zone)
        found.append(candidate)
    return found


def _role_for(question: str, role: Role, number: Number) -> Role:
    """The role of a number in the answer to a question."""
    count = asks_for_count(question)
    if number.form == "fraction" and number.value < 1 and count:
        return Role.OPEN
    if role is Role.EACH:
        return Role.OPEN if count else Role.COUNT
    if 1000 <= number.value <= 2100 and str(number.value) in question:
        return min(role, Role.LABEL)
    return role


def list_markers(plain: str) -> list[tuple[int, int]]:
    """Spans of the markers of a numbered list: "1." and "2." at line starts, "(1)" and "(2)"."""
    for pattern in (_ITEM, _INLINE):
        found = list(pattern.finditer(plain))
        counts = [int(match[1] or match[match.lastindex or 1]) for match in found]
        if (
            len(found) > 1
            and counts[0] in (0, 1)
            and counts == list(range(counts[0], counts[0] + len(counts)))
        ):
            return [match.span() for match in found]
    return []


def _without_denials(numbers: Sequence[Number], plain: str) -> list[Number]:
    """Without the zeros that only deny a number beside them: "nothing like a 3", "no un 3"."""
    kept: list[Number] = []
    for place, number in enumerate(numbers):
        before = plain[numbers[place - 1].end : number.start] if place else ""
        after = plain[number.end : numbers[place + 1].start] if place + 1 < len(numbers) else ""
        is_word = number.value == 0 and number.form in {"zero", "words"}
        is_word = is_word and plain[number.start : number.end].lower() != "zero"
        if not (is_word and (phrases.DENIED.fullmatch(after) or before in {"では", "じゃ"})):
            kept.append(number)
    return kept


def _repeated(numbers: list[Number], plain: str) -> list[Number]:
    """With a word and the digits that repeat it as one: "thirteen (13)"."""
    found: list[Number] = []
    for number in numbers:
        before = found[-1] if found else None
        gap = plain[before.end : number.start] if before else ""
        if before and before.value == number.value and re.fullmatch(r"\s*[(=]\s*", gap):
            closed = plain[number.end : number.end + 1] == ")"
            found[-1] = replace(before, end=number.end + closed)
        else:
            found.append(number)
    return found


def _pronoun(number: Number, plain: str, question: str) -> bool:
    """Whether "one" is a pronoun: "the one on the left", "one can see"."""
    if number.form != "one":
        return False
    before = plain[max(0, number.start - 30) : number.start]
    after = plain[number.end : number.end + 30]
    if phrases.ONE_BY_ONE.match(plain, number.start) or re.search(r"\bby\s+\Z", before):
        return True
    if phrases.COUNTED_ONE.search(before):
        return bool(re.match(r"\s+(?:more|another)\b", after))
    if re.match(r"\s+of\b", after):
        return not re.search(r"how\s+many", question, re.IGNORECASE)
    if phrases.PRONOUN_BEFORE.search(before) and phrases.PRONOUN_AFTER.match(after):
        return True
    return bool(phrases.THE_ONE.search(before) and not re.match(r"\s+[a-z]{3,}", after))


@dataclass(frozen=True, slots=True)
class _Place:
    """One of the numbers of a text, with what is around it."""

    plain: str
    numbers: Sequence[Number]
    place: int

    @property
    def number(self) -> Number:
        return self.numbers[self.place]

    @property
    def before(self) -> str:
        return self.plain[max(0, self.number.start - _WINDOW) : self.number.start]

    @property
    def after(self) -> str:
        return self.plain[self.number.end : self.number.end + 40]

    @property
    def gap(self) -> str:
        """The words since the number before; a line break if it is the first one."""
        if not self.place:
            return "\n"
        return self.plain[self.numbers[self.place - 1].end : self.number.start]


def _role(at: _Place) -> Role:
    """What a number is; the first of these questions that is answered decides."""
    for role, holds in (
        (Role.DROPPED, _is_ruled_out),
        (Role.LABEL, _is_operand),
        (Role.LABEL, _is_label),
        (Role.OPEN, _is_open),
        (Role.LABEL, _is_base),
        (Role.EACH, lambda at: phrases.EACH.match(at.after)),
        (Role.PART, lambda at: at.place and phrases.SUBSET.match(at.after)),
        (Role.GIVEN, lambda at: phrases.GIVEN.search(at.before)),
        (Role.PART, _is_part),
    ):
        if holds(at):
            return role
    return Role.COUNT


def _is_ruled_out(at: _Place) -> bool:
    if at.number.form == "zero":
        return False
    compared = at.before.rstrip().lower().endswith("than")  # a bound: "no fewer than 6"
    denied = not compared and negated(at.plain, at.number.start)
    denied = denied or refused_text(at.plain, at.number.end)
    return denied or phrases.RULED_OUT.search(at.before) is not None


def _is_operand(at: _Place) -> bool:
    """Whether a calculation follows: "2(3 + 4) = 14", "the sum of 3 and 4"."""
    line = at.plain[at.number.end : at.number.end + 80].partition("\n")[0]
    beside = phrases.BEFORE_OPERATOR.match(at.after) or phrases.AFTER_OPERATOR.search(at.before)
    if phrases.OPERATION.match(line) or ("=" in line and beside):
        return True
    return phrases.OPERAND.search(f"{at.before}N{at.after}") is not None


def _is_label(at: _Place) -> bool:
    number, before, after = at.number, at.before, at.after
    if number.form == "ordinal":
        return True
    if number.form in ("zero", "fraction"):
        return False
    if phrases.COMPOUND.match(after) or phrases.TIMES.match(after):
        return True
    if phrases.LINE_LABEL.search(before) and re.match(r"\s*:", after):
        return True
    if number.form == "digits" and (_is_date(number, before, after) or _is_named(before, after)):
        return True
    return number.form in ("digits", "words", "one") and bool(phrases.LABEL_BEFORE.search(before))


def _is_date(number: Number, before: str, after: str) -> bool:
    """Whether digits are a year or a day: "in 2019", "May 5"."""
    day = phrases.DAY.match(after) or phrases.DAY_AFTER_MONTH.search(before)
    if number.value <= 31 and day:
        return True
    if not 1000 <= number.value <= 2100 or not float(number.value).is_integer():
        return False
    if re.match(r"\s*:", after) and number.end - number.start == 4 and before[-2:].strip():
        return True
    return bool(phrases.YEAR_BEFORE.search(before) and phrases.YEAR_AFTER.match(after))


def _is_named(before: str, after: str) -> bool:
    return phrases.NAME_BEFORE.search(before) is not None and not re.match(r"[:.]?\d|\s?%", after)


def _is_open(at: _Place) -> bool:
    """Whether it is a bound or one end of a range: "more than 3", "2 or 3", "3:4"."""
    if phrases.BOUND.search(at.before) or phrases.BOUND_AFTER.match(at.after):
        return True
    pairs = ((at.place - 1, at.place), (at.place, at.place + 1))
    return at.number.form != "zero" and any(
        _is_range(at.plain, at.numbers[first], at.numbers[second])
        for first, second in pairs
        if first >= 0 and second < len(at.numbers)
    )


def _is_range(plain: str, one: Number, two: Number) -> bool:
    gap = plain[one.end : two.start]
    if gap == ":":
        return True
    if len(gap) > 40 or one.value == two.value or not phrases.RANGE.fullmatch(gap):
        return False
    if phrases.AND.search(gap):
        return phrases.BETWEEN.search(plain[max(0, one.start - 24) : one.start]) is not None
    return "zero" not in (one.form, two.form)


def _is_base(at: _Place) -> bool:
    """Whether it is what another number is a part of: the 8 of "3 of the 8"."""
    if len(at.gap) >= 40 or not phrases.BASE.fullmatch(at.gap):
        return False
    return at.numbers[at.place - 1].form != "ordinal"


def _is_part(at: _Place) -> bool:
    if phrases.PART_BEFORE.search(at.before) or phrases.PART_AFTER.match(at.after):
        return True
    start = at.number.start
    opened = at.plain.rfind("(", max(0, start - 200), start)
    closed = ")" in at.plain[opened:start] or opened < 0
    return not closed and bool(at.plain[:opened].strip())


def _candidate(number: Number, role: Role, plain: str, left: int, right: int) -> Candidate:
    start, end = max(left, number.start - _WINDOW), min(right, number.end + _WINDOW)
    for match in phrases.LIMIT.finditer(plain, start, number.start):
        start = match.end()
    limits = (pattern.search(plain, number.end, end) for pattern in (phrases.LIMIT, _COLON))
    stop = min([end, *(match.start() for match in limits if match)])
    around = plain[start : number.start] + " | " + plain[number.end : stop]
    following = content_places(plain[number.end : stop])
    noun = tuple(stem for stem, place, _ in following if place < 30)[:3]
    counter = re.match(f"[ ]?[{CJK}]", plain[number.end : number.end + 2])
    bare = phrases.BARE.match(plain, number.end) is not None and not counter
    label = phrases.LABELLED.search(plain, start, number.start)
    if label and bare:
        noun, bare = tuple(content_words(label[1])), False
    return Candidate(number, role, content_words(around), noun, bare)
