"""Changes of size and direction, with ChEF's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from chef.method.corruptions.base import Corruption

if TYPE_CHECKING:
    from numpy.random import Generator

    from chef.method.corruptions.base import Bytes


class CenterCrop(Corruption):
    """The middle of the image; a level is the share of both sides that is cut off.

    Args:
        method_id, severity, seed: as for `Corruption`; nothing is drawn at random.
    """

    title = "Center_crop"
    levels: ClassVar = (0.02, 0.04, 0.06, 0.08, 0.10)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        del rng
        height, width = (max(1, int(side * (1 - level))) for side in pixels.shape[:2])
        top, left = (pixels.shape[0] - height) // 2, (pixels.shape[1] - width) // 2
        return pixels[top : top + height, left : left + width].copy()


class ResizeX(Corruption):
    """The width is multiplied with 1 plus or minus a level, either as likely; bilinear.

    Args:
        method_id, severity, seed: as for `Corruption`.
    """

    title = "Resize_x"
    levels: ClassVar = (0.1, 0.2, 0.3, 0.4, 0.5)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        return _resized(pixels, 1 + _signed(level, rng), 1)


class ResizeY(Corruption):
    """The height is multiplied with 1 plus or minus a level, either as likely; bilinear.

    Args:
        method_id, severity, seed: as for `Corruption`.
    """

    title = "Resize_y"
    levels: ClassVar = ResizeX.levels

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        return _resized(pixels, 1, 1 + _signed(level, rng))


class Rotate(Corruption):
    """The image is turned by a level in degrees, to either side; it grows, and corners are black.

    Args:
        method_id, severity, seed: as for `Corruption`.
    """

    title = "Rotate"
    levels: ClassVar = (8, 16, 24, 32, 40)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np
        from PIL import Image as Pillow

        turned = Pillow.fromarray(pixels).rotate(
            _signed(level, rng), Pillow.Resampling.BILINEAR, expand=True
        )
        return np.asarray(turned)


def _signed(level: float, rng: Generator) -> float:
    return level if rng.random() < 0.5 else -level


def _resized(pixels: Bytes, across: float, down: float) -> Bytes:
    import numpy as np
    from PIL import Image as Pillow

    image = Pillow.fromarray(pixels)
    size = max(1, round(image.width * across)), max(1, round(image.height * down))
    return np.asarray(image.resize(size, Pillow.Resampling.BILINEAR))
