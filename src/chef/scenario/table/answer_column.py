"""Tell from all answers of a column how they are to be read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from chef.scenario.questions.family import is_label
from chef.scenario.table.answers import (
    WITHOUT_POINT,
    QuestionOptions,
    Reading,
    has_decimal_comma,
    only_one,
    position_of,
    verdict,
)
from chef.scenario.table.rows import is_missing


class _Form(NamedTuple):
    """What an answer may be: a verdict, the letter of an option, the position of one, a number
    without a point, one with a decimal comma.
    """

    is_text: bool
    is_verdict: bool
    is_letter: bool
    is_without_point: bool
    has_decimal_comma: bool
    position: int | None


def _form(answer: Any) -> _Form | None:
    """The form of an answer; None of one that is missing."""
    answer = only_one(answer)
    if is_missing(answer):
        return None
    is_text = isinstance(answer, str)
    is_letter = is_text and is_label(answer)
    return _Form(
        is_text,
        verdict(answer) is not None,
        is_letter,
        WITHOUT_POINT.fullmatch(str(answer)) is not None,
        is_text and has_decimal_comma(answer),
        position_of(answer),
    )


#: Most columns of answers say the same few things in all rows.
_form_of_text = lru_cache(maxsize=128)(_form)


class AnswerColumn:
    """Looks at all answers of a column, to tell how they are to be read."""

    def __init__(self) -> None:
        self.known = 0
        self._verdicts = self._positions = self._natives = self._bits = self._letters = 0
        #: How many numbers are a position from 0, one from 1, and the text of an option.
        self._from_0 = self._from_1 = self._texts = 0
        #: How many are numbers without a point, and how many of these have a decimal comma.
        self._without_point = self._decimal_commas = 0

    def add(self, answer: Any, options: QuestionOptions) -> None:
        """Take the answer of one row into account."""
        form = _form_of_text(answer) if isinstance(answer, str) else _form(answer)
        if form is None:
            return
        self.known += 1
        self._verdicts += form.is_verdict
        self._letters += form.is_letter
        self._without_point += form.is_without_point
        self._decimal_commas += form.has_decimal_comma
        position = form.position
        self._bits += position in (0, 1)
        if position is not None and options.texts:
            self._positions += 1
            # The number 3 beside the options 3, 4 and 5 is one of them, as in a CSV.
            self._natives += not form.is_text and not options.are_numbers
            self._from_0 += 0 <= position < options.places
            self._from_1 += 1 <= position <= options.places
            self._texts += str(position) in map(str.strip, options.texts.values())

    @property
    def all_yes_no(self) -> bool:
        """Whether every known answer is yes or no."""
        return bool(self.known) and self._verdicts == self.known

    @property
    def all_bits(self) -> bool:
        """Whether every known answer is 0 or 1, which may be no and yes."""
        return bool(self.known) and self._bits == self.known

    @property
    def all_letters(self) -> bool:
        """Whether every known answer is the label of an option: ``B``, ``(B)``, ``B. red``."""
        return bool(self.known) and self._letters == self.known

    @property
    def has_decimal_commas(self) -> bool:
        """Whether every known answer is a number without a point, and some can only be decimals."""
        return self._decimal_commas > 0 and self._without_point == self.known

    def reading(self) -> Reading | None:
        """How positions are counted, or that numbers are texts; None: each answer tells itself.

        Numbers that are all texts of their options are texts, unless they are no texts in the
        table, the options are, and all are positions. Others are positions, counted as more fit.
        """
        if 2 * self._positions <= self.known:
            return None
        fitting = max(self._from_0, self._from_1)
        if self._texts == self._positions and (not self._natives or fitting < self._positions):
            return "text"
        return "from 1" if self._from_1 > self._from_0 else "from 0"

    @property
    def is_open(self) -> bool:
        """Whether the positions may as well be counted from 1."""
        return self.reading() == "from 0" and self._from_0 == self._from_1

    @property
    def may_be_texts(self) -> bool:
        """Whether the positions may as well be texts of their options."""
        return self.reading() in ("from 0", "from 1") and self._texts == self._positions
