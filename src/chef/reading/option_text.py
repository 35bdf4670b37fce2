"""One answer, the options it may choose, and the places where it names them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from chef.reading.alternatives import OWN_GAP, is_guess, joined_groups
from chef.reading.assertion import negated, refused_label, refused_text, ruled_out
from chef.reading.labels import LabelFinder, is_dismissed
from chef.reading.lexicon import word_pattern
from chef.reading.mathematics import term
from chef.reading.mentions import all_mentions, part_of_one, text_at
from chef.reading.option_set import Options
from chef.reading.patterns import Pattern
from chef.reading.quantities import named_quantity, same_quantity
from chef.reading.text import Hit, sentence_end, strip_markup

_JOINED = Pattern(
    lambda: rf"[\"')\]\s]*(?:,?\s*{word_pattern('alternatives', 'conjunctions')}|[/,&、])\s*"
)
#: "Red could be the tallest, but green reaches higher."
_BUT_NO = re.compile(
    r"[\"')]*\s+(?:could|might|may)\s+(?:be|seem|look|appear)\b[^.;!?\n]{0,60}\bbut\b",
    re.IGNORECASE,
)
#: What ends an option's text behind its letter: "B. Dogs." names dogs, "B. Dogs bark" does not.
_ENDS = re.compile(r"[\"')\]*\s]*(?:[.,;:!?\n)]|\Z)")

_NO = len("no")
#: A longer name of an option is its text.
_LABEL = 2
#: "no sign" chooses no option "No".
_NO_THING = re.compile(
    r"no\s+(?!(?:because|since|as|but|and|or|although|though|there|it|he|she|they|this|that|I|we|you"
    r"|for|in|to|based|given|is|was|hay|se|es|est\w+|option|choice|answer)\b)[a-z]",
    re.IGNORECASE,
)
_CAPITAL = re.compile("[A-Z]")
_HAND = re.compile(r"(?<=left)-hand|(?<=right)-hand", re.IGNORECASE)
#: Words that rule a candidate out stand so near, in characters.
_FAR = 80
#: More characters than this are no part of an option's text.
_LONGEST = 60
_QUOTES = ('"', "'")
#: "My second choice would be B", "2nd: B", "B would be my second choice"
_SECOND = Pattern(
    r"\b(?:(?:second|third|2nd|3rd)\s+(?:choice|guess|pick|most\s+likely)|runner-?up|my\s+(?:second|third)"
    r"|(?:2nd|3rd)(?=:))\b[\s:=–—-]*(?:(?:is|was|would\s+be)\s+)?(?:an?\s+|the\s+)?[\"'(\[*]*\Z",
    needs="second third 2nd 3rd runner runnerup",
)
_IS_SECOND = re.compile(
    r"[\"')\]]*\s+(?:would\s+be|is|was|comes)\s+(?:my|the|a)\s+(?:(?:close|distant)\s+)?"
    r"(?:second|third|runner-?up)(?:\s+(?:choice|guess|pick|option))?\s*(?=[.,;:!?\n]|\Z)",
    re.IGNORECASE,
)
#: A letter in brackets behind the option's text: "lobar pneumonia (B) is unlikely".
_OWN_LETTER = re.compile(r"\s*[(\[]\s*[A-Z]\s*[)\]]")
#: What an option in mathematics has: "No" is no quantity.
_FIGURE = re.compile(r"[\dπ√]")


class OptionText:
    """A text that may choose an option: ``seen`` is the answer with blanks for what does not count.

    ``whole`` is the text of which it is a part, with blanks or line breaks for the rest; what names
    an option there is not looked for again.
    """

    def __init__(
        self,
        answer: str,
        seen: str,
        options: Options,
        whole: OptionText | None = None,
        question: str = "",
    ) -> None:
        self.answer = answer
        self.question: str = question or (whole.question if whole else "")
        self.seen = seen
        self.options = options
        self.texts = options.texts
        self.plain = strip_markup(seen, self.texts)
        if "-hand" in self.plain:  # "on the left-hand side"
            self.plain = _HAND.sub("     ", self.plain)
        self.size = len(seen)
        self._whole = whole
        finder = whole.labels if whole else None
        self.labels: LabelFinder = LabelFinder(seen, self.plain, options.labels, finder)

    @cached_property
    def candidates(self) -> Candidates:
        """All places that name an option."""
        whole = self._whole.candidates if self._whole else None
        letters = self.options.letters and all(map(_CAPITAL.fullmatch, self.texts))
        names = LabelFinder(self.seen, self.plain, self.texts) if letters else None
        return Candidates(self.plain, self.texts, self.labels, whole, names)

    def region(self, start: int, end: int, sentence: int) -> Sequence[Hit[int]]:
        """Candidates in a stated answer: the one at its start, otherwise all that it mentions."""
        hit = (
            self.labels.only(start, end)
            or (self.options.letters and self._letter_at(start, end))
            or self.at(start, end)
        )
        if hit and not self.candidates.is_refused(hit):
            return [*self.text_after(hit, end), *self.rivals(hit, end), hit]
        hits = self.candidates.between(start, sentence)
        return [item for item in hits if item.is_marked] or hits or self.same_term(start, sentence)

    def _letter_at(self, start: int, end: int) -> Hit[int] | None:
        """The option whose text is the single letter that a stretch is: "S" of P, Q, R and S."""
        letter = self.plain[start:end].strip(" .$*")
        same = [
            place for place, text in enumerate(self.texts) if len(letter) == 1 and text == letter
        ]
        return Hit(same[0], start, end) if len(same) == 1 else None

    def at(self, start: int, end: int) -> Hit[int] | None:
        """The candidate at ``start``: a marked label, a text (which may start with one), or a
        label.
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


class OptionCandidate(Hit[int]):
    """A place that names an option; a marked letter is bold, in brackets or after "option"."""

    is_label: bool = False
    is_marked: bool = False
    is_refused: bool = False
    is_offered: bool = False


class Candidates:
    """The candidates of an answer without markup, in order; a letter inside a text is none."""

    def __init__(
        self,
        plain: str,
        texts: Sequence[str],
        labels: LabelFinder,
        whole: Candidates | None = None,
        names: LabelFinder | None = None,
    ) -> None:
        self.plain = plain
        self._texts = texts
        self._whole = whole
        self._texts_at: dict[int, Hit[int] | None] = {}  # by where a letter ends
        #: All of them; of what is around them nothing is told.
        self.found = whole.within(plain, labels) if whole else self._found(labels, names)

    @cached_property
    def alone(self) -> set[int]:
        """Where those stand that their own words rule out, and no list that they are in."""
        return {hit.start for hit in self.found if self._refused_alone(hit)}

    @cached_property
    def all(self) -> list[OptionCandidate]:
        """All of them, with what is told of them."""
        joined, offered = self._lists(self.found)
        for place, (label, text) in enumerate(pairwise(self.found), 1):
            # "B (a badger) doesn't fit" rules out both.
            between = self.plain[label.end : text.start].strip()
            if label.is_label and label.value == text.value and len(between) <= OWN_GAP:
                joined[place] |= joined[place - 1] or label.start in self.alone
        return [
            OptionCandidate(
                hit.value,
                hit.start,
                hit.end,
                hit.is_label,
                hit.is_marked,
                joined[place] or hit.start in self.alone,
                offered[place] or hit.start in self.guesses,
            )
            for place, hit in enumerate(self.found)
        ]

    @cached_property
    def live(self) -> list[OptionCandidate]:
        """Those that may be the answer."""
        return [hit for hit in self.all if not hit.is_refused]

    @cached_property
    def single(self) -> list[OptionCandidate]:
        """Those of them that are not offered among others."""
        return [hit for hit in self.live if not hit.is_offered]

    @cached_property
    def offered(self) -> set[int]:
        """Where those of them stand that are."""
        return {hit.start for hit in self.live if hit.is_offered}

    @cached_property
    def _refused(self) -> set[int]:
        return {hit.start for hit in self.all if hit.is_refused}

    @cached_property
    def guesses(self) -> set[int]:
        """Where those stand that are some of several guesses, or of several cases."""
        if len(self.found) < 2:
            return set()
        before = ((hit, self.plain[max(0, hit.start - _FAR) : hit.start]) for hit in self.found)
        guesses = [hit for hit, text in before if is_guess(text)]
        several = len({hit.value for hit in guesses}) > 1
        return {hit.start for hit in guesses} if several else set()

    def is_refused(self, hit: Hit[int]) -> bool:
        """Whether the words around a candidate, found by whatever rule, rule it out."""
        if hit.start in self._refused:
            return True
        return self._ruled_out(hit, is_label=hit.end - hit.start <= _LABEL)

    def own_end(self, hit: Hit[int]) -> int:
        """Where the text of the option ends that follows its letter; else where the hit ends."""
        text = self._own_text(hit)
        return text.end if text else hit.end

    def between(self, start: int, end: int) -> list[OptionCandidate]:
        """The live candidates between two places."""
        return [hit for hit in self.live if start <= hit.start and hit.end <= end]

    def _found(self, labels: LabelFinder, names: LabelFinder | None) -> list[OptionCandidate]:
        """All candidates; ``names`` finds the texts where these are single capitals."""
        size = len(self.plain)
        texts = [
            OptionCandidate(hit.value, hit.start, hit.end)
            for hit in all_mentions(self.plain, self._texts, 0, size)
            if hit.end - hit.start > _NO or not _NO_THING.match(self.plain, hit.start)
        ]
        if names:  # "R hangs from the longest string", where R is no letter of an option
            texts = [
                OptionCandidate(hit.value, hit.start, hit.end)
                for hit in names.bare(0, size)
                if names.is_answer(hit)
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
            OptionCandidate(hit.value, hit.start, hit.end, True, (hit.start, hit.end) in marked)
            for hit in letters.values()
            # "A" is the article in "A dog" unless the dog is option A itself.
            if (hit.start in firm or labels.is_answer(hit) or self._own_text(hit))
            and not covered(hit)
        ]
        return sorted([*texts, *outside], key=lambda hit: hit.start)

    def within(self, plain: str, labels: LabelFinder) -> list[OptionCandidate]:
        """Those that stand in a part of the text, and the letters that open its lines."""
        same = [hit for hit in self.found if plain[hit.start] == self.plain[hit.start]]
        starts = {hit.start for hit in same}
        opening = [
            OptionCandidate(hit.value, hit.start, hit.end, True)
            for hit in labels.openings()
            if hit.start not in starts
        ]
        return sorted([*same, *opening], key=lambda hit: hit.start) if opening else same

    def _refused_alone(self, hit: OptionCandidate) -> bool:
        if self._whole is not None:
            near = slice(max(0, hit.start - _FAR), hit.end + _FAR)
            if self.plain[near] == self._whole.plain[near]:
                return hit.start in self._whole.alone
        return self._ruled_out(hit, is_label=hit.is_label)

    def _ruled_out(self, hit: Hit[int], *, is_label: bool) -> bool:
        before = self.plain[max(0, hit.start - _FAR) : hit.start]
        if _SECOND.search(before) or _IS_SECOND.match(self.plain, hit.end):
            return True
        if is_label:
            no = negated(self.plain, hit.start) or is_dismissed(self.plain, hit.start)
            return no or self._refused_after(hit.value, hit.end)
        quoted = self.plain[hit.start - 1 : hit.start] in _QUOTES if hit.start else False
        if (
            quoted
            and self.plain[hit.end : hit.end + 1] in _QUOTES
            and refused_label(self.plain, hit.end)
        ):
            return True
        letter = _OWN_LETTER.match(self.plain, hit.end)
        if _BUT_NO.match(self.plain, hit.end) or (
            letter and refused_label(self.plain, letter.end())
        ):
            return True
        return ruled_out(self.plain, (hit.start, hit.end))

    def _refused_after(self, value: int, end: int) -> bool:
        """Whether a letter, or its letter and its text, is ruled out: "B. a cat - no"."""
        if refused_label(self.plain, end):
            return True
        own_end = self.own_end(Hit(value, end, end))
        return own_end > end and refused_label(self.plain, own_end)

    def _own_text(self, hit: Hit[int]) -> Hit[int] | None:
        """The option's text right after its letter."""
        if hit.end not in self._texts_at:
            end = min(len(self.plain), hit.end + 200)
            text = text_at(self.plain, self._texts, hit.end, end) if self._texts else None
            self._texts_at[hit.end] = text
        text = self._texts_at[hit.end]
        return text if text is not None and text.value == hit.value else None

    def _lists(self, hits: Sequence[OptionCandidate]) -> tuple[list[bool], list[bool]]:
        """For each whether it is in a list that is ruled out ("not A or B"), or in another one."""
        refused, offered = [False] * len(hits), [False] * len(hits)
        for group in joined_groups(self.plain, hits):
            if len({hits[place].value for place in group}) < 2:
                continue
            first, last = hits[group[0]], hits[group[-1]]
            behind = refused_label if last.is_label else refused_text
            no = negated(self.plain, first.start) or behind(self.plain, last.end)
            no = no or (not first.is_label and first.start in self.alone)
            for place in group:
                refused[place], offered[place] = no, not no
        return refused, offered
