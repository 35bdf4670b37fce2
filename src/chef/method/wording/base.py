"""What every change of wording is: a function of the text that asks, and a random stream.

Options get another order, whose reference goes along, or other words for their letters.
"""

from __future__ import annotations

import random
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple

from chef.common.circular import list_start
from chef.common.options import letters
from chef.common.seeding import sample_rng
from chef.common.yaml_text import shipped
from chef.errors import SampleError
from chef.method.base import Method
from chef.method.corruptions.base import checked_severity
from chef.scenario.circular import choice_count, reordered
from chef.scenario.parts.robustness import closed, read_option_map
from chef.types import Sample

#: A word, or a mark such as ``<image 1>``, which is none.
_WORD = re.compile(r"<[^<>]*>|[^\W\d_]+(?:['’][^\W\d_]+)*")
_HEAD = re.compile(r"(?:Hint:.*?\n(?=Question:))?(?:Question:\s*)?", re.DOTALL)
_BEFORE_LIST = re.compile(r"\s*(?:Context:[^\n]*\n)?(?:Options:|There are several options:)?\s*\Z")


class Parts(NamedTuple):
    """A question in three parts: hint and ``Question:``, what is asked, and the list of options."""

    before: str
    asked: str
    after: str


def parts_of(sample: Sample) -> Parts:
    r"""What a question asks, apart from its hint and its list of options.

    >>> parts_of(Sample("1", question="Question: Which?\nOptions: (A) x (B) y",
    ...     fields={"choices": ["x", "y"]}))
    Parts(before='Question: ', asked='Which?', after='\nOptions: (A) x (B) y')
    """
    text = sample.question
    choices = [str(choice) for choice in sample.fields.get("choices") or sample.options]
    labels = sample.fields.get("labels") or letters(len(choices))
    start = None
    if len(labels) == len(choices):
        start = list_start(text, dict(zip(map(str, labels), choices, strict=True)))
    head = _BEFORE_LIST.search(text[:start])
    end = head.start() if start is not None and head else len(text)
    begin = _HEAD.match(text[:end])
    place = begin.end() if begin else 0
    return Parts(text[:place], text[place:end], text[end:])


@cache
def tables() -> Mapping[str, Any]:
    """The tables of words.yaml."""
    read: Mapping[str, Any] = shipped("chef.method.wording", "words.yaml")
    return read


def words(text: str) -> Iterator[re.Match[str]]:
    """The words of a text, without marks of images."""
    return (match for match in _WORD.finditer(text) if not match[0].startswith("<"))


def cased(like: str, text: str) -> str:
    """A text that begins with a capital letter where another one does.

    >>> cased("Do", "don't")
    "Don't"
    """
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


class ChangedQuestion(Method):
    """A method that changes the sample by chance, with a random stream of its own.

    Args:
        seed: of everything that is drawn at random.
    """

    #: The level of ChEF that it belongs to, and its name there.
    level: ClassVar[str] = ""
    title: ClassVar[str] = ""

    def __init__(self, method_id: str, *, seed: int = 0) -> None:
        super().__init__(method_id)
        self.seed = seed

    def transform(self, sample: Sample) -> Sample:
        return self.changed(sample, self.stream(sample))

    def stream(self, sample: Sample) -> random.Random:
        """The random stream of a sample."""
        return sample_rng(self.seed, self.method_id, sample.id)

    @abstractmethod
    def changed(self, sample: Sample, rng: random.Random) -> Sample:
        """The changed sample; `SampleError` where the method cannot be applied to it."""


class Reworded(ChangedQuestion):
    """A method that changes what is asked, not the hint and the options; implement `reworded`.

    A text that has nothing to change stays as it is.
    """

    @abstractmethod
    def reworded(self, text: str, rng: random.Random) -> str:
        """What is asked, in other words."""

    def changed(self, sample: Sample, rng: random.Random) -> Sample:
        parts = parts_of(sample)
        if not parts.asked.strip():
            raise SampleError(
                f"{self.method_id} changes the text of a question, and the sample has none",
                where=f"sample '{sample.id}'",
                hint="use the method on a scenario whose samples have questions of their own",
            )
        text = self.reworded(parts.asked, rng)
        if len(text.strip()) < 2 or any(
            text.count(mark) != parts.asked.count(mark) for mark in sample.image_marks
        ):
            raise SampleError(
                f"{self.method_id} made {text!r} of the question", where=f"sample '{sample.id}'"
            )
        return replace(sample, question=f"{parts.before}{text}{parts.after}")


class ByRate(Reworded):
    """A method that changes a share of the words: 10% at severity 1 to 50% at severity 5.

    Args:
        severity: 1 (weak) to 5 (strong).

    Raises:
        ConfigError: there is no such severity.
    """

    def __init__(self, method_id: str, *, severity: int = 3, seed: int = 0) -> None:
        super().__init__(method_id, seed=seed)
        self.severity = checked_severity(severity, method_id)

    @abstractmethod
    def other(self, word: str, rng: random.Random) -> str | None:
        """A word as it is written instead; None where there is no other form of it."""

    def reworded(self, text: str, rng: random.Random) -> str:
        places = [*words(text)]
        count = max(1, round(len(places) * self.severity / 10))
        rng.shuffle(places)
        instead: list[tuple[re.Match[str], str]] = []
        for place in places:
            if len(instead) == count:
                break
            word = self.other(place[0], rng)
            if word is not None and word != place[0]:
                instead.append((place, word))
        for place, word in sorted(instead, key=lambda item: -item[0].start()):
            text = text[: place.start()] + word + text[place.end() :]
        return text


class CircularOption(ChangedQuestion):
    """The options move on by one place, forwards or backwards; labels stay."""

    level, title = "option", "circular_option"

    def changed(self, sample: Sample, rng: random.Random) -> Sample:
        count, step = choice_count(sample), rng.choice((1, -1))
        return in_order(sample, [(place + step) % count for place in range(count)])


class ReverseOption(ChangedQuestion):
    """The options are listed from the last to the first; labels stay; nothing is drawn."""

    level, title = "option", "reverse_option"

    def changed(self, sample: Sample, rng: random.Random) -> Sample:
        del rng
        return in_order(sample, [*range(choice_count(sample))][::-1])


def in_order(sample: Sample, order: list[int]) -> Sample:
    """The sample with its listed options in another order; `SampleError` where it lists none."""
    moved = reordered(sample, order)
    if moved is None:
        raise SampleError(
            "the options of the question cannot be put into another order",
            where=f"sample '{sample.id}'",
            hint="use the method on questions that list at least two options after their letters",
        )
    return moved


class Verbalized(Method):
    """The question asks for other words instead of letters, and these are the options.

    MMBench and ScienceQA have the same as their key ``option_map``.

    Args:
        type: ``natural`` (1, 2, 3; I, II, III; ...), ``neutral`` (names, words, signs) or
            ``unnatural`` (the letters themselves, rotated).
        ids: the number of the set within its type.

    Raises:
        ConfigError: there is no such set.
    """

    def __init__(
        self,
        method_id: str,
        *,
        type: Literal["natural", "neutral", "unnatural"] = "natural",  # noqa: A002 (ChEF's key)
        ids: int = 0,
    ) -> None:
        super().__init__(method_id)
        verbalizer = read_option_map({"type": type, "ids": ids})
        assert verbalizer is not None
        self.verbalizer = verbalizer

    def transform(self, sample: Sample) -> Sample:
        count = choice_count(sample)
        right = sample.fields.get("gt_choice")
        if count < 2 or not isinstance(right, int) or not sample.question:
            raise SampleError(
                f"{self.method_id} needs a question with lettered options and a known answer",
                where=f"sample '{sample.id}'",
                hint="use it on multiple choice",
            )
        options = self.verbalizer.options(count)
        fields = {key: value for key, value in sample.fields.items() if key != "labels"}
        return replace(
            sample,
            question=f"{sample.question.rstrip()}\n{self.verbalizer.request(count)}",
            options=tuple(options) if sample.options else (),
            answer=closed(options[right]),
            shown_answer=None,
            fields={**fields, "options": options},
        )
