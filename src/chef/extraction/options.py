"""Extract the option that a text chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chef.common.options import letters
from chef.extraction.labels import LabelFinder
from chef.extraction.mentions import mentions, normal, same_text, text_at
from chef.extraction.numbers import as_number, extract_number
from chef.extraction.text import (
    Extraction,
    Hit,
    decide,
    found,
    last_of,
    lines,
    sentence_end,
    stated,
    strip_markup,
    strip_reasoning,
    tagged,
)

_JOINED = re.compile(r"[\"')\]\s]*(?:\b(?:or|and)\b|[/,&])\s*", re.IGNORECASE)
_AMBIGUOUS: Extraction[int] = Extraction(None, "ambiguous")


def extract_option(
    answer: str, texts: Sequence[str], labels: Sequence[str] | None = None
) -> Extraction[int]:
    """The option that a text chooses.

    Reasoning blocks are removed first. Then the first of these rules that finds something decides;
    if it finds two different options, the answer is ambiguous:

    1. the whole answer is a label, or an option's text;
    2. a tagged or boxed answer, the last of several;
    3. the last explicit statement ("the answer is ...", "B is correct", "therefore B");
    4. a line that consists of a label;
    5. a line that starts with a label ("B. a cat"), unless several do: then options are listed;
    6. a letter in brackets, quotes or bold, or after the word "option";
    7. a bare capital other than A and I, or an option's text, as whole words;
    8. a number or number word, if all options are numbers.

    Negated mentions ("not a dog") are ignored.

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
    reader = _Reader(answer, texts, letters(len(texts)) if labels is None else labels)
    return next((result for result in reader.rules() if result), Extraction(None, "none"))


class _Reader:
    """One answer and the options it may choose; its methods are the rules."""

    def __init__(self, answer: str, texts: Sequence[str], labels: Sequence[str]) -> None:
        self.answer = answer
        self.seen = strip_reasoning(answer)
        self.plain = strip_markup(self.seen)
        self.size = len(answer)
        self.texts = [normal(text) for text in texts]
        self.labels = LabelFinder(self.seen, self.plain, labels)

    def rules(self) -> Iterator[Extraction[int] | None]:
        yield self.whole()
        yield self.in_tags()
        yield self.in_statements()
        only = (self.labels.only(start, end) for start, end in lines(self.plain))
        yield decide([hit for hit in only if hit], "line", self.answer)
        yield self.opening()
        yield decide(self.labels.marked(0, self.size), "marked letter", self.answer)
        yield decide(self.mentioned(0, self.size), "mention", self.answer)
        yield self.number()

    def whole(self) -> Extraction[int] | None:
        hit = self.labels.only(0, self.size)
        if hit:
            return found(hit, "whole", self.answer)
        return decide(same_text(self.plain, self.texts), "whole", self.answer)

    def in_tags(self) -> Extraction[int] | None:
        last: Hit[int] | None = None
        for start, end in tagged(self.seen):
            hits = self.region(start, end, end)
            if len({hit.value for hit in hits}) > 1:
                return _AMBIGUOUS
            last = hits[-1] if hits else last
        return found(last, "tagged", self.answer) if last else None

    def in_statements(self) -> Extraction[int] | None:
        hits = self.labels.endorsed() + self.labels.concluded()
        for start, end in stated(self.plain):
            inside = self.region(start, end, sentence_end(self.plain, start, end))
            if len({hit.value for hit in inside}) > 1:
                return _AMBIGUOUS
            hits += inside[-1:]
        hits.sort(key=lambda hit: hit.start)
        return last_of(hits, "statement", self.plain, self.answer)

    def opening(self) -> Extraction[int] | None:
        hits: list[Hit[int]] = []
        for start, end in lines(self.plain):
            hit = self.labels.opening(start, end)
            if hit and self.contested(hit, end):
                return _AMBIGUOUS
            hits += [hit] if hit else []
        listed = len({hit.value for hit in hits}) > 1
        return None if listed else decide(hits, "opening", self.answer)

    def mentioned(self, start: int, end: int) -> list[Hit[int]]:
        """Option texts, and bare capitals that are not part of one (as in "Vitamin C")."""
        texts = mentions(self.plain, self.texts, start, end)
        bare = [
            hit
            for hit in self.labels.bare(start, end)
            if not any(text.start <= hit.start and hit.end <= text.end for text in texts)
        ]
        return sorted([*texts, *bare], key=lambda hit: hit.start)

    def number(self) -> Extraction[int] | None:
        values = [as_number(text) for text in self.texts]
        if not values or None in values:
            return None
        read = extract_number(self.answer)
        if read.value is None or values.count(read.value) != 1:
            return None
        return Extraction(values.index(read.value), f"number: {read.rule}", read.text, read.span)

    def region(self, start: int, end: int, sentence: int) -> list[Hit[int]]:
        """Candidates in a stated answer: the one at its start, otherwise all that it mentions."""
        hit = self.labels.only(start, end) or self.at(start, end)
        if hit:
            return [*self.text_after(hit, sentence), *self.rivals(hit, end), hit]
        return self.labels.marked(start, sentence) or self.mentioned(start, sentence)

    def at(self, start: int, end: int) -> Hit[int] | None:
        """The candidate at ``start``: a marked label, an option's text, or a bare label.

        The text is tried before the bare label because it may start with one ("B vitamin").
        """
        label, firm = self.labels.at(start, end)
        return label if firm else text_at(self.plain, self.texts, start, end) or label

    def rivals(self, hit: Hit[int], end: int) -> list[Hit[int]]:
        """The candidate that "or", "and" or a comma joins to ``hit``, if there is one."""
        joined = _JOINED.match(self.plain, hit.end, end)
        other = self.at(joined.end(), end) if joined else None
        return [other] if other else []

    def text_after(self, hit: Hit[int], end: int) -> list[Hit[int]]:
        """The option text right after a label; "(B) dog" is contradictory if dog is option A."""
        text = text_at(self.plain, self.texts, hit.end, end)
        return [text] if text else []

    def contested(self, hit: Hit[int], end: int) -> bool:
        others = [*self.rivals(hit, end), *self.text_after(hit, end)]
        return any(other.value != hit.value for other in others)
