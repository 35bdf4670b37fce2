"""Noise: each channel of each pixel changes by chance, independently of the others.

The tables are those of CIFAR-10-C (Hendrycks and Dietterich 2019, "Benchmarking Neural Network
Robustness to Common Corruptions and Perturbations"), which ChEF uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from chef.method.corruptions.base import Corruption, to_bytes, to_floats

if TYPE_CHECKING:
    from numpy.random import Generator

    from chef.method.corruptions.base import Bytes


class GaussianNoise(Corruption):
    """Each value gets a normal error; a level is its standard deviation, as a share of the range.

    Args:
        method_id, severity, seed: as for `Corruption`.
    """

    title = "Gaussian Noise"
    levels: ClassVar = (0.04, 0.06, 0.08, 0.09, 0.10)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np

        values = to_floats(pixels)
        values += np.float32(level) * rng.standard_normal(pixels.shape, np.float32)
        return to_bytes(values)


class ShotNoise(Corruption):
    """Each value v becomes a count of light particles, ``Poisson(v * level) / level``.

    Args:
        method_id, severity, seed: as for `Corruption`.
    """

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
    """A share of the values, a level, becomes 0 or 1, either as likely.

    Args:
        method_id, severity, seed: as for `Corruption`.
    """

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
    """Each value is multiplied with 1 plus a normal error; a level is its standard deviation.

    Args:
        method_id, severity, seed: as for `Corruption`.
    """

    title = "Speckle Noise"
    levels: ClassVar = (0.06, 0.10, 0.12, 0.16, 0.20)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np

        values = to_floats(pixels)
        values *= 1 + np.float32(level) * rng.standard_normal(pixels.shape, np.float32)
        return to_bytes(values)
