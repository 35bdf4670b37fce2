"""One answer, the options it may choose, and the places where it names them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from chef.reading.candidates import Candidates
from chef.reading.labels import LabelFinder
from chef.reading.mentions import part_of_one, text_at
from chef.reading.text import Hit, sentence_end, strip_markup

_JOINED = re.compile(
    r"[\"')\]\s]*(?:,?\s*\b(?:or|and|oder|und|ou|et|o|y|или|и)\b|[/,&、]"
    r"|或者?|还是|和|与|か|または|또는|혹은|와|과)\s*",
    re.IGNORECASE,
)
#: What ends an option's text behind its letter: "B. Dogs." names dogs, "B. Dogs bark" does not.
_ENDS = re.compile(r"[\"')\]*\s]*(?:[.,;:!?\n)]|\Z)")

#: More characters than this are no part of an option's text.
_LONGEST = 60


class OptionText:
    """A text that may choose an option.

    Args:
        answer: the answer as the model wrote it.
        seen: the same text with what does not count replaced by blanks, of the same length.
        texts: the texts of the options (`chef.reading.mentions.searched`).
        labels: their letters; may be empty.
    """

    def __init__(self, answer: str, seen: str, texts: Sequence[str], labels: Sequence[str]) -> None:
        self.answer = answer
        self.seen = seen
        self.plain = strip_markup(seen, texts)
        self.size = len(seen)
        self.texts = texts
        self.names = labels
        self.labels = LabelFinder(self.seen, self.plain, labels)

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
        return [item for item in hits if item.is_marked] or hits

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
