"""How model families differ, as data. Everything that is not listed has the common form."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quirk:
    """How one model family differs.

    Attributes:
        prefix_lm: the family has no chat template. The processor takes the prompt (image marks,
            then the question; it adds BOS and the separator itself) and the reply separately, as
            ``suffix``. The prompt attends to itself in both directions, so it would see a reply
            that is part of it before that is scored. The processor ends the suffix with EOS.
        image_blocks: the tokens of an image attend to each other in both directions, within the
            window of a layer.
        image_mark: marks an image in a prompt that no template writes.
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
    """The quirk of an architecture; `COMMON` if it has none."""
    return QUIRKS.get(model_type, COMMON)
