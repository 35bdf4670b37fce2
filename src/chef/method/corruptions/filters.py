"""Kernels, and filters with them; beyond its edges an image is mirrored."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from chef.method.corruptions.base import Bytes, Floats

    Plane = TypeVar("Plane", Floats, Bytes)


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
