"""Images at their places in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.image import Image
from chef.types import Part, Text


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
