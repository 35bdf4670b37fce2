"""The kinds of judgements of VLMEvalKit's own rules, which read the whole reply.

Their questions have the parts that VLMEvalKit's have, in wordings of chef's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.judge.kinds.judgements import Extracted, Grade, Option, Worded
from chef.judge.kinds.texts import answer_of, options_of, question_of
from chef.metric.records import names
from chef.reading.rules.vlmevalkit import NONE_OF_THEM, can_infer, yes_no


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

    The question is asked up to five times, each time warmer by 0.5.
    """

    words = "vlmevalkit_grade"


class VLMEvalKitExtracted(Repeated, Extracted):
    """What does an answer come to? The reading is the whole reply, unless it is empty.

    The question is asked up to five times, each time warmer by 0.5.
    """

    words = "vlmevalkit_extraction"

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> str | None:
        return verdict or None
