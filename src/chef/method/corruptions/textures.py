"""Textures that weather is made of: plasma of many sizes, and six of frost, which are drawn."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator

    from chef.method.corruptions.base import Bytes, Floats
    from chef.method.corruptions.filters import Plane

#: The side of a plasma, in pixels; it is a power of 2.
SIDE = 256
FROSTS = 6


def plasma(rng: Generator, decay: float, side: int = SIDE) -> Floats:
    """A random height field, ``(side, side)`` in 0..1, whose edges fit together.

    Each halving of the distance between known points adds a random height, whose range is divided
    by ``decay`` (above 1) each time (midpoint displacement). Source: Fournier, Fussell and
    Carpenter 1982, "Computer Rendering of Stochastic Models".
    """
    import numpy as np

    field = np.zeros((1, 1))
    reach = 1.0
    while len(field) < side:
        reach /= decay
        right, below = np.roll(field, -1, 1), np.roll(field, -1, 0)
        corner = np.roll(below, -1, 1)
        finer = np.empty((2 * len(field),) * 2)
        middle = (field + right + below + corner) / 4 + rng.uniform(-reach, reach, field.shape)
        finer[::2, ::2], finer[1::2, 1::2] = field, middle
        above, before = np.roll(middle, 1, 0), np.roll(middle, 1, 1)
        finer[::2, 1::2] = (field + right + middle + above) / 4
        finer[1::2, ::2] = (field + below + middle + before) / 4
        finer[::2, 1::2] += rng.uniform(-reach, reach, field.shape)
        finer[1::2, ::2] += rng.uniform(-reach, reach, field.shape)
        field = finer
    field -= field.min()
    field /= field.max() or 1.0
    return field.astype(np.float32)


def stretched(image: Plane, height: int, width: int) -> Plane:
    """An image, ``(h, w)`` of floats or ``(h, w, 3)`` of bytes, in another size; bilinear."""
    import numpy as np
    from PIL import Image as Pillow

    resized = Pillow.fromarray(image).resize((width, height), Pillow.Resampling.BILINEAR)
    return np.asarray(resized, dtype=image.dtype)


@cache
def frost(number: int) -> Bytes:
    """One of six textures of frost, ``(256, 256, 3)``: pale ridges that thin out inwards.

    Args:
        number: 0 to 5.
    """
    import numpy as np

    rng = np.random.default_rng(number)
    ridges = 1 - np.abs(2 * plasma(rng, 1.4) - 1)
    grains = plasma(rng, 1.1)
    axis = np.linspace(-1, 1, SIDE, dtype=np.float32)
    turned = math.cos(number) * axis[:, None] + math.sin(number) * axis
    thick = np.clip(0.35 + 0.4 * np.hypot(axis[:, None], axis) + 0.2 * turned, 0, 1)
    light = np.clip(thick * (ridges**4 + 0.35 * grains), 0, 1)
    tint = np.array([0.88, 0.95, 1.0], np.float32)
    texture: Bytes = (light[..., None] * tint * 255).astype(np.uint8)
    return texture
