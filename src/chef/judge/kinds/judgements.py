"""The kinds of judgements of chef; `chef.metric.judge_kind` names them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from chef.common.options import yes_or_no
from chef.judge.kinds.texts import (
    answer_of,
    compared_with_reference,
    options_of,
    pool,
    question_of,
    references_text,
)
from chef.metric.judge_kind import JudgeKind, Wording
from chef.metric.records import names, references_of, required_references

#: A letter as options are often written: ``(B)``, ``B)``, ``B.``.
_DECORATED = re.compile(r"^\(?([A-Za-z]{1,2})[.)]$")
#: By what an answer is rated where the recipe has no rubric.
RUBRIC = """\
Helpfulness: it answers what was asked.
Accuracy: what it states is true, and agrees with the reference where there is one.
Completeness: nothing that matters is missing.
Clarity: it is easy to follow and no longer than needed."""
#: What a judge says of an answer that comes to nothing.
NOTHING = "none"
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,6})?|\.\d{1,6}")


class Worded(JudgeKind):
    """A kind of question whose wordings stand in a pool."""

    #: The name of the pool.
    words: ClassVar[str]

    def wordings(self) -> Mapping[str, Wording]:
        return pool(self.words)


class Option(Worded):
    """Which option does an answer mean? The reading is its index, or -1 where it means none."""

    words = "option"
    when = "unread"

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        listed = "\n".join(f"{label}. {text}" for label, text in options_of(record).items())
        return {"question": question_of(record), "options": listed, "answer": answer_of(record)}

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> int | None:
        said = _DECORATED.sub(r"\1", verdict).upper()
        labels = list(options_of(record))
        if said in labels:
            return labels.index(said)
        return -1 if said == "NONE" else None


class Equivalence(Worded):
    """Is an answer equivalent to the reference? The reading is true or false.

    One of several references is enough.
    """

    words = "equivalence"

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        return compared_with_reference(record)

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> bool | None:
        word = yes_or_no(verdict)
        return None if word is None else word == "Yes"


class Grade(Worded):
    """How much of the reference does an answer get right? The reading is a share in 0..1."""

    words = "grade"

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        return compared_with_reference(record)

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> float | None:
        return number_within(verdict, 0, 1)


class Rating(Worded):
    """How good is an answer by a rubric? The reading is a number in 1..10.

    A reference is shown where the sample has one.
    """

    words = "rating"
    takes_rubric = True

    def __init__(self, *, wording: str = "default", rubric: str | None = None) -> None:
        super().__init__(wording=wording, rubric=rubric)
        # It is the recipe's own text, which the judge shall follow; the others are data.
        asked = self.wording.prompt.replace("{rubric}", (rubric or RUBRIC).strip())
        self.wording = replace(self.wording, prompt=asked)

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        has_reference = bool(references_of(dict(record)))
        return {
            "question": question_of(record),
            "reference": references_text(record) if has_reference else "(there is no reference)",
            "answer": answer_of(record),
        }

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> float | None:
        return number_within(verdict, 1, 10)


class Preference(Worded):
    """Which of two answers is better? The reading is 1 for the judged one, 0.5 for a tie, else 0.

    The other one is the answer of another run (``against``), or the first reference. Both orders
    are asked, because judges tend to prefer the first answer; where the two contradict each other,
    their mean is that of a tie.
    """

    words = "preference"
    orders = 2
    compares = True

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        answer = answer_of(record)
        if "other_answer" in record:
            other = answer_of(record, "other_answer")
        else:
            other = required_references(dict(record))[0]
        first, second = (answer, other) if order == 0 else (other, answer)
        return {"question": question_of(record), "answer_a": first, "answer_b": second}

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> float | None:
        places = {"a": 1.0, "b": 0.0, "tie": 0.5}
        found = places.get(verdict.lower())
        return found if found is None or order == 0 else 1.0 - found


class Extracted(Worded):
    """What does an answer come to? The reading is a short text; empty where it comes to nothing.

    The judge does not see the reference. It is told what is asked for: the field ``answer_form`` of
    the sample, such as "a whole number".
    """

    words = "extraction"

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        listed = "\n".join(names(dict(record), "choices"))
        question = question_of(record)
        return {
            "question": f"{question}\n{listed}" if listed and listed not in question else question,
            "asked_for": str(record.get("answer_form") or "a short answer"),
            "answer": answer_of(record),
        }

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> str | None:
        return "" if verdict.casefold() == NOTHING else verdict


def number_within(verdict: str, least: float, most: float) -> float | None:
    """The number that a verdict is, if it is in the range; None otherwise.

    >>> number_within("0.5", 0, 1), number_within("7", 1, 10), number_within("11", 1, 10)
    (0.5, 7.0, None)
    >>> number_within("8/10", 1, 10), number_within("50%", 0, 1), number_within("nan", 0, 1)
    (None, None, None)
    """
    if not _NUMBER.fullmatch(verdict) or not verdict.isascii():
        return None
    number = float(verdict)
    return number if least <= number <= most else None
