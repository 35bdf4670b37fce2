"""What sets an architecture apart, as data. Everything not listed goes the common way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quirk:
    """How one family differs.

    Attributes:
        prefix_lm: there is no chat template. The processor takes the prompt (image marks, then
            the question; it adds BOS and the separator itself) and the reply apart, as
            ``suffix``: the prompt attends to itself both ways, so a reply put into the prompt
            would be seen before it is scored. The processor ends the suffix with EOS.
        image_blocks: the tokens of an image see each other in both directions, within a layer's
            window.
        image_mark: what stands for an image in a prompt that no template writes.
    """

    prefix_lm: bool = False
    image_blocks: bool = False
    image_mark: str = "<image>"


COMMON = Quirk()

#: By ``config.model_type``.
QUIRKS = {
    "gemma3": Quirk(image_blocks=True),
    "paligemma": Quirk(prefix_lm=True),
}


def quirk_of(model_type: str) -> Quirk:
    """The quirk of an architecture, or the common way."""
    return QUIRKS.get(model_type, COMMON)
