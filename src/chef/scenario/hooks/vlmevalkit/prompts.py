"""What a row asks: the message of ``build_prompt``, or without one as its family lays it out.

`question_of` is what a recipe's instruction words; `text_of` is worded already, by the first prompt
of the same pool, for classes that build on ``super().build_prompt(line)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from chef.common.vlmevalkit_messages import conversation_of
from chef.errors import SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.scenario.questions.family import LAYOUTS
from chef.scenario.questions.family import text_of as laid_out
from chef.types import Text, Turn, TurnSpec


class RowPrompt(Frozen):
    """What a row asks, as in `chef.types.Sample`: a single question, or turns with their
    references; ``image_marks`` stand in the texts for images, which come first where there are
    none.
    """

    question: str
    images: tuple[Image, ...] = ()
    image_marks: tuple[str, ...] = ()
    turns: tuple[TurnSpec, ...] = ()


def prompt_of(message: Any, source: str) -> RowPrompt:
    """What a message that the method ``source`` gave asks: a single turn of the user's, or a
    conversation. SampleError if it is no message, or its turns do not alternate, the user's first.
    """
    if message is None:
        raise SampleError(f"{source} returned None", hint="return the list of parts")
    conversation = conversation_of(message)
    roles = [turn.role for turn in conversation]
    if roles != ["user", "assistant"] * (len(roles) // 2) + ["user"] * (len(roles) % 2):
        raise SampleError(
            f"{source} returned turns of {', '.join(roles)}",
            hint="let turns of the user and of the assistant alternate; the user's is first. A "
            "system message is a part of the model file",
        )
    asked = conversation[::2]
    answers = [turn.text for turn in conversation[1::2]]
    images = tuple(image for turn in asked for image in turn.images)
    marks = _marks(conversation, len(images))
    texts = _marked(asked, marks)
    is_first = all(
        all(isinstance(part, Image) for part in turn.parts[: len(turn.images)])
        and (place == 0 or not turn.images)
        for place, turn in enumerate(asked)
    )
    if is_first:
        texts, marks = [turn.text for turn in asked], ()
    if len(conversation) == 1:
        return RowPrompt(texts[0], images, marks)
    truths = [*answers, *([None] * (len(asked) - len(answers)))]
    turns = tuple(
        TurnSpec(0 if place == 0 else 1, question=text, truth=truth)
        for place, (text, truth) in enumerate(zip(texts, truths, strict=True))
    )
    return RowPrompt("", images, marks, turns)


def _marks(conversation: Sequence[Turn], images: int) -> tuple[str, ...]:
    """A mark for each image that occurs in no text."""
    texts = "".join(turn.text for turn in conversation)
    brackets = 1
    while "<" * brackets + "image " in texts:
        brackets += 1
    left, right = "<" * brackets, ">" * brackets
    return tuple(f"{left}image {number}{right}" for number in range(1, images + 1))


def _marked(turns: Sequence[Turn], marks: Sequence[str]) -> list[str]:
    """The texts of turns, with a mark at the place of each image."""
    rest = iter(marks)
    return [
        "".join(part.text if isinstance(part, Text) else next(rest) for part in turn.parts)
        for turn in turns
    ]


#: The pool of wordings for each kind of question, and its first prompt.
POOLS: Mapping[str, tuple[str, str]] = {
    "mcq": (
        "vlmevalkit_mcq",
        "{question}\nWhich of the options above is right? Choose one. \n",
    ),
    "vqa": ("vlmevalkit_vqa", "{question}\nReply with one word or a short phrase."),
    "caption": (
        "vlmevalkit_caption",
        "Describe in general what can be seen here. Start with what is seen, not with words about "
        "the picture itself.",
    ),
}
_PLAIN = "vlmevalkit_plain", "{question}"
#: The form of a multiple-choice question without options, in the pool, and how it is worded.
OPEN = "open", "{question}\n"


def pool_of(kind: str) -> str:
    """The name of the pool for a kind of question."""
    return POOLS.get(kind, _PLAIN)[0]


def question_of(kind: str, cells: Mapping[str, str]) -> str:
    """What a row asks, before it is worded; empty for a caption. SampleError without a question."""
    if kind == "caption":
        return ""
    return laid_out(LAYOUTS["mcq" if kind == "mcq" else "plain"], cells, choices_of(cells))


def form_of(kind: str, cells: Mapping[str, str]) -> str:
    """The form in which the pool words a row; empty for the usual one."""
    return OPEN[0] if kind == "mcq" and not choices_of(cells) else ""


def text_of(kind: str, cells: Mapping[str, str]) -> str:
    """The text of a row as the pool's first prompt words it; SampleError without a question."""
    prompt = OPEN[1] if form_of(kind, cells) else POOLS.get(kind, _PLAIN)[1]
    return prompt.replace("{question}", question_of(kind, cells))


def choices_of(cells: Mapping[str, str]) -> dict[str, str]:
    """The texts of the options of a row; only an empty cell is a missing option.

    >>> choices_of({"A": "None", "B": "", "C": "NA", "D2": "x"})
    {'A': 'None', 'C': 'NA'}
    """
    return {letter: cells[letter] for letter in ascii_uppercase if cells.get(letter, "") != ""}
