"""What the numbers of an answer say of a yes/no question: beside its bound, or each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from chef.frozen import Frozen
from chef.reading.asked import VerdictQuestion, times
from chef.reading.bounds import Bound, bound_words
from chef.reading.clauses import PRONOUN, is_denied, is_supposed
from chef.reading.lexicon import clause_limit, word_list
from chef.reading.number_choice import IN_TOTAL
from chef.reading.number_forms import Number, numbers_in
from chef.reading.opposites import sides_of
from chef.reading.questions import content_places, content_words, stem
from chef.reading.text import sentence_end, sentence_start
from chef.reading.units import units_after, units_before
from chef.reading.word_index import lower

#: Where a part of a sentence ends that has a value of its own, in a text in lower case.
_PART = clause_limit(
    "and but while whereas und aber während et mais tandis y pero mientras e ma mentre mas enquanto"
    " и а но",
    ";!?\n", r"(?!\d)", also=[r",\s", r"\.(?=\s|\Z)", r"\s[(|]"],
)  # fmt: skip
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
#: Forms of numbers that say how much something is.
_AMOUNTS = frozenset(["digits", "words", "fraction"])
#: "from 30 units in May to 45": the words between the two numbers.
_TO = re.compile(
    r"[^.;!?\n]{0,40}?\b(?:up\s+to|down\s+to|to|auf|à|a|hasta|até|до)\s+(?:about\s+|over\s+)?[$€£¥]?\Z",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\b(?:from|von|de|desde|da|с|от)\s+(?:about\s+|over\s+)?[$€£¥]?\Z", re.IGNORECASE
)
_SIDE = re.compile(r"\b(?i:left|right|\d+)\b|(?<=[a-z] )[A-Z]\b|\b[A-HJ-Z]\b")
_TIMED = re.compile(
    r"\b(?:from|between|von|zwischen|de|entre|desde|da|dal|tra|с|между)\s+(?P<first>[^?]{1,40}?)\s+"
    r"(?:to|and|until|bis|und|à|et|a|y|hasta|al|e|até|по|и)\s+(?P<last>[^?]{1,40})",
    re.IGNORECASE,
)


_AND = re.compile(r"[,;]?\s*(?:(?:and|und|et|y|e|и)\s+)?[$€£¥]?")


#: What a number counts or measures: "2 windows", "4 cm"; "8 pm" is a time.
_UNIT = re.compile(r"[\s-]?((?!(?:[ap]m|o|uhr)\b)[^\W\d_]+)", re.IGNORECASE)
_ABOUT = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|or\s+so)\b|\A\W*(?:can|could|may)\b",
    re.IGNORECASE,
)


class _Value(Frozen):
    """A number of a text with the span of the part of a sentence that it stands in."""

    number: Number
    value: float
    start: int
    end: int


def is_other_amount(clause: str, question: str, query: VerdictQuestion) -> bool:
    """Whether a clause tells of what a question asks with a number how much, or many, it is else.

    >>> from chef.reading.asked import asked
    >>> question = "Does the barn have 2 windows?"
    >>> is_other_amount("The barn has 6 windows", question, asked(question))
    True
    """
    mine = _amounts(question)
    if query.bound or query.quoted or len(mine) != 1 or _ABOUT.search(question):
        return False
    ((unit, values),) = mine.items()
    others = _amounts(clause).get(unit, set())
    return bool(others) and others.isdisjoint(values)


def _amounts(text: str) -> dict[str, set[float]]:
    """The numbers of a text by the stem, or the sign of a currency, of what they count."""
    amounts: dict[str, set[float]] = {}
    for number in numbers_in(text):
        before, behind = text[: number.start].rstrip()[-1:], _UNIT.match(text, number.end)
        noun = behind[1].lower() if behind else ""
        is_named = bool(content_words(noun)) or len(noun) == 1
        unit = before if before in {*"$€£¥"} else stem(noun) if is_named else ""
        is_year = _YEAR.fullmatch(text, number.start, number.end) is not None
        if unit and number.form in _AMOUNTS and not is_year:
            amounts.setdefault(unit, set()).add(number.value)
    return amounts


def beyond(plain: str, query: VerdictQuestion) -> tuple[bool, int] | None:
    """Whether the value that a text gives is on the side of a question's bound, and its place.

    >>> from chef.reading.asked import asked
    >>> beyond("Norway: 5.4", asked("Is the value for Norway more than 10?"))
    (False, 0)
    >>> beyond("The marker indicates 3.4 cm.", asked("Is the cyst larger than 2 cm?"))
    (True, 0)
    """
    bound = query.bound
    if bound is None:
        return None
    values = _told(plain, bound, query)
    if len({item.value for item in values}) != 1:
        return None
    sentence = plain[values[-1].start : values[-1].end]
    if is_denied(sentence) or is_supposed(sentence):
        return None
    return bound.holds(values[-1].value), values[-1].start


def _told(plain: str, bound: Bound, query: VerdictQuestion) -> list[_Value]:
    """The values of what is asked about: those whose part of a sentence has most of its words."""
    values = [*_values(plain, query, bound)]
    if bound.counted:
        count = sum(item.value for item in values) if len(values) > 2 else 0
        values = (
            [item for item in values if count and item.value == count / 2]
            or [item for item in values if IN_TOTAL.search(plain, item.start, item.end)]
            or [item for item in values if _is_counted(plain, item, query)]
        )
    # "More than five chairs" asks of no five chairs.
    terms = {word for word in (*query.words, *bound.terms) if not any(numbers_in(word))}
    shared = [len(terms & content_words(plain[item.start : item.end])) for item in values]
    best = max(shared, default=0)
    for number, (one, two) in zip(shared, pairwise(values), strict=False):
        if number == best and _AND.fullmatch(plain, one.number.end, two.number.start):
            return []  # "they are $12 and $15"
    if best:
        return [item for item, number in zip(values, shared, strict=True) if number == best]
    is_measured = bool(bound.units) or bound.counted
    return values if is_measured or all(_is_of_it(plain, item, terms) for item in values) else []


def _is_of_it(plain: str, item: _Value, terms: set[str]) -> bool:
    """Whether the sentence of a value speaks of the question's thing, of "it", or of nothing."""
    begin = max(plain.rfind(mark, 0, item.start) for mark in ".!?\n") + 1
    sentence = plain[begin : item.end]
    stems = content_words(sentence)
    return not stems or bool(stems & terms) or PRONOUN.match(sentence) is not None


def _is_counted(plain: str, item: _Value, query: VerdictQuestion) -> bool:
    """Whether a number counts what the question asks for: "seven people", "I count three."."""
    rest = plain[item.number.end : item.end]
    names = {*query.thing, *query.words}
    nouns = [word for word, _, _ in content_places(rest)]
    return not nouns or not names.isdisjoint(nouns[:3])


def _values(plain: str, query: VerdictQuestion, bound: Bound | None = None) -> Iterator[_Value]:
    """The numbers of a text that may be amounts, without years, bounds and what is not so."""
    limits = [end for _, end, _ in bound_words(plain)] if bound else []
    for start, end in _parts(plain):
        part = plain[start:end]
        if bound and query.times and (moments := times(part)) and moments.isdisjoint(query.times):
            continue  # of another year
        for number in numbers_in(part):
            first, last = start + number.start, start + number.end
            if number.form not in _AMOUNTS or plain[first:last] in query.times:
                continue
            if _YEAR.fullmatch(plain, first, last) and query.times:
                continue
            if any(0 <= first - limit < 4 for limit in limits):
                continue
            units = units_after(plain, last)[0] or units_before(plain, first)[0]
            value: float | None = number.value
            if bound:
                value = bound.in_its_unit(number.value, units)
            if value is not None:
                yield _Value(Number(number.value, first, last, number.form), value, start, end)


def _parts(plain: str) -> list[tuple[int, int]]:
    limits = [match.span() for match in _PART.finditer(lower(plain))]
    starts = [0, *(end for _, end in limits)]
    ends = [*(start for start, _ in limits), len(plain)]
    return [
        (start, end) for start, end in zip(starts, ends, strict=True) if plain[start:end].strip()
    ]


def outdone(plain: str, question: str, query: VerdictQuestion) -> tuple[bool, int] | None:
    """Whether one of two values is more, or less, than the other, as a question asks, and where.

    >>> from chef.reading.asked import asked
    >>> text = "Is A bigger than B?"
    >>> outdone("A has 12, and B has 15.", text, asked(text))
    (False, 0)
    """
    sides = None if query.bound else _compared_sides(question)
    if sides is None:
        return None
    moved = _moved(plain, query, more=sides[2]) or _risen(plain, query, sides)
    if moved is not None or not (sides[0] and sides[1]):
        return moved
    first, second, more = sides
    by_side: dict[bool, _Value] = {}
    for item in _values(plain, query):
        sentence = plain[sentence_start(plain, item.start) : item.end]
        if query.times and (moments := times(sentence)) and moments.isdisjoint(query.times):
            continue
        names = _names(plain[item.start : item.end])
        if names & first and not names & second:
            by_side[True] = item
        elif names & second and not names & first:
            by_side[False] = item
    if len(by_side) < 2:
        return None
    one, two = by_side[True], by_side[False]
    if _unit(plain, one) != _unit(plain, two):
        return None
    return (one.value != two.value and (one.value > two.value) == more), min(one.start, two.start)


def _risen(
    plain: str, query: VerdictQuestion, sides: tuple[frozenset[str], frozenset[str], bool]
) -> tuple[bool, int] | None:
    """Whether what a question compares at two times has risen, or fallen, as it asks."""
    years = [int(year) for side in sides[:2] for year in side if _YEAR.fullmatch(year)]
    if len(years) != 2 or not query.sides:
        return None
    rise, fall = sides_of("increas")
    for start, end in _parts(plain):
        stems = content_words(plain[start:end])
        turns = bool(stems & rise), bool(stems & fall)
        if query.words[0] in stems and turns[0] != turns[1] and not is_denied(plain[start:end]):
            return (turns[0] == (years[0] > years[1])) == sides[2], start
    return None


def _unit(plain: str, item: _Value) -> str:
    match = re.compile(r"\s?(?:%|[^\W\d_]+)?").match(plain, item.number.end)
    return "%" if match and "%" in match[0] else ""


def _moved(plain: str, query: VerdictQuestion, *, more: bool) -> tuple[bool, int] | None:
    """Whether a sentence has something go from one number to another as the question asks."""
    for one, two in pairwise(_values(plain, query)):
        between = plain[one.number.end : two.number.start]
        before = plain[max(0, one.number.start - 20) : one.number.start]
        end = sentence_end(plain, one.number.start, len(plain))
        if two.number.start >= end or not (_FROM.search(before) and _TO.fullmatch(between)):
            continue
        if is_denied(plain[one.start : two.end]) or one.value == two.value:
            continue
        return (two.value > one.value) == more, one.start
    return None


@lru_cache(256)
def _compared_sides(question: str) -> tuple[frozenset[str], frozenset[str], bool] | None:
    """What tells the two things of a question apart that it compares, and whether the first has to
    have more; of "did it rise from May to June?" the two are June and May.
    """
    before, than, after = question.partition(" than ")
    if than:
        words = [stem(word) for word in re.findall(r"\w+", before.lower())]
        scales = [word for word in words if word in _scale(more=True) | _scale(more=False)]
        if not scales:
            return None
        first, second = _names(before), _names(after)
        one, two = first - second, second - first - {*scales}
        years = {word for word in one | two if _YEAR.fullmatch(word)}
        if len(years) == 2:
            one, two = one & years, two & years
        return one - {*scales}, two, scales[-1] in _scale(more=True)
    rise, fall = sides_of("increas")
    words = [word for word, _, _ in content_places(question)]
    changes = [word for word in words if word in rise | fall]
    if not changes:
        return None
    match = _TIMED.search(question)
    first, last = (_names(match["first"]), _names(match["last"])) if match else (frozenset(),) * 2
    return last - first, first - last, changes[-1] in rise


def _names(text: str) -> frozenset[str]:
    """The stems, times and letters of a text by which things are told apart."""
    marks = (match[0].lower() for match in _SIDE.finditer(text))
    return content_words(text) | times(text) | frozenset(marks)


def _scale(*, more: bool) -> frozenset[str]:
    """The stems of comparatives of which a larger, or a smaller, number is so."""
    return frozenset(map(stem, word_list("more_scales" if more else "less_scales")))
