"""Requests with more images than the model takes.

Images are joined side by side, as ChEF does for models of one image: in order, in their own sizes,
aligned at the top; the space below smaller images is black.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from chef.image import Image, side_by_side
from chef.types import Generate, Part, Score

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

R = TypeVar("R", bound=Generate | Score)


def fit_images(request: R, most: int) -> R:
    """The request with at most ``most`` images: the last ones are joined, in order."""
    images = [image for turn in request.conversation for image in turn.images]
    if len(images) <= most:
        return request
    joined, number = Image(_Row(images[most - 1 :]), "joined images"), 0
    turns = []
    for turn in request.conversation:
        parts: list[Part] = []
        for part in turn.parts:
            if not isinstance(part, Image):
                parts.append(part)
                continue
            number += 1
            if number < most:
                parts.append(part)
            elif number == most:
                parts.append(joined)
        turns.append(replace(turn, parts=tuple(parts)))
    return replace(request, conversation=tuple(turns))


class _Row:
    """Draws images side by side when it is called."""

    def __init__(self, images: Sequence[Image]) -> None:
        self.images = images

    def __call__(self) -> Pixels:
        return side_by_side([image.view() for image in self.images])
