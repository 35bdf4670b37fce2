"""From the coordinates of an answer to fractions of the image."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

from chef.common.boxes import Box
from chef.errors import ChefError, ConfigError, DataError

#: The coordinate of the right and bottom edge of the image, or ``pixel`` for its width and height.
BoxScale: TypeAlias = float | Literal["pixel"]


def checked_scale(scale: BoxScale) -> BoxScale:
    """``scale``, if it is ``pixel`` or a positive number; raises ConfigError."""
    if scale == "pixel":
        return "pixel"
    # A caller from Python may give any string.
    if not isinstance(scale, int | float) or not (scale > 0 and math.isfinite(scale)):
        raise ConfigError(
            f"box_scale is {scale}", hint="give a positive number, such as 1 or 1000, or 'pixel'"
        )
    return float(scale)


def edges_of(scale: BoxScale, record: dict[str, Any]) -> tuple[float, float]:
    """The coordinates of the right and of the bottom edge of a sample's image.

    ``pixel`` needs ``image_size``, ``[width, height]``, or the image at ``image_path``; else raises
    DataError.
    """
    if scale != "pixel":
        return scale, scale
    size = record.get("image_size")
    if size is None:
        size = _size_of_file(record.get("image_path"))
    if (
        not isinstance(size, list | tuple)
        or len(size) != 2
        or not all(isinstance(n, int | float) and n > 0 for n in size)
    ):
        raise DataError(
            "box_scale is 'pixel', and the size of the image is not known",
            where=f"sample '{record.get('id', '?')}'",
            hint="give image_size, [width, height] in pixels, in the sample's fields, or an "
            "image_path that can be opened from here",
        )
    return float(size[0]), float(size[1])


def in_fractions(boxes: Sequence[Box], edges: tuple[float, float]) -> list[Box]:
    """All boxes of one answer as fractions of the image with these right and bottom edges.

    If no coordinate is above 1, they are fractions already, whatever the scale: the model did not
    keep to it, as nothing is smaller than a thousandth or a pixel.

    >>> in_fractions([Box("dog", (0, 0, 500, 250))], (1000, 1000))
    [Box(label='dog', bbox=(0.0, 0.0, 0.5, 0.25))]
    """
    if all(0 <= number <= 1 for number in _numbers(boxes)):
        edges = (1.0, 1.0)
    width, height = edges
    return [
        Box(label, (x1 / width, y1 / height, x2 / width, y2 / height))
        for label, (x1, y1, x2, y2) in boxes
    ]


def _numbers(boxes: Sequence[Box]) -> Iterator[float]:
    return (number for box in boxes for number in box.bbox)


def _size_of_file(path: Any) -> tuple[int, int] | None:
    """Width and height of the image at ``path``, as it is shown; None if it cannot be opened."""
    from chef.image import Image

    if not isinstance(path, str) or not path:
        return None
    try:
        return Image(path).size
    except ChefError:
        return None
