"""How in-context examples stand in a conversation, and images at their places in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Self

from chef.image import Image
from chef.instruction.retriever.base import example_answer
from chef.types import Conversation, Part, Sample, Text, Turn


def parts_of(text: str, images: Sequence[Image], marks: Sequence[str] = ()) -> tuple[Part, ...]:
    """The parts of a turn: the images, then the text; or each image at its marks in the text.

    Images whose marks the text does not have come first. An image whose mark occurs twice is shown
    twice.
    """
    if not marks:
        return (*images, Text(text))
    shown = dict(zip(marks, images, strict=True))
    pieces = re.split(f"({'|'.join(map(re.escape, shown))})", text)
    first = [image for mark, image in shown.items() if mark not in pieces]
    return (*first, *(shown.get(piece) or Text(piece) for piece in pieces if piece))


SYSTEM_MESSAGE = (
    "The examples below have nothing to do with the image of the question. "
    "They show the form of a good answer."
)

#: One example: its worded question and its worded answer.
Worded = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ExampleFormat:
    """The rendering keys of ``incontext_cfg``.

    Attributes:
        ice_with_image: show the images of the examples too; else only their texts.
        mult_conversations: each example is a turn of the user and one of the assistant; else all
            examples stand in the user's turn, before the question.
        add_sysmsg: begin with a system message that says what the examples are for.
        sysmsg: that message; default: `SYSTEM_MESSAGE`.
    """

    ice_with_image: bool = True
    mult_conversations: bool = True
    add_sysmsg: bool = False
    sysmsg: str | None = None

    @property
    def system_message(self) -> str:
        """The message; empty for none."""
        return (self.sysmsg or SYSTEM_MESSAGE) if self.add_sysmsg else ""

    def without_images(self) -> Self | None:
        """The same format without the images of the examples; None where that is impossible."""
        return replace(self, ice_with_image=False) if self.ice_with_image else None

    def word(self, example: Sample, ask: Callable[[Sample], str], template: str) -> Worded:
        """Question and answer of an example by the answer template (with ``{option}`` last)."""
        return ask(example), template.replace("{option}", example_answer(example) or "")

    def arrange(
        self, query: Turn, examples: Sequence[Sample], word: Callable[[Sample], Worded]
    ) -> Conversation:
        """The conversation that shows ``examples``, in their order, and then asks ``query``."""
        if self.mult_conversations:
            turns: list[Turn] = []
            for example in examples:
                asked, answered = word(example)
                turns.append(Turn("user", self._shown(example, asked)))
                turns.append(Turn("assistant", (Text(answered),)))
            return (*turns, query)
        texts = ["\n".join(word(example)) + "\n" for example in examples]
        if not self.ice_with_image:
            # The images before the question come first, as they do without examples.
            images = tuple(takewhile(lambda part: isinstance(part, Image), query.parts))
            first, *rest = query.parts[len(images) :]
            text = first.text if isinstance(first, Text) else ""
            return (Turn("user", (*images, Text("".join(texts) + text), *rest)),)
        parts: list[Part] = []
        for example, text in zip(examples, texts, strict=True):
            parts += self._shown(example, text)
        return (Turn("user", (*parts, *query.parts)),)

    def _shown(self, example: Sample, text: str) -> tuple[Part, ...]:
        """An example with its images, where they are shown."""
        if not self.ice_with_image:
            return (Text(text),)
        return parts_of(text, example.images, example.image_marks)
