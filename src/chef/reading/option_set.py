"""The options of a question, prepared once for all answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from chef.reading.latex import plain_math
from chef.reading.mathematics import term
from chef.reading.mentions import searched
from chef.reading.numbers import as_number
from chef.reading.refusals import refuses
from chef.reading.units import Units, units_after

#: A number and its unit, as the text of an option: "12 cm", "30°", "$5".
_VALUED = re.compile(
    r"[$€£¥]?\s?(?P<number>[-−]?[\d.,]+)(?P<unit>\s?(?:°\s?[CF]?|%|[^\W\d_]{1,12}[²³]?)?)\.?"
)


@dataclass(frozen=True)
class Options:
    """Texts and letters of options, either of which may be empty, prepared once for all answers."""

    sources: tuple[str, ...]
    labels: tuple[str, ...]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts in the form that is looked for."""
        return tuple(map(searched, self.sources))

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The texts as mathematics; "" for what is none."""
        return tuple(map(term, self.sources))

    @cached_property
    def letters(self) -> bool:
        """Whether an option's text is a single letter: the points P, Q, R and S."""
        return min(map(len, self.texts), default=0) == 1

    @cached_property
    def has_pi(self) -> bool:
        """Whether an option has π in LaTeX."""
        return any("\\pi" in text for text in self.sources)

    @cached_property
    def refuses(self) -> bool:
        """Whether an option says that no answer is possible: "not enough information"."""
        return any(map(refuses, self.sources))

    @cached_property
    def values(self) -> tuple[tuple[float, Units], ...]:
        """The numbers and units of the texts; empty unless all are numbers, of one unit if any."""
        plain = [as_number(text) for text in self.texts]
        if plain and None not in plain:
            return tuple((number, frozenset()) for number in plain if number is not None)
        matches = [_VALUED.fullmatch(text.strip()) for text in map(plain_math, self.texts)]
        numbers = [as_number(match["number"]) for match in matches if match]
        units = {match["unit"].strip().lower() for match in matches if match}
        if not matches or None in (*matches, *numbers) or len(units) > 1:
            return ()
        return tuple(
            (number, units_after(text, len(text) - len(match["unit"]))[0])
            for number, text, match in zip(numbers, self.texts, matches, strict=True)
            if number is not None and match is not None
        )
