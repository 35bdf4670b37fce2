"""Noise changes each channel of each pixel by chance; blur makes each pixel a mean of those around.

The tables are those of CIFAR-10-C (Hendrycks and Dietterich 2019, "Benchmarking Neural Network
Robustness to Common Corruptions and Perturbations"), which ChEF uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from chef.method.corruptions.base import (
    Corruption,
    disk_kernel,
    filtered,
    motion_kernel,
    smoothed,
    to_bytes,
    to_floats,
    zoomed,
)

if TYPE_CHECKING:
    from numpy.random import Generator

    from chef.method.corruptions.base import Bytes, Floats


class GaussianNoise(Corruption):
    """Each value gets a normal error; a level is its standard deviation, a share of the range."""

    title = "Gaussian Noise"
    levels: ClassVar = (0.04, 0.06, 0.08, 0.09, 0.10)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np

        values = to_floats(pixels)
        values += np.float32(level) * rng.standard_normal(pixels.shape, np.float32)
        return to_bytes(values)


class ShotNoise(Corruption):
    """Each value v becomes a count of light particles, ``Poisson(v * level) / level``."""

    title = "Shot Noise"
    levels: ClassVar = (500, 250, 100, 75, 50)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np

        counts = np.empty(pixels.shape, np.float32)
        for row, line in enumerate(pixels):  # counts are eight bytes each
            counts[row] = rng.poisson(line * (level / 255))
        return to_bytes(counts / np.float32(level))


class ImpulseNoise(Corruption):
    """A share of the values, a level, becomes 0 or 1, either as likely."""

    title = "Impulse Noise"
    levels: ClassVar = (0.01, 0.02, 0.03, 0.05, 0.07)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np

        drawn = rng.random(pixels.shape, np.float32)
        changed = pixels.copy()
        changed[drawn < level] = 255
        changed[drawn < level / 2] = 0
        return changed


class SpeckleNoise(Corruption):
    """Each value is multiplied with 1 plus a normal error; a level is its standard deviation."""

    title = "Speckle Noise"
    levels: ClassVar = (0.06, 0.10, 0.12, 0.16, 0.20)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np

        values = to_floats(pixels)
        values *= 1 + np.float32(level) * rng.standard_normal(pixels.shape, np.float32)
        return to_bytes(values)


class DefocusBlur(Corruption):
    """The mean over a disk with soft edges; levels are its radius and the sigma of its edge.

    For this, nothing is drawn at random.
    """

    title = "Defocus Blur"
    levels: ClassVar = ((0.3, 0.4), (0.4, 0.5), (0.5, 0.6), (1, 0.2), (1.5, 0.1))

    @staticmethod
    def corrupted(pixels: Bytes, level: tuple[float, float], rng: Generator) -> Bytes:
        del rng
        return to_bytes(filtered(to_floats(pixels), disk_kernel(*level)))


class GlassBlur(Corruption):
    """Pixels change places with near ones, between two Gaussian filters, as behind frosted glass.

    Levels are the sigma of the filters, how far pixels move to each side, and how often. Pixels
    move all over the image; ChEF moved those of the upper left corner alone.
    """

    title = "Glass Blur"
    levels: ClassVar = ((0.05, 1, 1), (0.25, 1, 1), (0.4, 1, 1), (0.25, 1, 2), (0.4, 1, 2))

    @staticmethod
    def corrupted(pixels: Bytes, level: tuple[float, int, int], rng: Generator) -> Bytes:
        sigma, reach, times = level
        image = to_bytes(smoothed(to_floats(pixels), sigma))
        for _ in range(times):
            _shuffle(image, reach, rng)
        return to_bytes(smoothed(to_floats(image), sigma))


def _shuffle(image: Bytes, reach: int, rng: Generator) -> None:
    """Let pixels off the edges change places with one at most ``reach`` away, grid after grid."""
    import numpy as np

    height, width = image.shape[:2]
    step = 2 * reach + 1
    order = np.arange(height * width, dtype=np.intp)
    for top in range(reach, min(height, reach + step)):
        for left in range(reach, min(width, reach + step)):
            rows = np.arange(top, height - reach, step)[:, None]
            columns = np.arange(left, width - reach, step)[None, :]
            here = (rows * width + columns).ravel()
            down, right = rng.integers(-reach, reach + 1, (2, here.size))
            there = here + down * width + right
            order[here], order[there] = order[there], order[here]
    image[:] = image.reshape(-1, 3)[order].reshape(image.shape)


class MotionBlur(Corruption):
    """The mean along a line of a drawn angle, -45 to 45 degrees; levels are radius and sigma."""

    title = "Motion Blur"
    levels: ClassVar = ((6, 1), (6, 1.5), (6, 2), (8, 2), (9, 2.5))

    @staticmethod
    def corrupted(pixels: Bytes, level: tuple[float, float], rng: Generator) -> Bytes:
        return to_bytes(filtered(to_floats(pixels), motion_kernel(*level, rng.uniform(-45, 45))))


class ZoomBlur(Corruption):
    """The mean of the image and its enlargements by 1.00, 1.01, ... below a level.

    For this, nothing is drawn at random.
    """

    title = "Zoom Blur"
    levels: ClassVar = (1.06, 1.11, 1.16, 1.21, 1.26)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        del rng
        count = round((level - 1) * 100)
        total: Floats = to_floats(pixels)
        for place in range(count):
            total += to_floats(zoomed(pixels, 1 + place / 100))
        return to_bytes(total / (count + 1))


class GaussianBlur(Corruption):
    """A Gaussian filter within rows and columns; a level is its sigma in pixels.

    For this, nothing is drawn at random.
    """

    title = "Gaussian Blur"
    levels: ClassVar = (0.4, 0.6, 0.7, 0.8, 1.0)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        del rng
        return to_bytes(smoothed(to_floats(pixels), level))
