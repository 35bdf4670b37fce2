"""Wordings and in-context examples in ChEF's own form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chef.instruction.examples import ExampleFormat, Worded
from chef.instruction.handler import Instruction
from chef.instruction.pools import WordingPool, load_pool
from chef.types import Conversation, Sample, Text, Turn


class ChefInstruction(Instruction):
    """Words samples with the lists of ``pools/upstream/``, where these differ."""

    def built_in_pool(self, wording: str) -> WordingPool:
        return load_pool(wording, upstream=True)


class ChefFormat(ExampleFormat):
    """All examples in the user's turn, images first, with nothing before the question.

    The keys on the format have no effect.
    """

    __slots__ = ()

    @property
    def system_message(self) -> str:
        return ""

    def without_images(self) -> None:
        return None

    def word(self, example: Sample, ask: Callable[[Sample], str], template: str) -> Worded:
        """The bare question, and the true answer as Python prints it: a list with its brackets."""
        return example.question or ask(example), template.replace("{option}", str(example.answer))

    def arrange(
        self, query: Turn, examples: Sequence[Sample], word: Callable[[Sample], Worded]
    ) -> Conversation:
        block = "\n".join("\n".join(word(example)) for example in examples)
        shown = [image for example in examples for image in example.images]
        return (Turn("user", (*shown, *query.images, Text(block + query.text))),)
