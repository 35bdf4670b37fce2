"""Extract the option that a text chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from chef.common.options import letters
from chef.extraction.candidates import Candidates
from chef.extraction.characters import read_visible
from chef.extraction.discourse import only, segments, withdraws, without_asides, without_requests
from chef.extraction.label_phrases import (
    ENDORSED,
    IS_LABEL,
    ONLY_AFTER,
    ONLY_BEFORE,
    PHRASES,
    SAID,
)
from chef.extraction.labels import LabelFinder
from chef.extraction.leaks import answer_body, before_next_question
from chef.extraction.mentions import normal, part_of_one, same_text, text_at
from chef.extraction.numbers import as_number, extract_number
from chef.extraction.places import places
from chef.extraction.statements import concluded, stated, tagged
from chef.extraction.text import (
    Extraction,
    Hit,
    decide,
    found,
    last_of,
    line_end,
    lines,
    sentence_end,
    sentence_start,
    strip_markup,
)
from chef.extraction.verdict_marks import approved, most_probable, opened

Found = Extraction[int] | None

_JOINED = re.compile(
    r"[\"')\]\s]*(?:,?\s*\b(?:or|and|oder|und|ou|et|o|y|или|и)\b|[/,&、]|或者?|还是|和|与|か|または|또는|혹은|와|과)\s*",
    re.IGNORECASE,
)
#: The end of a sentence of words, and not an initial.
_APART = re.compile(r"\w\w[\"')\]]?[.!?;]\s\Z|\n.?\Z")
#: "The copepod is the primary consumer."
_IS_THE = re.compile(r"\s+(?:is|are)\s+the\b(?!\s+(?:only\s+)?(?:other|one\s+(?:on|in|with)))")
_ENDS = re.compile(r"[\"')\]*\s]*(?:[.,;:!?\n)]|\Z)")
#: How far an option's text may stand behind its letter, in characters.
_OWN_GAP = 5
#: How far before a candidate words about it may start, in characters.
_REACH = 30
_COMMA = re.compile(r"[\"')\]]*\s*(?:,|;|[-–—]+\s|(?:because|since|as)\b|因为)")
_AMBIGUOUS: Extraction[int] = Extraction(None, "ambiguous")
_NONE: Extraction[int] = Extraction(None, "none")


def extract_option(
    answer: str, texts: Sequence[str], labels: Sequence[str] | None = None
) -> Extraction[int]:
    """The option that a text chooses.

    Reasoning blocks, invented turns, requests and refusals are removed first, then first thoughts
    and questions; words of correction ("wait, no,") divide the rest, and what follows the last one
    is tried first. Then the first of these rules that finds something decides; if it finds two
    different options, the answer is ambiguous:

    1. the whole answer is a label, or an option's text;
    2. a tagged or boxed answer, the last of several;
    3. the last explicit statement ("the answer is ...", "B is correct", "therefore B");
    4. a line that consists of a label, or the only one of several listed with a good verdict;
    5. a line that starts with a label ("B. a cat"), unless several do: then options are listed;
    6. a sentence that consists of an option's text, or begins with a label;
    7. what "it is", "I think" or "probably" precedes;
    8. a letter in brackets, quotes or bold, or after the word "option";
    9. a bare capital, or an option's text, as whole words;
    10. a number or number word, if all options are numbers.

    Options that are ruled out ("not a dog", "B is wrong", "neither A nor C") are ignored. "A" and
    "I" are letters unless they are an article or a pronoun (`chef.extraction.article`).

    Args:
        answer: the model's text.
        texts: the texts of the options; may be empty if there are labels.
        labels: the labels of the options; default: A, B, C, ...; empty for none.

    Returns:
        The index of the option, or None.

    >>> extract_option("I see a dog. The answer is (B).", ["cat", "dog"]).value
    1
    >>> extract_option("(A) or (B)", ["cat", "dog"]).rule
    'ambiguous'
    """
    names = letters(len(texts)) if labels is None else labels
    return read_visible(
        answer, lambda text: _extract(text, [normal(item) for item in texts], names)
    )


def _extract(answer: str, texts: Sequence[str], labels: Sequence[str]) -> Extraction[int]:
    body = answer_body(answer)
    first = before_next_question(body)
    result = _settle(answer, first, texts, labels)
    return _settle(answer, body, texts, labels) if result is _NONE and first != body else result


def _settle(answer: str, body: str, texts: Sequence[str], labels: Sequence[str]) -> Extraction[int]:
    reader = _Reader(answer, body, texts, labels)
    # A list of all options with a verdict on each may contain any words.
    result = reader.whole() or reader.verdicts() or reader.scores()
    if result:
        return result
    kept = without_requests(body)
    settled = without_asides(kept)
    parts = segments(settled)
    if len(parts) > 1:
        spans = reversed(parts)
        readers = [_Reader(answer, only(settled, *span), texts, labels) for span in spans]
        if withdraws(settled[slice(*parts[-1])]) and readers[0].first() is _NONE:
            return _NONE
        result = _corrected(readers)
        if result:
            return result
    for text in dict.fromkeys((settled, kept)):
        result = (reader if text == body else _Reader(answer, text, texts, labels)).first()
        if result is not _NONE:
            return result
    return _NONE


def _corrected(readers: Sequence[_Reader]) -> Found:
    """The answer after the last correction that gives one.

    Args:
        readers: of the parts between corrections, the last part first.
    """
    refused: set[int] = set()
    for reader in readers:
        live = {hit.value for hit in reader.candidates.live}
        result = next((item for item in reader.firm_rules() if item), None)
        if result is None and live:
            result = next((item for item in reader.weak_rules() if item), None)
        if result and result.value not in refused:
            return result
        refused |= {hit.value for hit in reader.candidates.all if hit.is_refused}
    return None


class _Reader:
    """One answer and the options it may choose; its methods are the rules."""

    def __init__(self, answer: str, seen: str, texts: Sequence[str], labels: Sequence[str]) -> None:
        self.answer = answer
        self.seen = seen
        self.plain = strip_markup(seen, texts)
        self.size = len(seen)
        self.texts = texts
        self.labels = LabelFinder(self.seen, self.plain, labels)

    @cached_property
    def candidates(self) -> Candidates:
        """All places that name an option."""
        return Candidates(self.plain, self.texts, self.labels)

    def first(self) -> Extraction[int]:
        """The result of the first rule that finds something."""
        rules = (*self.firm_rules(), *self.weak_rules())
        return next((result for result in rules if result), _NONE)

    def firm_rules(self) -> Iterator[Found]:
        yield self.whole()
        yield self.in_tags()
        yield self.verdicts()
        yield self.in_statements()
        yield self.alone()
        yield self.opening()
        yield self.sentences()
        yield self.said()

    def weak_rules(self) -> Iterator[Found]:
        single = self.candidates.single
        yield self.concluded()
        yield decide([hit for hit in single if hit.is_marked], "marked letter", self.answer)
        yield decide(single or self.candidates.live, "mention", self.answer)
        yield self.number()
        yield self.place()

    def whole(self) -> Found:
        hit = self.labels.only(0, self.size)
        if hit:
            return found(hit, "whole", self.answer)
        return decide(
            same_text(self.plain, self.texts) or part_of_one(self.plain, self.texts),
            "whole",
            self.answer,
        )

    def in_tags(self) -> Found:
        last: Hit[int] | None = None
        for start, end in tagged(self.seen):
            hits = self.region(start, end, end)
            if len({hit.value for hit in hits}) > 1:
                return _AMBIGUOUS
            last = hits[-1] if hits else last
        return found(last, "tagged", self.answer) if last else None

    def in_statements(self) -> Found:
        hits: list[Hit[int]] = [
            hit
            for form, flags in PHRASES
            for hit in self.labels.matches(form, flags)
            if not self.candidates.is_refused(hit) and not self.rivals(hit, self.size)
        ]
        hits += [hit for hit in self.candidates.single if self.endorsed(hit)]
        for start, end in stated(self.plain):
            inside = self.region(start, end, sentence_end(self.plain, start, end))
            if len({hit.value for hit in inside}) > 1:
                return _AMBIGUOUS
            hits += inside[-1:]
        hits.sort(key=lambda hit: hit.start)
        return last_of(hits, "statement", self.plain, self.answer)

    def verdicts(self) -> Found:
        return decide(approved(self.plain, self.candidates.all), "verdict", self.answer)

    def alone(self) -> Found:
        """A line that consists of a label, or else a last sentence that does."""
        only = (self.labels.only(start, end) for start, end in lines(self.plain))
        hits = [hit for hit in only if hit]
        end = len(self.plain.rstrip())
        start = sentence_start(self.plain, end - 2) if end > 2 else 0
        apart = start == 0 or _APART.search(self.plain[max(0, start - _REACH) : start + 1])
        last = self.labels.only(start, end) if apart else None
        return decide(hits or ([last] if last else []), "line", self.answer)

    def endorsed(self, hit: Hit[int]) -> bool:
        """Whether the words around a candidate choose it: "B is correct", "only B fits"."""
        ends = (hit.end, self.candidates.own_end(hit))
        if any(ENDORSED.match(self.plain, end) for end in ends):
            return True
        before = self.plain[max(0, hit.start - _REACH) : hit.start]
        return bool(ONLY_BEFORE.search(before) and ONLY_AFTER.match(self.plain, hit.end))

    def scores(self) -> Found:
        """The option with the highest of the probabilities that an answer lists for all."""
        return decide(most_probable(self.plain, self.candidates.all), "scores", self.answer)

    def opening(self) -> Found:
        hits: list[Hit[int]] = []
        for start, end in lines(self.plain):
            hit = self.labels.opening(start, end)
            if hit and self.candidates.is_refused(hit):
                continue
            if hit and self.contested(hit, end):
                return _AMBIGUOUS
            hits += [hit] if hit else []
        listed = len({hit.value for hit in hits}) > 1
        return None if listed else decide(hits, "opening", self.answer)

    def sentences(self) -> Found:
        """The first sentence, if it is an option's text or begins with a label and a comma."""
        if opened(self.plain, self.candidates.all) > 1:
            return None
        for start, end in lines(self.plain):
            stop = sentence_end(self.plain, start, end)
            hit, _ = self.labels.at(start, end)
            if hit and _COMMA.match(self.plain, hit.end) and not self.candidates.is_refused(hit):
                others = [*self.rivals(hit, end), *self.text_after(hit, end)]
                differs = any(other.value != hit.value for other in others)
                return _AMBIGUOUS if differs else found(hit, "first sentence", self.answer)
            same = same_text(self.plain[start:stop], self.texts)
            if same:
                hits = [Hit(hit.value, start + hit.start, start + hit.end) for hit in same]
                return decide(hits, "first sentence", self.answer)
            break
        return None

    def said(self) -> Found:
        """What "it is", "I think" and the like precede; the last one counts."""
        hits: list[Hit[int]] = [
            hit
            for hit in self.labels.matches(IS_LABEL, 0)
            if not self.candidates.is_refused(hit) and not self.rivals(hit, self.size)
        ]
        for match in SAID.finditer(self.plain):
            stop = line_end(self.plain, match.end())
            hit = self.at(match.end(), stop)
            if (
                hit
                and hit.start not in self.candidates.offered
                and not self.candidates.is_refused(hit)
            ):
                hits += [*self.rivals(hit, stop), hit]
        hits.sort(key=lambda hit: hit.start)
        return last_of(hits, "said", self.plain, self.answer)

    def concluded(self) -> Found:
        """The only option in the last sentence that names one, if it concludes or has a letter."""
        live = self.candidates.single
        if not live:
            return None
        place = len(live) - 1
        while place and live[place - 1].value == live[-1].value:
            if live[place].start - live[place - 1].end > _OWN_GAP:
                break
            place -= 1
        start = sentence_start(self.plain, live[place].start)
        last = [hit for hit in live if hit.start >= start]
        drawn = [place for place, _ in concluded(self.plain) if place >= start]
        if drawn:
            last = [hit for hit in last if hit.start >= drawn[-1]]
        if not last or any(hit.value != last[0].value for hit in last):
            return None
        ends = not self.plain[last[-1].end :].strip(" \n\t.!)\"'*")
        last_sentence = sentence_end(self.plain, start, self.size) >= len(self.plain.rstrip()) - 1
        led = bool(self.plain[start : last[0].start].strip())
        lettered = ends and led and any(hit.is_label for hit in last)
        named = last_sentence and _IS_THE.match(self.plain, last[-1].end)
        firm = drawn or lettered or named
        return found(last[-1], "conclusion", self.answer) if firm else None

    def number(self) -> Found:
        values = [as_number(text) for text in self.texts]
        if not values or None in values:
            return None
        read = extract_number(self.seen)
        if read.value is None or values.count(read.value) != 1:
            return None
        start, end = read.span or (0, 0)
        hit = Hit(values.index(read.value), start, end)
        return found(hit, f"number: {read.rule}", self.answer)

    def place(self) -> Found:
        """The option whose place is named: "the third option", "第二个选项"."""
        hits = [
            Hit(index, *span) for index, span in places(self.plain, len(self.texts))
        ]  # fmt: skip
        return decide(hits, "place", self.answer)

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
        return label if firm and not inside else text or label

    def rivals(self, hit: Hit[int], end: int) -> list[Hit[int]]:
        """The candidate that "or", "and" or a comma joins to ``hit``, if there is one."""
        joined = _JOINED.match(self.plain, hit.end, end)
        other = self.at(joined.end(), end) if joined else None
        return [other] if other and not self.candidates.is_refused(other) else []

    def text_after(self, hit: Hit[int], end: int) -> list[Hit[int]]:
        """The option text right after a label; "(B) dog" is contradictory if dog is option A."""
        text = text_at(self.plain, self.texts, hit.end, end)
        # "The answer is B. Dogs bark" names no option behind the letter, "B. Dogs." does.
        whole = text and _ENDS.match(self.plain, text.end)
        return [text] if text and (whole or text.value == hit.value) else []

    def contested(self, hit: Hit[int], end: int) -> bool:
        """Whether another option follows a letter at once: "(A) (B)", "B. cat", "A or B"."""
        others = [*self.rivals(hit, end), *self.text_after(hit, end)]
        following, firm = self.labels.at(hit.end, end)
        others += [following] if following and firm else []
        return any(other.value != hit.value for other in others)
