"""The number that a yes/no question asks to be passed: "larger than 2 cm", "at least four cats"."""

from __future__ import annotations

import re
from functools import cache

from chef.frozen import Frozen
from chef.reading.lexicon import alternation, word_rows
from chef.reading.number_forms import numbers_in
from chef.reading.patterns import has_cjk
from chef.reading.questions import content_words
from chef.reading.units import Units, units_after, units_before

#: What may stand between words for a bound and its number, in characters: "more than about $5".
_GAP = 12
#: The last words of a bound stand so near to its number, in characters.
_NEAR = 20
_BETWEEN = re.compile(
    r"\s*(?:(?:about|around|roughly|the|etwa|environ|unos?|circa|cerca\s+de)\s+)?[$€£¥~]?\s*"
)
#: Dimensions of which a question says "degrees".
_DEGREES = frozenset(["angle", "temperature", "fahrenheit"])


class Bound(Frozen):
    """A bound, and on which side of it what is asked about has to be.

    Attributes:
        more: whether it has to be more.
        limit: the number itself.
        inclusive: whether it may be the number itself: "at least".
        units: the units of the number; empty if it has none.
        terms: the stems of the words that follow the number.
        counted: whether things are counted: "more than five people".
    """

    more: bool
    limit: float
    inclusive: bool
    units: Units
    terms: frozenset[str]
    counted: bool

    def holds(self, value: float) -> bool:
        """Whether a value is on the side of the bound that is asked for."""
        if value == self.limit:
            return self.inclusive
        return (value > self.limit) == self.more

    def in_its_unit(self, value: float, units: Units) -> float | None:
        """A value of some units in the unit of the bound; None if they measure something else."""
        if not self.units or not units:
            return value if not self.units or self.counted else None
        for limit in self.units:
            for unit in units:
                if unit.dimension == limit.dimension:
                    return value * unit.size / limit.size
        dimensions = {unit.dimension for unit in (*self.units, *units)}
        return value if dimensions <= _DEGREES else None


@cache
def _phrases(cjk: bool) -> tuple[re.Pattern[str], dict[str, str]]:
    """The pattern of what stands before a bound, and what each phrase says."""
    rows = [row.partition(":") for row in word_rows("bounds")]
    names = {item.strip(): name for name, _, items in rows for item in items.split("/")}
    phrases = [item for item in names if has_cjk(item) == cjk]
    return re.compile(alternation(phrases, spaced=not cjk)), names


def bound_words(text: str) -> list[tuple[int, int, str]]:
    """Where a text names bounds, and which: "more", "less", "least" or "most".

    >>> bound_words("at least two")
    [(0, 8, 'least')]
    """
    pattern, names = _phrases(has_cjk(text))
    low = text.lower()
    return [
        (*match.span(), names[" ".join(match[0].split())])
        for match in pattern.finditer(low)
        if " ".join(match[0].split()) in names
    ]


@cache
def _last_words() -> frozenset[str]:
    return frozenset(phrase.split()[-1] for phrase in _phrases(False)[1])


def is_one_of_two(text: str, start: int) -> bool:
    """Whether the number at a place is bounded in a text that names a least and a most one.

    >>> is_one_of_two("at least 6, at most 9", 9), is_one_of_two("at least 6", 9)
    (True, False)
    """
    near = text[max(0, start - _NEAR) : start]
    if text.isascii() and _last_words().isdisjoint(near.lower().split()[-2:]):
        return False
    bounds = bound_words(text)
    is_both = {"least", "most"} <= {name for _, _, name in bounds}
    return is_both and any(0 <= start - end <= _GAP for _, end, _ in bounds)


def asked_bound(question: str) -> Bound | None:
    """The only bound of a question.

    >>> asked_bound("Is it larger than 2 cm?").holds(3.4)
    True
    """
    bounds = []
    for _, end, name in bound_words(question):
        number = next(iter(numbers_in(question[end:])), None)
        gap = question[end : end + number.start] if number else ""
        if number is None or number.start > _GAP or not _BETWEEN.fullmatch(gap):
            continue
        units, after = units_after(question, end + number.end)
        units = units or units_before(question, end + number.start)[0]
        is_share = number.form == "fraction"
        terms = content_words(question[after:])
        bound = Bound(
            more=name in ("more", "least"),
            limit=100 * number.value if is_share else number.value,
            inclusive=name in ("least", "most"),
            units=_percent() if is_share else units,
            terms=terms,
            counted=bool(terms) and not units and not is_share,
        )
        bounds.append(bound)
    return bounds[0] if len(bounds) == 1 else None


@cache
def _percent() -> Units:
    return units_after("1 %", 1)[0]
