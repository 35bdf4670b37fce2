"""How worked examples stand in a conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chef.types import Compat, Conversation, Part, Sample, Text, Turn

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
        ice_with_image: show the examples' images too; else their texts alone.
        mult_conversations: each example is a turn of the user's and one of the assistant's; else
            all examples stand in the user's turn, before the question.
        add_sysmsg: begin with a system message that says what the examples are for.
        sysmsg: that message; default: `SYSTEM_MESSAGE`.
        compat: ``upstream`` shows examples as ChEF does, whatever the keys above say.
    """

    ice_with_image: bool = True
    mult_conversations: bool = True
    add_sysmsg: bool = False
    sysmsg: str | None = None
    compat: Compat = "corrected"

    @property
    def system_message(self) -> str:
        """What to say first, if anything."""
        if self.compat == "upstream":
            return ""
        return (self.sysmsg or SYSTEM_MESSAGE) if self.add_sysmsg else ""


def with_examples(
    query: Turn,
    examples: Sequence[Sample],
    word: Callable[[Sample], Worded],
    style: ExampleFormat,
) -> Conversation:
    """The conversation that shows ``examples`` and then asks ``query``.

    Args:
        query: the user's turn that asks.
        examples: in the order they are shown.
        word: question and answer of an example, as the instruction words them.
        style: how they are shown.
    """
    if style.compat == "upstream":
        # Nothing stands between the examples and the question.
        block = "\n".join("\n".join(word(example)) for example in examples)
        shown = [image for example in examples for image in example.images]
        return (Turn("user", (*shown, *query.images, Text(block + query.text))),)
    if style.mult_conversations:
        turns: list[Turn] = []
        for example in examples:
            asked, answered = word(example)
            images = example.images if style.ice_with_image else ()
            turns.append(Turn("user", (*images, Text(asked))))
            turns.append(Turn("assistant", (Text(answered),)))
        return (*turns, query)
    texts = ["\n".join(word(example)) + "\n" for example in examples]
    if not style.ice_with_image:
        # The only image comes first, as it does without examples.
        return (Turn("user", (*query.images, Text("".join(texts) + query.text))),)
    parts: list[Part] = []
    for example, text in zip(examples, texts, strict=True):
        parts += [*example.images, Text(text)]
    return (Turn("user", (*parts, *query.parts)),)
