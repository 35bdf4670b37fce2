"""One answer, the options it may choose, and the places where it names them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from chef.reading.candidates import Candidates
from chef.reading.labels import LabelFinder
from chef.reading.latex import plain_math
from chef.reading.lexicon import word_pattern
from chef.reading.mathematics import term
from chef.reading.mentions import part_of_one, searched, text_at
from chef.reading.numbers import as_number
from chef.reading.passage import refuses
from chef.reading.patterns import Pattern
from chef.reading.quantities import named_quantity, same_quantity
from chef.reading.text import Hit, sentence_end, strip_markup
from chef.reading.units import Units, units_after

_JOINED = Pattern(
    lambda: rf"[\"')\]\s]*(?:,?\s*{word_pattern('alternatives', 'conjunctions')}|[/,&、])\s*"
)
#: What ends an option's text behind its letter: "B. Dogs." names dogs, "B. Dogs bark" does not.
_ENDS = re.compile(r"[\"')\]*\s]*(?:[.,;:!?\n)]|\Z)")

#: A number and its unit, as the text of an option: "12 cm", "30°", "$5".
_VALUED = re.compile(
    r"[$€£¥]?\s?(?P<number>[-−]?[\d.,]+)(?P<unit>\s?(?:°\s?[CF]?|%|[^\W\d_]{1,12}[²³]?)?)\.?"
)
_HAND = re.compile(r"(?<=left)-hand|(?<=right)-hand", re.IGNORECASE)
#: More characters than this are no part of an option's text.
_LONGEST = 60


#: What an option in mathematics has: "No" is no quantity.
_FIGURE = re.compile(r"[\dπ√]")


@dataclass(frozen=True)
class Options:
    """The options that an answer may choose, prepared once for all answers.

    Attributes:
        sources: their texts as the question gives them; may be empty if there are labels.
        labels: their letters; may be empty.
    """

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


class OptionText:
    """A text that may choose an option.

    Args:
        answer: the answer as the model wrote it.
        seen: the same text with what does not count replaced by blanks, of the same length.
        options: what may be chosen.
    """

    def __init__(self, answer: str, seen: str, options: Options) -> None:
        self.answer = answer
        self.seen = seen
        self.options = options
        self.texts = options.texts
        self.plain = strip_markup(seen, self.texts)
        if "-hand" in self.plain:  # "on the left-hand side"
            self.plain = _HAND.sub("     ", self.plain)
        self.size = len(seen)
        self.labels = LabelFinder(self.seen, self.plain, options.labels)

    @cached_property
    def candidates(self) -> Candidates:
        """All places that name an option."""
        return Candidates(self.plain, self.texts, self.labels)

    def region(self, start: int, end: int, sentence: int) -> Sequence[Hit[int]]:
        """Candidates in a stated answer: the one at its start, otherwise all that it mentions."""
        hit = self.labels.only(start, end) or self.at(start, end)
        if hit and not self.candidates.is_refused(hit):
            return [*self.text_after(hit, end), *self.rivals(hit, end), hit]
        hits = self.candidates.between(start, sentence)
        return [item for item in hits if item.is_marked] or hits or self.same_term(start, sentence)

    def at(self, start: int, end: int) -> Hit[int] | None:
        """The candidate at ``start``: a marked label, an option's text, or a bare label.

        The text is tried before the bare label because it may start with one.
        """
        label, firm = self.labels.at(start, end)
        text = text_at(self.plain, self.texts, start, end)
        # The text may start with the letter ("B vitamin", "C. S. Lewis").
        inside = label and text and text.start <= label.start and label.end < text.end
        return label if firm and not inside else text or label or self._part_at(start, end)

    def _part_at(self, start: int, end: int) -> Hit[int] | None:
        """The option that contains the rest of the sentence: "Monet" of "Claude Monet"."""
        stop = sentence_end(self.plain, start, end)
        hits = part_of_one(self.plain[start:stop], self.texts) if stop - start < _LONGEST else []
        if len(hits) != 1:
            return None
        return Hit(hits[0].value, start + hits[0].start, start + hits[0].end)

    def same_term(self, start: int, end: int) -> list[Hit[int]]:
        """The option that is the same mathematics as a stretch: "30°" for "30 degrees"."""
        text = self.seen[start:end]
        wanted = term(text)
        same = [place for place, key in enumerate(self.options.terms) if wanted and key == wanted]
        if not same and named_quantity(text) is not None:
            same = [
                place
                for place, item in enumerate(self.texts)
                if _FIGURE.search(item) and same_quantity(item, text)
            ]
        return [Hit(same[0], start, end)] if len(same) == 1 else []

    def rivals(self, hit: Hit[int], end: int) -> list[Hit[int]]:
        """The candidate that "or", "and" or a comma joins to ``hit``, if there is one."""
        joined = _JOINED.match(self.plain, hit.end, end)
        other = self.at(joined.end(), end) if joined else None
        return [other] if other and not self.candidates.is_refused(other) else []

    def text_after(self, hit: Hit[int], end: int) -> list[Hit[int]]:
        """The option text right after a label; "(B) dog" is contradictory if dog is option A."""
        text = text_at(self.plain, self.texts, hit.end, end)
        whole = text and _ENDS.match(self.plain, text.end)
        return [text] if text and (whole or text.value == hit.value) else []

    def contested(self, hit: Hit[int], end: int) -> bool:
        """Whether another option follows a letter at once: "(A) (B)", "B. cat", "A or B"."""
        others = [*self.rivals(hit, end), *self.text_after(hit, end)]
        following, firm = self.labels.at(hit.end, end)
        others += [following] if following and firm else []
        return any(other.value != hit.value for other in others)
