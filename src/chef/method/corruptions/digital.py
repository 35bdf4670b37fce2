"""What cameras and files do to images, and changes of size and direction.

The tables are those of CIFAR-10-C, and for size and direction ChEF's.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, ClassVar

from chef.method.corruptions.base import Corruption, smoothed, to_bytes, to_floats

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray

    from chef.method.corruptions.base import Bytes, Floats

#: The unit of the elastic transform in pixels, whatever the size of the image.
_UNIT = 32


class Contrast(Corruption):
    """The distance of each value to the mean of its channel is multiplied with a level.

    For this, nothing is drawn at random.
    """

    title = "Contrast"
    levels: ClassVar = (0.75, 0.5, 0.4, 0.3, 0.15)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np

        del rng
        image = to_floats(pixels)
        means = image.mean(axis=(0, 1), dtype=np.float64).astype(np.float32)
        return to_bytes((image - means) * np.float32(level) + means)


class ElasticTransform(Corruption):
    """Pixels are moved by a smooth random field, after a random affine map.

    Levels are the strength of the field, its sigma, and how far the three points of the affine map
    move, in units of 32 pixels. Source: Simard, Steinkraus and Platt 2003, "Best Practices for
    Convolutional Neural Networks Applied to Visual Document Analysis".
    """

    title = "Elastic"
    levels: ClassVar = (
        (0, 0, 0.08), (0.05, 0.2, 0.07), (0.08, 0.06, 0.06), (0.1, 0.04, 0.05), (0.1, 0.03, 0.03)
    )  # fmt: skip

    @staticmethod
    def corrupted(pixels: Bytes, level: tuple[float, float, float], rng: Generator) -> Bytes:
        import numpy as np
        from scipy.ndimage import map_coordinates

        height, width = pixels.shape[:2]
        strength, sigma, reach = (_UNIT * part for part in level)
        matrix = _affine(height, width, reach, rng)
        rows, columns = np.arange(height)[:, None], np.arange(width)[None, :]
        places = []
        for axis in (0, 1):
            mapped = matrix[0, axis] * rows + matrix[1, axis] * columns + matrix[2, axis]
            place = mapped.astype(np.float32)
            if strength:
                noise = rng.random((height, width), np.float32) * 2 - 1
                place += np.float32(strength) * smoothed(noise, sigma)
            places.append(place)
        where = np.stack(places)
        image = to_floats(pixels)
        moved = np.empty_like(image)
        for channel in range(3):
            map_coordinates(image[..., channel], where, moved[..., channel], 1, mode="reflect")
        return to_bytes(moved)


def _affine(height: int, width: int, reach: float, rng: Generator) -> NDArray[np.float64]:
    """Where the pixels of the result come from: ``(row, column, 1) @ matrix``, ``(3, 2)``."""
    import numpy as np

    size = min(height, width) / 3
    middle = np.array([height / 2, width / 2])
    corners = middle + size * np.array([[1, 1], [-1, 1], [-1, -1]])
    moved = corners + rng.uniform(-reach, reach, (3, 2))
    ones = np.ones((3, 1))
    if abs(np.linalg.det(np.hstack([moved, ones]))) < size**2:  # three points nearly on a line
        moved = corners + (moved - corners).mean(axis=0)
    matrix: NDArray[np.float64]
    matrix = np.linalg.solve(np.hstack([moved, ones]), corners).astype(np.float64)
    return matrix


class Pixelate(Corruption):
    """The image is reduced to a level of its sides and enlarged again, without smoothing.

    For this, nothing is drawn at random.
    """

    title = "Pixelate"
    levels: ClassVar = (0.95, 0.90, 0.85, 0.75, 0.65)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np
        from PIL import Image as Pillow

        del rng
        image = Pillow.fromarray(pixels)
        sides = [max(1, int(side * level)) for side in image.size]
        nearest = Pillow.Resampling.NEAREST
        return np.asarray(image.resize((sides[0], sides[1]), nearest).resize(image.size, nearest))


class Jpeg(Corruption):
    """The image is stored as a JPEG file; a level is its quality; nothing is drawn at random."""

    title = "JPEG"
    levels: ClassVar = (80, 65, 58, 50, 40)

    @staticmethod
    def corrupted(pixels: Bytes, level: int, rng: Generator) -> Bytes:
        import numpy as np
        from PIL import Image as Pillow

        del rng
        file = io.BytesIO()
        Pillow.fromarray(pixels).save(file, "JPEG", quality=level)
        return np.asarray(Pillow.open(file).convert("RGB"))


class Saturate(Corruption):
    """The saturation of each pixel (S of HSV) becomes ``S * scale + shift``; nothing is drawn."""

    title = "Saturate"
    levels: ClassVar = ((0.3, 0), (0.1, 0), (1.5, 0), (2, 0.1), (2.5, 0.2))

    @staticmethod
    def corrupted(pixels: Bytes, level: tuple[float, float], rng: Generator) -> Bytes:
        import numpy as np

        del rng
        image: Floats = to_floats(pixels)
        value = image.max(axis=2, keepdims=True)
        range_ = value - image.min(axis=2, keepdims=True)
        now = np.clip(range_ / np.where(value > 0, value, 1) * level[0] + level[1], 0, 1)
        gray = range_ == 0
        # How far each channel lies below the value, as a share; the hue of gray is red (HSV).
        below = np.where(gray, np.array([0, 1, 1]), (value - image) / np.where(gray, 1, range_))
        return to_bytes((value * (1 - now * below)).astype(np.float32))


class CenterCrop(Corruption):
    """The middle of the image; a level is the share of both sides that is cut off.

    For this, nothing is drawn at random.
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
    """The width is multiplied with 1 plus or minus a level, either as likely; bilinear."""

    title = "Resize_x"
    levels: ClassVar = (0.1, 0.2, 0.3, 0.4, 0.5)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        return _resized(pixels, 1 + _signed(level, rng), 1)


class ResizeY(Corruption):
    """The height is multiplied with 1 plus or minus a level, either as likely; bilinear."""

    title = "Resize_y"
    levels: ClassVar = ResizeX.levels

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        return _resized(pixels, 1, 1 + _signed(level, rng))


class Rotate(Corruption):
    """The image is turned by a level in degrees, to either side; it grows, with black corners."""

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
