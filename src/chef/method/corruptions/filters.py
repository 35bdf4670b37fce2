"""Kernels, filters (beyond its edges an image is mirrored) and the textures of weather.

These are plasma of many sizes, and six of frost, which are drawn.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from chef.method.corruptions.base import Bytes, Floats

    Plane = TypeVar("Plane", Floats, Bytes)
    from numpy.random import Generator


def filtered(image: Floats, kernel: Floats) -> Floats:
    """The correlation of ``(height, width[, 3])`` with ``(2 r + 1, 2 r + 1)``, of the same size."""
    import numpy as np

    reach = kernel.shape[0] // 2
    sides = [(reach, reach)] * 2 + [(0, 0)] * (image.ndim - 2)
    wide = np.pad(image, sides, mode="symmetric")
    height, width = image.shape[:2]
    total = np.zeros_like(image)
    for row, column in zip(*np.nonzero(kernel), strict=True):
        total += kernel[row, column] * wide[row : row + height, column : column + width]
    return total


def smoothed(image: Floats, sigma: float) -> Floats:
    """An image after a Gaussian filter within its rows and columns, never across channels."""
    if not sigma:
        return image
    from scipy.ndimage import gaussian_filter

    sigmas = (sigma, sigma, *([0] * (image.ndim - 2)))
    filtered_image: Floats = gaussian_filter(image, sigmas, mode="reflect")
    return filtered_image


def disk_kernel(radius: float, alias: float) -> Floats:
    """A disk of a radius in pixels, softened by a Gaussian of sigma ``alias``: the sum is 1."""
    import numpy as np

    reach = math.floor(radius) + 1
    axis = np.arange(-reach, reach + 1, dtype=np.float32)
    disk = (axis[:, None] ** 2 + axis**2 <= radius**2).astype(np.float32)
    side = np.exp(-(np.arange(-1, 2, dtype=np.float32) ** 2) / (2 * alias**2))
    soft = filtered(np.pad(disk, 1), np.outer(side, side))
    kernel: Floats = soft / soft.sum()
    return kernel


def motion_kernel(radius: float, sigma: float, angle: float) -> Floats:
    """A line of ``2 radius`` pixels at an angle in degrees, fading like a Gaussian; sum 1."""
    import numpy as np

    # Beyond five sigmas nothing is left.
    taps = np.arange(0, min(2 * math.ceil(radius), math.ceil(5 * sigma)) + 1)
    weights = np.exp(-(taps**2) / (2 * sigma**2))
    down, right = (taps * function(math.radians(angle)) for function in (math.sin, math.cos))
    reach = int(taps[-1]) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    top, left = np.floor(down).astype(int), np.floor(right).astype(int)
    for below in (0, 1):
        for beside in (0, 1):  # each tap is shared among the four pixels around it
            share = abs(1 - below - (down - top)) * abs(1 - beside - (right - left))
            np.add.at(kernel, (reach + top + below, reach + left + beside), weights * share)
    kernel /= kernel.sum()
    return kernel


def zoomed(image: Plane, factor: float) -> Plane:
    """The middle of an image (floats or bytes), enlarged 1 or more times to its size; bilinear."""
    import numpy as np
    from PIL import Image as Pillow

    height, width = image.shape[:2]
    left, top = (width - width / factor) / 2, (height - height / factor) / 2
    box = (left, top, width - left, height - top)
    bilinear = Pillow.Resampling.BILINEAR
    enlarged = Pillow.fromarray(image).resize((width, height), bilinear, box=box)
    return np.asarray(enlarged, dtype=image.dtype)


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
