"""The message of ``build_prompt`` as a sample asks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chef.common.vlmevalkit_messages import conversation_of
from chef.errors import SampleError
from chef.image import Image
from chef.types import Text, Turn, TurnSpec


@dataclass(frozen=True, slots=True)
class RowPrompt:
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
