"""What every corruption of an image is: a function of pixels, a level and a random stream.

Corruptions share kernels, filters (beyond its edges an image is mirrored) and the textures of
weather: plasma of many sizes, and six of frost, which are drawn.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from chef.common.seeding import sample_rng
from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.method.base import Method
from chef.types import Sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray
    from PIL.Image import Image as Pixels

    #: An image, ``(height, width, 3)``, 0 to 255.
    Bytes: TypeAlias = NDArray[np.uint8]
    #: An image, ``(height, width, 3)``, 0 to 1; or one of its channels, ``(height, width)``.
    Floats: TypeAlias = NDArray[np.float32]
    #: The same in any precision.
    Shares: TypeAlias = NDArray[np.floating[Any]]
    Plane = TypeVar("Plane", Floats, Bytes)

SEVERITIES = 5


def checked_severity(severity: int, method_id: str) -> int:
    """A severity from 1 to 5; else a `ConfigError`."""
    if not 1 <= severity <= SEVERITIES:
        raise ConfigError(
            f"severity is {severity}",
            where=f"method_cfg.{method_id}.severity",
            hint="give 1 (weak) to 5 (strong)",
        )
    return severity


class EachImage(Method):
    """A method that makes another image of each image of a sample, when it is first needed.

    Each image has a random stream of its own, named by the seed, the method, the sample and the
    place of the image, so it depends neither on order nor on workers.

    Args:
        seed: of everything that is drawn at random.
    """

    def __init__(self, method_id: str, *, seed: int = 0) -> None:
        super().__init__(method_id)
        self.seed = seed

    @abstractmethod
    def made(self, sample: Sample, place: int) -> Pixels:
        """What becomes of an image of the sample."""

    def transform(self, sample: Sample) -> Sample:
        if not sample.images:
            raise SampleError(
                f"{self.method_id} changes images, and the sample has none",
                where=f"sample '{sample.id}'",
                hint="use the method on a scenario with images",
            )
        images = tuple(self._image(sample, place) for place in range(len(sample.images)))
        return replace(sample, images=images)

    def stream(self, sample: Sample, place: int) -> Generator:
        """The random stream of an image."""
        import numpy as np

        rng = sample_rng(self.seed, self.method_id, sample.id, place)
        return np.random.default_rng(rng.getrandbits(64))

    def _image(self, sample: Sample, place: int) -> Image:
        image = sample.images[place]
        where = {"method": self.method_id}
        return Image(partial(self.made, sample, place), name=image.name, where=where, of=image)


class ChangedImages(EachImage):
    """A method that changes the pixels of images; implement `changed`.

    Nothing is kept as a file; ``tools/corrupt.py`` writes a whole data set.
    """

    @abstractmethod
    def changed(self, pixels: Bytes, rng: Generator) -> Bytes:
        """The changed image; both ``(height, width, 3)``, 0 to 255. ``pixels`` may be read only."""

    def made(self, sample: Sample, place: int) -> Pixels:
        import numpy as np
        from PIL import Image as Pillow

        pixels = np.asarray(sample.images[place].view())
        return Pillow.fromarray(self.changed(pixels, self.stream(sample, place)))


class Corruption(ChangedImages):
    """A corruption with five severities; a subclass gives `levels` and `corrupted`.

    Args:
        severity: 1 (weak) to 5 (strong).

    Raises:
        ConfigError: there is no such severity.
    """

    #: What ChEF calls it in ``Image_Corruptions_info.json``.
    title: ClassVar[str]
    #: The parameters of each severity.
    levels: ClassVar[Sequence[Any]]

    def __init__(self, method_id: str, *, severity: int = 3, seed: int = 0) -> None:
        super().__init__(method_id, seed=seed)
        self.severity = checked_severity(severity, method_id)

    @staticmethod
    @abstractmethod
    def corrupted(pixels: Bytes, level: Any, rng: Generator) -> Bytes:
        """The corrupted image, ``(height, width, 3)``, 0 to 255, at one of `levels`."""

    def changed(self, pixels: Bytes, rng: Generator) -> Bytes:
        return self.corrupted(pixels, self.levels[self.severity - 1], rng)


def to_floats(pixels: Bytes) -> Floats:
    """Levels 0 to 255 as shares 0 to 1."""
    import numpy as np

    return pixels.astype(np.float32) / np.float32(255)


def to_bytes(values: Shares) -> Bytes:
    """Shares as levels, rounded; what lies beyond 0 to 1 is cut off."""
    import numpy as np

    levels: Bytes = np.rint(np.clip(values, 0, 1) * 255).astype(np.uint8)
    return levels


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


def plasma(rng: Generator, decay: float) -> Floats:
    """A random height field, ``(SIDE, SIDE)`` in 0..1, whose edges fit together.

    Each halving of the distance between known points adds a random height, whose range is divided
    by ``decay`` (above 1) each time (midpoint displacement). Source: Fournier, Fussell and
    Carpenter 1982, "Computer Rendering of Stochastic Models".
    """
    import numpy as np

    field = np.zeros((1, 1))
    reach = 1.0
    while len(field) < SIDE:
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
