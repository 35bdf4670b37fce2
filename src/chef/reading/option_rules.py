"""The rules by which an option is read out of an answer, each a method."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from chef.reading.marks import Mark, concluded, read_marks, stated, tags
from chef.reading.mentions import part_of_one, same_text
from chef.reading.option_lists import approved, most_probable, opened
from chef.reading.option_phrases import (
    APART,
    COMMA,
    DASH,
    ENDORSED,
    IS_LABEL,
    IS_THE,
    ONLY_AFTER,
    ONLY_BEFORE,
    PHRASES,
    SAID,
    SIGNS_BEFORE,
    THE_ONE_IS,
    first_of_last,
    is_of_another,
    repeats_frame,
)
from chef.reading.option_text import OptionCandidate
from chef.reading.option_values import Found, OptionValues
from chef.reading.passage import Span
from chef.reading.refusals import NO_ANSWER, no_answer
from chef.reading.text import (
    AMBIGUOUS,
    Hit,
    Reading,
    decide,
    found,
    last_of,
    line_end,
    lines,
    sentence_end,
    sentence_start,
)
from chef.reading.word_index import blanked, words_near

#: A longer answer is no term of mathematics.
_SHORT = 80
_CELL = re.compile(r"\s*\|")
_OPENS = " \n\"'(*"
_END = " \n\t.!)\"'*"
_YEARS = 1000
#: "7 × 2 = 14 ✓" checks a calculation.
_SIGNS, _RESULT = frozenset("✓✔✅☑"), re.compile(r"[=≈]\s*\Z")
#: How far before a candidate words about it may start, in characters.
_REACH = 30


class OptionRules(OptionValues):
    """Rules that find an option, or several, or nothing (None)."""

    def first(self, beside: Callable[[], Sequence[Span]] = tuple) -> Found:
        """The first rule's result: statements of the whole text, then mentions outside the spans of
        ``beside``, which are about other things, then all mentions.
        """
        stated = next((result for result in self.statement_rules() if result), None)
        if stated and stated.value is not None:
            return stated
        if stated or self.is_open:
            about = self._about(beside(), stated)
            if about and about.value is not None:
                return about
            return stated or next((result for result in self.mention_rules() if result), None)
        result = next((result for result in self.mention_rules() if result), None)
        # "The bus is red. The car is blue." for "It is red", which stands nowhere as it is
        if result and result.rule == "said" and not self.candidates.live:
            return self._about(beside(), None) or result
        return result

    def _about(self, beside: Sequence[Span], stated: Found) -> Found:
        """The first result without what is said of other things; None if nothing is."""
        if not beside:
            return None
        about = OptionRules(self.answer, blanked(self.seen, beside), self.options, self)
        rules = about.mention_rules()
        if stated:
            rules = chain(about.statement_rules(), rules)
        return next((item for item in rules if item), None)

    @property
    def is_open(self) -> bool:
        """Whether several options are mentioned, or numbers may be, so that it matters of what."""
        return bool(self.options.values) or len({hit.value for hit in self.candidates.live}) > 1

    def statement_rules(self) -> Iterator[Found]:
        """The results of the rules that read a statement."""
        yield self.whole
        yield self.in_tags
        yield self.marked
        yield self.listed
        yield self.opening()
        yield self.first_sentence()

    def mention_rules(self) -> Iterator[Found]:
        """The results of the rules that read a mention."""
        yield self.said()
        single = self.candidates.single
        yield self.concluded()
        yield self.formula()
        # What is said of years tells which one is meant, and not that they are numbers.
        counts = any(value < _YEARS for value, _ in self.options.values)
        if counts and not any(hit.is_label or hit.is_offered for hit in self.candidates.live):
            yield self.number()
        marked = decide([hit for hit in single if hit.is_marked], "marked letter", self.answer)
        yield marked if marked and marked.value is not None else self.drawn() or marked
        if self.candidates.guesses:
            yield AMBIGUOUS  # a third thing beside two guesses is no answer
        yield decide(self._without_names(single or self.candidates.live), "mention", self.answer)
        yield self.number()
        yield self.place() or self.left()

    def _without_names(self, hits: Sequence[OptionCandidate]) -> Sequence[OptionCandidate]:
        """Without bare letters beside a text, where several are names: "the notes A, C and E"."""
        letters = [hit for hit in hits if hit.is_label]
        texts = [hit for hit in hits if not hit.is_label]
        if not texts or len({hit.value for hit in letters}) < 2:
            return hits
        firm = any(
            hit.is_marked
            or not self.plain[sentence_start(self.plain, hit.start) : hit.start].strip()
            for hit in letters
        )
        return hits if firm else texts

    @cached_property
    def whole(self) -> Found:
        """The whole answer is a label, an option's text, or a part of one option's text only."""
        hit = self.labels.only(0, self.size)
        if hit:
            return found(hit, "whole", self.answer)
        same = same_text(self.plain, self.texts) or part_of_one(self.plain, self.texts)
        short = self.size <= _SHORT
        return decide(same or (self.same_term(0, self.size) if short else []), "whole", self.answer)

    @cached_property
    def in_tags(self) -> Found:
        """The last tagged or boxed answer."""
        return read_marks(tags(self.seen), self._content, self.plain, self.answer)

    def _content(self, mark: Mark) -> Hit[int] | Reading[int] | None:
        """The option that the content of a mark names."""
        if len(same := self.same_term(mark.start, mark.end)) == 1:
            return same[0]
        if NO_ANSWER.fullmatch(self.plain, mark.start, mark.end):
            return AMBIGUOUS  # "N/A"
        hits = self.region(mark.start, mark.end, mark.end)
        if len({hit.value for hit in hits}) > 1:
            return AMBIGUOUS
        refused = not hits and no_answer(self.plain[mark.start : mark.end])
        return AMBIGUOUS if refused else hits[-1] if hits else None

    @cached_property
    def marked(self) -> Found:
        """What the text states as its answer, or else writes on a line of its own."""
        return self.in_statements() or self.checked() or self.alone()

    def checked(self) -> Found:
        """The only one of the listed options that has a check mark."""
        return decide(approved(self.plain, self.candidates, signs=True), "verdict", self.answer)

    @cached_property
    def listed(self) -> Found:
        """What a list of options with a verdict, or a probability, on each says."""
        # "Gas has the largest share, so the second-largest is coal."
        return self.verdicts() or (None if self.concluded() else self.scores())

    def in_statements(self) -> Found:
        """The last explicit statement: "the answer is B", "B is correct", "therefore B"."""
        words_said = words_near(self.plain)
        hits: list[Hit[int]] = [
            hit
            for form, flags, needs in PHRASES
            if needs is None or (words_said & needs if needs else not self.plain.isascii())
            for hit in self.labels.matches(form, flags)
            if not self.candidates.is_refused(hit) and not self.rivals(hit, self.size)
        ]
        # "Central is better than North.\n\nOption D": its own last word counts.
        closing = self.closing
        if endorsed := {hit.start for hit in self.candidates.found if self.endorsed(hit)}:
            hits += [
                hit
                for hit in self.candidates.single
                if (closing is None or hit.value == closing.value) and hit.start in endorsed
            ]
        hits += [hit for hit in self.placed() if ONLY_BEFORE.search(self.plain[: hit.start])]
        for start, end in stated(self.plain):
            inside = self.region(start, end, sentence_end(self.plain, start, end))
            if not inside and end - start <= _SHORT:
                inside = self.region(start, end, end)  # "Answer: ii.) Brazil"
            if len({hit.value for hit in inside}) > 1:
                return AMBIGUOUS
            hits += inside[-1:]
        hits.sort(key=lambda hit: hit.start)
        return last_of(hits, "statement", self.plain, self.answer)

    def endorsed(self, hit: Hit[int]) -> bool:
        """Whether the words around a candidate choose it: "B is correct", "only B fits"."""
        before = self.plain[max(0, hit.start - _REACH) : hit.start]
        for end in (hit.end, self.candidates.own_end(hit)):
            praise = ENDORSED.match(self.plain, end, line_end(self.plain, end))
            if praise and not (praise[0][-1] in _SIGNS and _RESULT.search(before)):
                return True
        return bool(ONLY_BEFORE.search(before) and ONLY_AFTER.match(self.plain, hit.end))

    def verdicts(self) -> Found:
        """The only one of the listed options that has a good verdict."""
        return decide(approved(self.plain, self.candidates), "verdict", self.answer)

    def scores(self) -> Found:
        """The option with the highest of the probabilities that an answer lists for all."""
        return decide(most_probable(self.plain, self.candidates.found), "scores", self.answer)

    def alone(self) -> Found:
        """A line that consists of a label, or else a last sentence that does, or the only line that
        is the text of an option, if it is the last one.
        """
        spans = lines(self.plain)
        # A row of a table says something of its option in another cell.
        only = (self.labels.only(*span) for span in spans if self.plain[span[0]] != "|")
        hits = [hit for hit in only if hit] or ([self.closing] if self.closing else [])
        if not hits and len(spans) > 1:
            texts = [
                same_text(SIGNS_BEFORE.sub("", self.plain[slice(*span)]), self.texts)
                for span in spans
            ]
            above = self.plain[: spans[-1][0]].rstrip(" \t")
            ends = not any(texts[:-1]) and above.endswith(("\n\n", ".\n", ":\n", "|\n"))
            ends = ends and not self.plain.rstrip().endswith(":")
            hits = [Hit(hit.value, *spans[-1]) for hit in texts[-1] if ends]
        return decide(hits, "line", self.answer)

    @cached_property
    def closing(self) -> Hit[int] | None:
        """The label of which the last sentence consists."""
        end = len(self.plain.rstrip(" \n|"))
        start = sentence_start(self.plain, end - 2) if end > 2 else 0
        if "|" in self.plain[start:end]:
            return None  # a row of a table
        apart = start == 0 or APART.search(self.plain[max(0, start - _REACH) : start + 1])
        return self.labels.only(start, end) if apart else None

    def opening(self) -> Found:
        """A line starts with a label ("B. a cat"), and no line with another."""
        hits: list[Hit[int]] = []
        for start, end in lines(self.plain):
            hit = self.labels.opening(start, end)
            if hit and self.candidates.is_refused(hit):
                continue
            if hit and self.contested(hit, end):
                return AMBIGUOUS
            hits += [hit] if hit else []
            if hit and self._goes_on(hit, end):
                return None
        listed = len({hit.value for hit in hits}) > 1
        return None if listed else decide(hits, "opening", self.answer)

    def _goes_on(self, hit: Hit[int], end: int) -> bool:
        """Whether a line lists further options: "A: the girl has a hat. B: the boy has a cap.", or
        the head of a table.
        """
        others = [o for o in self.candidates.between(hit.end, end) if o.value != hit.value]
        cell = _CELL.match(self.plain, hit.end)
        if cell and any(_CELL.match(self.plain, other.end) for other in others):
            return True
        firm = [o for o in others if self.plain[o.end : o.end + 1] in (":", ")")]
        if len({o.value for o in firm}) > 1:
            return True  # "A: 1/10, B: 2/10, C: 9/10"
        return any(o.is_label and self.candidates.own_end(o) > o.end for o in others)

    def first_sentence(self) -> Found:
        """The first sentence is an option's text, or begins with a label and a comma."""
        first = next(iter(lines(self.plain)), None)
        if first is None or len(opened(self.plain, self.candidates.found)) > 1:
            return None
        start, end = first
        hit, _ = self.labels.at(start, end)
        if hit and COMMA.match(self.plain, hit.end) and not self.candidates.is_refused(hit):
            others = [*self.rivals(hit, end), *self.text_after(hit, end)]
            differs = any(other.value != hit.value for other in others)
            return AMBIGUOUS if differs else found(hit, "first sentence", self.answer)
        stop = sentence_end(self.plain, start, end)
        dash = DASH.search(self.plain, start, stop)  # "The man — he has a whistle."
        same = same_text(self.plain[start:stop], self.texts)
        same = same or (same_text(self.plain[start : dash.start()], self.texts) if dash else [])
        hits = [Hit(hit.value, start + hit.start, start + hit.end) for hit in same]
        return decide(hits, "first sentence", self.answer)

    def said(self) -> Found:
        """What "it is", "I think" and the like precede; the last one counts."""
        live = self.candidates.live
        last = sentence_start(self.plain, live[-1].start) if live else 0
        hits: list[Hit[int]] = [
            hit
            for hit in self.labels.matches(IS_LABEL, 0)
            if not self.candidates.is_refused(hit) and not self.rivals(hit, self.size)
        ]
        hits += self._said_from(last) or (self._said_from(0) if last else [])
        hits.sort(key=lambda hit: hit.start)
        if hits and self.repeats(hits[-1]):
            return AMBIGUOUS
        # "The second letter is A, so it has to be raven."
        ends = [place for place, _ in concluded(self.plain) if hits and place <= hits[-1].start]
        hits = [hit for hit in hits if hit.start >= ends[-1]] if ends else hits
        return last_of(hits, "said", self.plain, self.answer)

    def _said_from(self, start: int) -> list[Hit[int]]:
        hits: list[Hit[int]] = []
        for match in SAID.finditer(self.plain, start):
            stop = line_end(self.plain, match.end())
            hit = self.at(match.end(), stop)
            if (
                hit
                and hit.start not in self.candidates.offered
                and not self.candidates.is_refused(hit)
                # "The larva comes from the egg."
                and all(o.value == hit.value for o in self.candidates.between(*match.span()))
                and not self._is_of_another(match[0], hit)
            ):
                hits += [*self.rivals(hit, stop), hit]
        return hits

    def _is_of_another(self, lead: str, hit: Hit[int]) -> bool:
        part = self.plain[hit.start : hit.end]
        return is_of_another(lead, self.texts[hit.value], part, self.question)

    def concluded(self) -> Found:
        """The only option in the last sentence with one, if it concludes: by "therefore", or at its
        end.
        """
        live = self.candidates.single
        if not live:
            return None
        start = sentence_start(self.plain, first_of_last(live).start)
        last = [hit for hit in live if hit.start >= start]
        ends = not self.plain[last[-1].end :].strip(_END)
        # What stands alone behind a colon: "the eagle settles it, so: Mexico."
        colon = self.plain.rfind(":", start, last[-1].start) if ends else -1
        after_colon = [hit for hit in last if hit.start > colon >= 0]
        if after_colon and not self.plain[colon + 1 : after_colon[0].start].strip(_OPENS):
            last = after_colon
        else:
            colon = -1
        conclusions = [place for place, _ in concluded(self.plain) if place >= start]
        if conclusions:
            last = [hit for hit in last if hit.start >= conclusions[-1]]
        if not last or any(hit.value != last[0].value for hit in last):
            return None
        led = bool(self.plain[start : last[0].start].strip())
        lettered = led and ends and any(hit.is_label for hit in last)
        closing = sentence_end(self.plain, start, self.size) >= len(self.plain.rstrip()) - 1
        subject = self.plain[start : last[0].start]
        named = closing and (
            IS_THE.match(self.plain, last[-1].end) or (ends and THE_ONE_IS.fullmatch(subject))
        )
        if not (conclusions or lettered or named or colon >= 0):
            return None
        return AMBIGUOUS if self.repeats(last[0]) else found(last[-1], "conclusion", self.answer)

    def repeats(self, hit: Hit[int]) -> bool:
        """Whether the sentence of a candidate stands before with another option in its place."""
        return repeats_frame(self.plain, hit, self.candidates.single)

    def named(self) -> Found:
        """The only option that is named: of the clauses with the superlative of the question."""
        result = decide(self.candidates.single, "extreme", self.answer)
        return result if result and result.value is not None else None

    def drawn(self) -> Found:
        """The only option after the last conclusion ("therefore", "so") that names one."""
        for place, end in reversed(concluded(self.plain)):
            inside = self.candidates.between(place, sentence_end(self.plain, place, end))
            if inside and self.plain[place - 1] in ">→" and self._is_chain(place, inside[0]):
                return None
            if inside:
                return decide(inside, "conclusion", self.answer)
        return None

    def _is_chain(self, place: int, hit: OptionCandidate) -> bool:
        """Whether an arrow leads from one option to another: "egg → larva → pupa"."""
        before = self.candidates.between(sentence_start(self.plain, place), place)
        return any(other.value != hit.value for other in before)
