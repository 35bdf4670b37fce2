"""The kinds of judgements of chef and of VLMEvalKit's rules; `chef.metric.judge_kind` names them.

Questions by VLMEvalKit's rules have the parts that VLMEvalKit's have, in wordings of chef's own;
they read the whole reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

from chef.common.options import letters, yes_or_no
from chef.common.yaml_text import shipped
from chef.errors import DataError
from chef.metric.judge_kind import JudgeKind, Wording
from chef.metric.records import names, references_of, required_references, turns_of
from chef.reading.rules.vlmevalkit import NONE_OF_THEM, can_infer, yes_no

#: What every kind says in the same words: ``{rules}`` and ``{form}`` stand for it.
_SHARED = "shared"


@cache
def pool(kind: str) -> Mapping[str, Wording]:
    """The wordings of a kind of chef's own, by name."""
    shared = _content(_SHARED)
    found: dict[str, Wording] = {}
    for name, entry in _content(kind).items():
        verdicts = entry.get("verdicts", "")  # a kind that reads the whole reply has none
        form = shared["form"].strip().replace("{verdicts}", verdicts)
        prompt = entry["prompt"].replace("{rules}", shared["rules"].strip())
        reminder = shared["reminder"].strip().replace("{form}", form)
        found[name] = Wording(prompt.replace("{form}", form).strip(), reminder)
    return found


def _content(name: str) -> Mapping[str, Any]:
    content: Mapping[str, Any] = shipped("chef.judge", "pools", f"{name}.yaml")
    return content


def question_of(record: Mapping[str, Any]) -> str:
    """The question; for a sample without one, what the model was asked, several turns numbered."""
    if record.get("question"):
        return str(record["question"])
    turns = [str(turn.get("question", "")) for turn in turns_of(record)]
    return _listed(turns) if len(turns) > 1 else str(record.get("query") or "")


def answer_of(record: Mapping[str, Any], key: str = "answer") -> str:
    """The answer as text; several answers, such as those of several turns, as JSON."""
    answer = record.get(key)
    if answer is None or isinstance(answer, str):
        return answer or ""
    return json.dumps(answer, ensure_ascii=False, default=str)


def references_text(record: Mapping[str, Any]) -> str:
    """The references, one on each line, several numbered; raises MissingTruthError.

    Those of several turns are one reference, as the answers are one answer: none of them is meant
    instead of another.
    """
    found = required_references(dict(record))
    if len(turns_of(record)) > 1:
        return answer_of(record, "gt_answers")
    return found[0] if len(found) == 1 else _listed(found)


def _listed(texts: Iterable[str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def compared_with_reference(record: Mapping[str, Any]) -> dict[str, str]:
    """The texts ``question``, ``reference`` and ``answer``; raises MissingTruthError."""
    return {
        "question": question_of(record),
        "reference": references_text(record),
        "answer": answer_of(record),
    }


def options_of(record: Mapping[str, Any]) -> dict[str, str]:
    """The options by letter, the metric's, else the sample's; raises DataError."""
    known = dict(record)
    keys = ("judge_options", "options", "choices")
    found = next(filter(None, (names(known, key) for key in keys)), [])
    if not found:
        raise DataError(
            "the sample has no options",
            where=f"sample '{record.get('id', '?')}'",
            hint="use another kind of judgement, such as kind: equivalence",
        )
    return dict(zip(letters(len(found)), found, strict=True))


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


class VLMEvalKitOption(Option):
    """Which option does an answer mean? The reply is read by `can_infer`; Z means none of them.

    The same question is asked up to three times.
    """

    repeats = True
    whole_reply = True
    words = "vlmevalkit_option"

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        listed = "\n".join(f"{label}. {text}" for label, text in _lettered(record).items())
        return {**super().texts(record, order), "options": listed}

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> int | None:
        options = _lettered(record)
        label = can_infer(verdict, options)
        if label in options:
            return list(options).index(str(label))
        return -1 if label == NONE_OF_THEM else None


def _lettered(record: Mapping[str, Any]) -> dict[str, str]:
    """The options by the letters that stood in the question, which need not be A, B, C."""
    options, labels = options_of(record), names(dict(record), "labels")
    if len(labels) != len(options):
        return options
    return dict(zip(labels, options.values(), strict=True))


class Repeated(Worded):
    """A kind whose question is asked up to five times, each time warmer by 0.5."""

    attempts = 5
    warmer = 0.5
    repeats = True
    whole_reply = True


class VLMEvalKitYesNo(Repeated):
    """Does an answer mean yes or no? The reading is the index of that option.

    The reply is read by `yes_no`. The question is asked up to five times, each time warmer by 0.5.
    """

    when = "unread"
    words = "vlmevalkit_yes_no"

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        return {"question": question_of(record), "answer": answer_of(record)}

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> int | None:
        said = yes_no(verdict)
        meant = [yes_no(text) for text in options_of(record).values()]
        return meant.index(said) if said != "Unknown" and said in meant else None


class VLMEvalKitGrade(Repeated, Grade):
    """How much of the reference does an answer get right? The reply is a number in 0..1.

    It is one if Python reads it so. The question is asked up to five times, each time warmer by
    0.5.
    """

    words = "vlmevalkit_grade"

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> float | None:
        try:
            number = float(verdict)
        except ValueError:
            return None
        return number if 0 <= number <= 1 else None


class VLMEvalKitExtracted(Repeated, Extracted):
    """What does an answer come to? The reading is the whole reply, unless it is empty.

    The question is asked up to five times, each time warmer by 0.5.
    """

    words = "vlmevalkit_extraction"

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> str | None:
        return verdict or None
