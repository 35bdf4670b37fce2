"""Find every place where an answer names an option, and whether the words around rule it out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from chef.reading.alternatives import joined_groups
from chef.reading.assertion import likened, negated, refused_label, refused_text
from chef.reading.labels import LabelFinder
from chef.reading.mentions import all_mentions, text_at
from chef.reading.text import Hit


@dataclass(frozen=True, slots=True)
class Candidate(Hit[int]):
    """A place that names an option.

    Attributes:
        is_label: it is the letter of the option, and not its text.
        is_marked: it is a letter in brackets, quotes or bold, or after the word "option".
        is_refused: the words around it rule the option out.
        is_offered: a list joins it to other options ("A or B").
    """

    is_label: bool = False
    is_marked: bool = False
    is_refused: bool = False
    is_offered: bool = False


class Candidates:
    """All candidates of one answer, in order; a letter inside an option's text is none.

    Args:
        plain: the answer without reasoning and markup.
        texts: the texts of the options (`chef.reading.mentions.searched`).
        labels: finds their letters.
    """

    def __init__(self, plain: str, texts: Sequence[str], labels: LabelFinder) -> None:
        self._plain = plain
        self._texts = texts
        found = self._found(labels)
        joined, offered = self._lists(found)
        self.all = [
            replace(
                hit, is_refused=joined[place] or self._refused_alone(hit), is_offered=offered[place]
            )
            for place, hit in enumerate(found)
        ]
        #: Those that may be the answer.
        self.live = [hit for hit in self.all if not hit.is_refused]
        self.single = [hit for hit in self.live if not hit.is_offered]
        self.offered = {hit.start for hit in self.live if hit.is_offered}
        self._refused = {hit.start for hit in self.all if hit.is_refused}

    def is_refused(self, hit: Hit[int]) -> bool:
        """Whether the words around a candidate, found by whatever rule, rule it out."""
        if hit.start in self._refused:
            return True
        if hit.end - hit.start > 2:
            return negated(self._plain, hit.start) or refused_text(self._plain, hit.end)
        return negated(self._plain, hit.start) or self._refused_after(hit.value, hit.end)

    def own_end(self, hit: Hit[int]) -> int:
        """Where the text of the option ends that follows its letter; else where the hit ends."""
        text = self._own_text(hit)
        return text.end if text else hit.end

    def between(self, start: int, end: int) -> list[Candidate]:
        """The live candidates between two places."""
        return [hit for hit in self.live if start <= hit.start and hit.end <= end]

    def _found(self, labels: LabelFinder) -> list[Candidate]:
        size = len(self._plain)
        texts = [
            Candidate(hit.value, hit.start, hit.end)
            for hit in all_mentions(self._plain, self._texts, 0, size)
        ]
        in_marks = labels.marked(0, size)
        marked = {(hit.start, hit.end) for hit in in_marks}
        certain = [*in_marks, *labels.openings()]
        firm = {hit.start for hit in certain}
        letters = {hit.start: hit for hit in (*labels.bare(0, size), *certain)}
        starts = [text.start for text in texts]

        def covered(hit: Hit[int]) -> bool:
            place = bisect_right(starts, hit.start) - 1
            return place >= 0 and hit.end <= texts[place].end

        outside = [
            Candidate(hit.value, hit.start, hit.end, True, (hit.start, hit.end) in marked)
            for hit in letters.values()
            # "A" is the article in "A dog" unless the dog is option A itself.
            if (hit.start in firm or labels.is_answer(hit) or self._own_text(hit))
            and not covered(hit)
        ]
        return sorted([*texts, *outside], key=lambda hit: hit.start)

    def _refused_alone(self, hit: Candidate) -> bool:
        if negated(self._plain, hit.start):
            return True
        if hit.is_label:
            return self._refused_after(hit.value, hit.end)
        return refused_text(self._plain, hit.end) or likened(self._plain, (hit.start, hit.end))

    def _refused_after(self, value: int, end: int) -> bool:
        """Whether a letter, or its letter and its text, is ruled out: "B. a cat - no"."""
        if refused_label(self._plain, end):
            return True
        own_end = self.own_end(Hit(value, end, end))
        return own_end > end and refused_label(self._plain, own_end)

    def _own_text(self, hit: Hit[int]) -> Hit[int] | None:
        """The option's text right after its letter."""
        end = min(len(self._plain), hit.end + 200)
        text = text_at(self._plain, self._texts, hit.end, end) if self._texts else None
        return text if text is not None and text.value == hit.value else None

    def _lists(self, hits: Sequence[Candidate]) -> tuple[list[bool], list[bool]]:
        """For each: is it in a list that is ruled out; is it in another list of several options?

        "not A, B or C" and "A and B are wrong" rule out all of theirs; "A or B" offers two.
        """
        refused, offered = [False] * len(hits), [False] * len(hits)
        for group in joined_groups(self._plain, hits):
            if len({hits[place].value for place in group}) < 2:
                continue
            first, last = hits[group[0]], hits[group[-1]]
            behind = refused_label if last.is_label else refused_text
            no = negated(self._plain, first.start) or behind(self._plain, last.end)
            for place in group:
                refused[place], offered[place] = no, not no
        return refused, offered
