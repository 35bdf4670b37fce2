"""The option that numbers, formulas or ordinals of an answer give, or that is left over."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from chef.reading.assertion import asserted, refused_label
from chef.reading.mathematics import formulas
from chef.reading.number_forms import numbers_in
from chef.reading.numbers import extract_number
from chef.reading.option_phrases import places
from chef.reading.option_text import OptionText
from chef.reading.text import Hit, Reading, decide, found, sentence_start
from chef.reading.units import Units, units_after

Found: TypeAlias = Reading[int] | None


#: So many options in one list are all but the one that is asked for.
_LISTED = 2
#: What says that one option is left, the others being ruled out.
_LEFT = re.compile(
    r"\b(?:the\s+)?one\s+(?:(?:that|which)\s+is\s+)?(?:left|remaining)\b|\b(?:leaves|leaving)\s+(?:only|just)\s+one\b"
    r"|\bonly\s+one\s+(?:option|choice|answer|left|remains)\b|\bwhat(?:'s|\s+is)\s+left\b",
    re.IGNORECASE,
)
#: A text is often read again, beside other options or in other words.
_number_in = lru_cache(64)(extract_number)


class OptionValues(OptionText):
    """The rules for options that are numbers or mathematics, named by their place, or left over."""

    def number(self) -> Found:
        """The number that an answer gives, if all options are numbers."""
        known = self.options.values
        values = [value for value, _ in known]
        read = _number_in(self.seen, self.question) if values else None
        if read is not None and read.value is None:
            read = self._measured() or read
        if read is None or read.value is None:
            return None
        start, end = read.span or (0, 0)
        units = units_after(self.plain, end)[0]
        is_share = read.value not in values and "percent" in {unit.dimension for unit in units}
        value = read.value / 100 if is_share else read.value  # "25 %" is "1/4"
        if values.count(value) != 1:
            return None
        own = known[values.index(value)][1]
        if own and units and not own & units:  # "12 m" is not "12 cm"
            return None
        hit = Hit(values.index(value), start, end)
        live = {other.value for other in self.candidates.live}
        if hit.value not in live and any(o.value == hit.value for o in self.candidates.all):
            return None  # "It is neither 3 nor 4."
        return found(hit, f"number: {read.rule}", self.answer)

    def _measured(self) -> Reading[float] | None:
        """The only number with the unit of the options: "16 centimeters in 4 minutes"."""
        own: Units = frozenset().union(*(units for _, units in self.options.values))
        hits = [
            Hit(number.value, number.start, number.end)
            for number in (numbers_in(self.plain) if own else ())
            if own & units_after(self.plain, number.end)[0]
            and asserted(self.plain, (number.start, number.end))
        ]
        return decide(hits, "only number", self.answer)

    def formula(self) -> Found:
        """The only option in the last sentence with formulas: "so the equation is $y=-x^2+4$"."""
        terms = self.options.terms
        places = formulas(self.seen) if any(terms) and not self.options.values else []
        last = sentence_start(self.plain, places[-1][1]) if places else 0
        hits = [
            Hit(terms.index(key), start, end)
            for key, start, end in places
            if start >= last and terms.count(key) == 1 and asserted(self.plain, (start, end))
        ]
        return decide(hits, "formula", self.answer)

    def place(self) -> Found:
        """The option whose place is named: "the third option", "第二个选项"."""
        return decide(self.placed(), "place", self.answer)

    def placed(self) -> list[Hit[int]]:
        """The options that are named by their places."""
        hits = [Hit(index, *span) for index, span in places(self.plain, len(self.texts))]
        return [hit for hit in hits if not refused_label(self.plain, hit.end)]

    def missing(self) -> Found:
        """The only option that is ruled out ("there is no piano"), or that a list leaves out."""
        refused = [hit for hit in self.candidates.all if hit.is_refused]
        others = {hit.value for hit in self.candidates.live}
        if missing := [hit for hit in refused if hit.value not in others]:
            return decide(missing, "missing", self.answer)
        rest = set(range(len(self.texts))) - others
        if len(rest) != 1 or len(others) < _LISTED or self.candidates.single:
            return None
        return found(Hit(rest.pop(), 0, self.size), "missing", self.answer)

    def left(self) -> Found:
        """The only option that is not ruled out, if the text says that one is left."""
        rest = set(range(len(self.texts))) - {hit.value for hit in self.candidates.all}
        start = sentence_start(self.plain, max(0, len(self.plain.rstrip()) - 2))
        if len(rest) != 1 or self.candidates.live or not _LEFT.search(self.plain, start):
            return None
        return found(Hit(rest.pop(), start, self.size), "missing", self.answer)
