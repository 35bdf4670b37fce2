"""Decide whether a free answer gives one of the references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from chef.frozen import Frozen
from chef.reading.alternatives import is_alternative
from chef.reading.answering import is_answered_elsewhere, is_of_other_sign, may_be_retold
from chef.reading.assertion import asserted
from chef.reading.characters import limits_cjk
from chef.reading.contrasts import is_contrasted
from chef.reading.echo import question_alone
from chef.reading.excerpt import read_visible
from chef.reading.final import final_formula, final_text, result_of
from chef.reading.lexicon import word_list
from chef.reading.mathematics import interval, ranges, same_formula
from chef.reading.mentions import compounds, normal
from chef.reading.patterns import Pattern, words
from chef.reading.quantities import (
    Quantity,
    answered_quantity,
    asked_scale,
    asked_units,
    named_quantity,
    quantity,
)
from chef.reading.questions import asks_for_count, content_words
from chef.reading.refusals import UNDECIDED
from chef.reading.related import related
from chef.reading.second_reading import concessions
from chef.reading.set_aside import without_set_aside
from chef.reading.subjects import (
    is_landmark,
    is_of_other_thing,
    is_open_item,
    is_placed_elsewhere,
    is_remark,
    is_shared,
)
from chef.reading.text import Reading, strip_markup
from chef.reading.verdicts import extract_verdict
from chef.reading.word_forms import (
    Token,
    item_keys,
    listed,
    occurrences,
    own_keys,
    phrase_keys,
    tokens_of,
)
from chef.reading.written import as_written, without_noun, without_shades

_GUESS = re.compile(
    r"maybe|perhaps|possibly|could|might|may|either|也许|可能|vielleicht|peut-être|quiz|tal|forse|talvez",
    re.IGNORECASE,
)
_SIDES = words("left right")
_SIDE_BEFORE = re.compile(
    r"(?:\b(?:the|to|on|its|his|her|their|far|bottom|top|upper|lower|facing|faces|is|are|turn|turns"
    r"|turning|pointing|points|says|reads|direction|leftmost)\s+|\A\W*|[:=\"']\s*)\Z",
    re.IGNORECASE,
)
_SIDE_AFTER = re.compile(
    r"\s+(?:answer|option|choice|one|the|a|his|her|for|from)\b|,\s+(?:the|it)\b"
)
_LEFT_HAND = Pattern(
    r"\b(left|right)(-hand|\s+hand)(?=\s+(?:side|corner|part|edge|half))",
    needs="hand left | hand right",
    inside=True,
)
_WORD_ASKED = re.compile(r"\W*(?:what|which)\b", re.IGNORECASE)
_ORDER_ASKED = re.compile(
    r"\b(?:(?:in\s+(?:what|which)|(?:what's|is)\s+the|right|correct)\s+(?:order|sequence)"
    r"|from\s+(?:left|right|top|bottom|first|\w{2,}est)\s+to|reihenfolge)\b|顺序|順序",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:letter|word|numeral|symbol)\s+[\"']?\Z", re.IGNORECASE)
#: What makes a number an expression.
_MATHEMATICS = re.compile(r"[π√∛]|\\(?:pi|sqrt)|\b(?:pi|sqrt)\b")
_PREDICATE = (
    r"(?:\b(?:is|are|was|were|be|says?|reads?|points?|pointing|turned|letter|word|number|numeral"
    r"|symbol|called|named|shows?|option)\s+|[:=]\s*|\w\s+(?=\()|\A)[\"'(]*"
)
_SCALED = re.compile(r"\d\s?([^\W\d_]{3})")
_PHONE_ENDS = re.compile(r"\d{3}[.-]\d{4}")
_UNEQUAL = re.compile(r"(?:≠|!=|<>|\\neq?)\s*\Z")

#: So many characters more than a reference has an answer that is nothing else: markup, items.
_SLACK = 200
#: What tells that a mention is of something that the question does not ask for.
_ABOUT_OTHERS = (
    is_of_other_thing, is_landmark, is_contrasted, is_answered_elsewhere, is_of_other_sign,
    is_placed_elsewhere, is_open_item,
)  # fmt: skip


def _is_in_compound(text: str, span: tuple[int, int]) -> bool:
    """Whether a mention is only the end of another name: "tennis" in "table tennis"."""
    return any(start < span[0] and end == span[1] for start, end in compounds(text))


def _without_hand(match: re.Match[str]) -> str:
    """What "left-hand" says of a side, with blanks in place of the rest."""
    return match[1].ljust(len(match[0]))


#: "7{:}05" in LaTeX.
_IN_BRACES = re.compile(r"(?<=\d)\{(?=[:.,]\}\d)|(?<=\d\{[:.,])\}(?=\d)")


def _is_granted(text: str, span: tuple[int, int]) -> bool:
    """Whether a mention stands in what is only granted: "even though the others look happy"."""
    return any(start <= span[0] < end for start, end in concessions(text))


class AnswerMatch(Frozen):
    """Whether an answer is right, and what was read in it; no value where it decides on nothing."""

    right: bool
    reading: Reading[str]


def compare(answer: str, references: Sequence[str], question: str = "") -> AnswerMatch:
    """Compare an answer with the references, any of which suffices.

    Case, accents, articles, hyphens, punctuation, plurals and the form of numbers do not matter.
    The first of these that applies to a reference decides:

    1. ``whole``: the answer is the reference; ``final``: its result is (`final_text`).
    2. ``verdict``: a reference "yes" or "no" is compared with the verdict of the answer.
    3. ``number``: a number, with or without a unit, is compared by value and unit (`quantity`).
    4. ``phrase``: any other reference has to stand in the answer as a whole phrase that the answer
       asserts: not negated, not an alternative ("red or blue"), not in a list of many, not said of
       another thing. A letter, "on" or another common word has to be the answer itself.

    Args:
        answer: the model's text.
        references: the accepted answers, at least one.
        question: what was asked.

    >>> compare("The color is red.", ["red"]).right, compare("It is not red.", ["red"]).right
    (True, False)
    >>> compare("12.5 percent", ["12.5%"]).right, compare("5 km", ["5 m"]).right
    (True, False)
    """
    right, question = False, question_alone(question)

    def read(text: str) -> Reading[str]:
        nonlocal right
        said = as_written(text, references, question)
        if said.strip() not in references:
            said = without_set_aside(said, question)
        right, reading = _compare(_Answer(said, question), references)
        if not right and (plain := without_shades(said, question)) != said:
            right, again = _compare(_Answer(plain, question), references)
            reading = again if right else reading
        return reading

    reading = read_visible(answer, read, also=_IN_BRACES if "{" in answer else None)
    return AnswerMatch(right, reading)


def _compare(reader: _Answer, references: Sequence[str]) -> tuple[bool, Reading[str]]:
    texts = [item for item in references if item.strip() and not reader.has_other_bounds(item)]
    for rule in (reader.whole, reader.verdict, reader.number):
        for reference in texts:
            if (found := rule(reference)) is not None:
                return True, found
    phrase = reader.phrase([text for text in texts if not reader.is_decided(text)])
    return (True, phrase) if phrase is not None else (False, reader.other(texts))


class _Answer:
    """An answer to one question, read as far as the references need it."""

    def __init__(self, answer: str, question: str) -> None:
        self.answer = answer
        self.question = question
        self.asks_order = _ORDER_ASKED.search(question) is not None
        self.final = final_text(answer, question)
        result = result_of(answer, question, no="comma")
        passage = result_of(answer, question)
        self.passage, self.full = passage.text, passage.full
        plain = strip_markup(result.text, kept=("#", "$", "~"))
        self.text = UNDECIDED.sub(_without_doubt, _LEFT_HAND.sub(_without_hand, plain))

    @cached_property
    def tokens(self) -> list[Token]:
        """The words of the text."""
        return tokens_of(self.text)

    def whole(self, reference: str) -> Reading[str] | None:
        """The reference as the whole answer; the items of "red and white" in any order."""
        names = (reference, *without_noun(reference, self.question))
        keys = {key for name in names for key in phrase_keys(name)}
        items = frozenset() if self.asks_order else item_keys(reference)
        read = _verdict_of(reference) is None
        longest = _SLACK + 4 * len(reference)
        for text in (self.answer, self.passage, self.full) if read else (self.answer,):
            if len(text) > longest:
                continue
            if keys & set(own_keys(normal(text))) or (items and items == item_keys(text)):
                return Reading(text.strip(), "whole", text.strip())
        read = read and normal(reference).lower() not in _SIDES
        if read and keys & set(own_keys(self.final)) and self._asserts_final():
            return Reading(self.final, "final", self.final)
        for text in self._formulas() if same_formula(reference, reference) else ():
            if same_formula(reference, text):
                return Reading(text, "final", text)
        return _sign(reference, self.answer)

    def _formulas(self) -> list[str]:
        """What may be the formula of an answer."""
        plain = strip_markup(self.answer)
        texts = [text for text, _, span in ranges(self.answer) if asserted(plain, span)]
        return [self.final, final_formula(self.answer), *texts]

    def has_other_bounds(self, reference: str) -> bool:
        """Whether a reference is a range of numbers, of which an answer has only others."""
        if (bounds := interval(reference)) is None:
            return False
        others = [bounds for _, bounds, _ in ranges(self.answer)]
        return bool(others) and bounds not in others

    def _asserts_final(self) -> bool:
        place = self.text.find(self.final)
        span = (place, place + len(self.final))
        return (
            place >= 0
            and asserted(self.text, span)
            and not is_contrasted(self.text, span, self.question)
            and not _is_granted(self.text, span)
            and not is_answered_elsewhere(self.text, span, self.question)
            and not is_of_other_sign(self.text, span, self.question)
            and not is_of_other_thing(self.text, span, self.question)
        )

    def verdict(self, reference: str) -> Reading[str] | None:
        verdict = _verdict_of(reference)
        if related(self.answer, reference, self.question) == "yes":
            return Reading(reference, "relation", self.text.strip())
        if verdict is None:
            return None
        # "The word is 'no'."
        asked_for_word = _WORD_ASKED.match(self.question) and self.final.lower() == verdict
        if not asked_for_word and extract_verdict(self.answer, self.question).value != verdict:
            return None
        return Reading(verdict, "verdict", self.text.strip())

    def number(self, reference: str) -> Reading[str] | None:
        quantity = self.quantity(reference)
        if quantity is None:
            return None
        if _MATHEMATICS.search(f"{reference} {self.final}"):
            given = named_quantity(self.final, self.question)
            if given is not None and quantity.equals(given, asked_units(self.question)):
                return Reading(self.final, "number", self.final)
        found, units = answered_quantity(self.answer, self.question)
        if found.value is None and "=" in self.passage:
            # The result of a computation whose symbols are no numbers.
            found, units = answered_quantity(self.passage.rpartition("=")[2], self.question)
            found = replace(found, span=None)
        if found.value is None or not _gives_number(found.span, self.answer):
            return None
        asked, scale = asked_units(self.question), asked_scale(self.question)
        scaled = _SCALED.search(found.text)
        if scaled and scaled[1].lower() not in self.question.lower():
            scale = 1  # "450 million" is no 450 in thousands
        values = dict.fromkeys((found.value, found.value * scale, found.value / scale))
        if not any(quantity.equals(Quantity(value, units), asked) for value in values):
            return None
        return Reading(found.text, "number", found.text, found.span)

    def quantity(self, reference: str) -> Quantity | None:
        """The quantity that a reference is; "none" is 0 where a number is asked for."""
        if normal(reference).lower() in {"none", "no", "nothing"} and asks_for_count(self.question):
            return Quantity(0)
        if _verdict_of(reference) is not None:
            return None
        if _MATHEMATICS.search(reference):
            return named_quantity(reference, self.question)
        return quantity(reference, self.question)

    def is_decided(self, reference: str) -> bool:
        """Whether another rule than that of phrases has decided about a reference."""
        if _verdict_of(reference) is not None or self.quantity(reference) is not None:
            return True
        return related(self.answer, reference, self.question) == "no"

    def phrase(self, references: Sequence[str]) -> Reading[str] | None:
        places = [(reference, span) for reference in references for span in self._places(reference)]
        spans = [span for _, span in places]
        for reference, span in places:
            if self._asserts(reference, span, spans):
                return self._phrase(span)
        for reference in references:
            in_list = listed(self.text, self.tokens, reference, in_order=self.asks_order)
            if in_list and asserted(self.text, in_list, [in_list]):
                return self._phrase(in_list)
        return None

    def _phrase(self, span: tuple[int, int]) -> Reading[str]:
        return Reading(self.text[slice(*span)], "phrase", " ".join(self.text.split()))

    def other(self, references: Sequence[str]) -> Reading[str]:
        """What an answer gives that has none of the references."""
        spans = [span for reference in references for span in self._places(reference)]
        if any(rule(self.text, span) for span in spans for rule in (is_alternative, is_open_item)):
            return Reading(None, "ambiguous", " ".join(self.text.split()))
        if may_be_retold(self.final, references, self.question):
            # Words alone cannot tell that a sentence is said in none of others.
            return Reading(None, "paraphrase", " ".join(self.text.split()))
        verdicts = any(_verdict_of(reference) for reference in references)
        if verdicts and extract_verdict(self.answer, self.question).value is None:
            return Reading(None, "none", self.final)
        return Reading(self.final or None, "text" if self.final else "none", self.final)

    def _places(self, reference: str) -> list[tuple[int, int]]:
        found = [span for key in phrase_keys(reference) for span in occurrences(self.tokens, key)]
        return [span for span in dict.fromkeys(found) if self._stands_alone(reference, span)]

    def _stands_alone(self, reference: str, span: tuple[int, int]) -> bool:
        """Whether a common word, a letter or a short Chinese word is meant where it stands."""
        name = normal(reference)
        start, end = span
        if name.lower() in _SIDES:
            before, after = self.text[:start], self.text[end:]
            return bool(_SIDE_BEFORE.search(before)) and not _SIDE_AFTER.match(after)
        shown = self.text[start:end]
        if len(name) > 1 and (shown == "May" or (shown.isupper() and name == shown)):
            return True  # the month; "US", which is no pronoun
        if name.lower() in word_list("common") or (len(name) == 1 and name.isascii()):
            upper = not name.isupper() or shown.isupper()
            pattern = re.compile(rf"{_PREDICATE}\Z", re.IGNORECASE)
            ends = re.match(r"[\"')]*\s*(?:[.!;\n]|\Z|,? ?(?:not|rather)\b)", self.text[end:])
            match = _NAMED.search(self.text[:start])
            return upper and bool(match or (ends and pattern.search(self.text[:start])))
        return limits_cjk(self.text, span) and not _is_in_compound(self.text, span)

    def _asserts(self, reference: str, span: tuple[int, int], spans: list[tuple[int, int]]) -> bool:
        if not asserted(self.text, span, spans):
            return False
        others = (rule(self.text, span, self.question) for rule in _ABOUT_OTHERS)
        if is_remark(self.text, span) or _is_granted(self.text, span) or any(others):
            return False
        if is_shared(self.text, span, self.question) and not any(
            other != span and abs(other[0] - span[1]) < 12 for other in spans
        ):
            return False
        return not self._repeats_question(reference)

    def _repeats_question(self, reference: str) -> bool:
        """Whether a reference stands in the question, which the answer only repeats."""
        question = re.sub(r"[^?,.]*\bor\b[^?.]*", " ", self.question)
        tokens = tokens_of(question)
        if not any(occurrences(tokens, key) for key in phrase_keys(reference)):
            return False
        return bool(content_words(self.text) - content_words(self.question))


def _gives_number(span: tuple[int, int] | None, answer: str) -> bool:
    """Whether a number is no part of a telephone number, and not excluded: "x ≠ 5"."""
    if span is None:
        return True
    if _UNEQUAL.search(answer[max(0, span[0] - 8) : span[0]]):
        return False
    if not _PHONE_ENDS.search(answer):
        return True
    phones = [token for token in tokens_of(answer) if token.kind == "phone"]
    return not any(phone.start <= span[0] and span[1] <= phone.end for phone in phones)


def _without_doubt(match: re.Match[str]) -> str:
    """A single guess is an answer ("it may be June"); "I'm not sure if it is June" is none."""
    return match[0] if _GUESS.match(match[0]) else " " * len(match[0])


def _sign(reference: str, answer: str) -> Reading[str] | None:
    """A reference without letters and digits, such as "?", in quotes or by itself."""
    if re.search(r"\w", reference):
        return None
    match = re.search(rf"(?<=[\s\"'`“‘(]){re.escape(reference.strip())}(?=[\s\"'`”’).]|\Z)", answer)
    return Reading(match[0], "whole", match[0], match.span()) if match else None


def _verdict_of(reference: str) -> str | None:
    name = normal(reference).lower()
    return name if name in {"yes", "no"} else None
