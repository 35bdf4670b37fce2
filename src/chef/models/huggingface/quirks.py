"""How model families differ, as data. Everything that is not listed has the common form."""

from __future__ import annotations

from chef.frozen import Frozen


class Quirk(Frozen):
    """How one model family differs.

    Attributes:
        prefix_lm: no chat template: the processor takes the prompt (image marks, question) and the
            reply (``suffix``, closed by EOS) apart. The prompt attends to itself in both
            directions, so a reply in it would be seen before it is scored.
        image_blocks: tokens of an image attend to each other both ways, within a layer's window.
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
