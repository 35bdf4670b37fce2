"""Weather before the lens. The tables are those of CIFAR-10-C."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from chef.method.corruptions.base import (
    FROSTS,
    Corruption,
    filtered,
    frost,
    motion_kernel,
    plasma,
    smoothed,
    stretched,
    to_bytes,
    to_floats,
    zoomed,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray

    from chef.method.corruptions.base import Bytes, Floats

#: The weights of the channels in brightness (ITU-R BT.601).
_LUMA = (0.299, 0.587, 0.114)
#: The colors of water and of mud.
_WATER, _MUD = (175, 238, 238), (63, 42, 20)


class _Flakes(NamedTuple):
    """Mean and deviation of the field, its zoom, what of it is snow, the motion, the mixture."""

    mean: float
    deviation: float
    zoom: float
    least: float
    radius: float
    sigma: float
    mix: float


class Snow(Corruption):
    """Flakes that fall at an angle of -135 to -45 degrees, over a paler image.

    Flakes are what exceeds a threshold in an enlarged field of normal noise, blurred along their
    way; they are added once, and once turned by 180 degrees.
    """

    title = "Snow"
    levels: ClassVar = (
        _Flakes(0.1, 0.2, 1, 0.6, 8, 3, 0.95),
        _Flakes(0.1, 0.2, 1, 0.5, 10, 4, 0.9),
        _Flakes(0.15, 0.3, 1.75, 0.55, 10, 4, 0.9),
        _Flakes(0.25, 0.3, 2.25, 0.6, 12, 6, 0.85),
        _Flakes(0.3, 0.3, 1.25, 0.65, 14, 12, 0.8),
    )

    @staticmethod
    def corrupted(pixels: Bytes, level: _Flakes, rng: Generator) -> Bytes:
        import numpy as np

        image = to_floats(pixels)
        field = rng.standard_normal(image.shape[:2], np.float32)
        field = zoomed(level.mean + level.deviation * field, level.zoom).copy()
        field[field < level.least] = 0
        kernel = motion_kernel(level.radius, level.sigma, rng.uniform(-135, -45))
        flakes = filtered(np.clip(field, 0, 1), kernel)[..., None]
        gray = (image @ np.array(_LUMA, np.float32))[..., None]
        pale = level.mix * image + (1 - level.mix) * np.maximum(image, gray * 1.5 + 0.5)
        return to_bytes(pale + flakes + flakes[::-1, ::-1])


class Frost(Corruption):
    """A texture of frost over the image; levels are the weights of image and frost.

    One of six drawn textures is stretched over the image. ChEF's six photographs of frost do not
    come with chef.
    """

    title = "Frost"
    levels: ClassVar = ((1, 0.2), (1, 0.3), (0.9, 0.4), (0.85, 0.4), (0.75, 0.45))

    @staticmethod
    def corrupted(pixels: Bytes, level: tuple[float, float], rng: Generator) -> Bytes:
        texture = to_floats(stretched(frost(int(rng.integers(FROSTS))), *pixels.shape[:2]))
        return to_bytes(level[0] * to_floats(pixels) + level[1] * texture)


class Fog(Corruption):
    """Plasma is added, and the sum darkened to the range of the image; levels: amount and decay."""

    title = "Fog"
    levels: ClassVar = ((0.2, 3), (0.5, 3), (0.75, 2.5), (1, 2), (1.5, 1.75))

    @staticmethod
    def corrupted(pixels: Bytes, level: tuple[float, float], rng: Generator) -> Bytes:
        amount, decay = level
        image = to_floats(pixels)
        brightest = float(image.max())
        fog = stretched(plasma(rng, decay), *pixels.shape[:2])[..., None]
        return to_bytes((image + amount * fog) * (brightest / (brightest + amount)))


class Brightness(Corruption):
    """The value of each pixel (V of HSV) rises by a level; hue and saturation stay.

    For this, nothing is drawn at random.
    """

    title = "Brightness"
    levels: ClassVar = (0.05, 0.10, 0.15, 0.20, 0.30)

    @staticmethod
    def corrupted(pixels: Bytes, level: float, rng: Generator) -> Bytes:
        import numpy as np

        del rng
        image = to_floats(pixels)
        value = image.max(axis=2, keepdims=True)
        raised = np.minimum(value + np.float32(level), 1)
        ratio = raised / np.where(value > 0, value, 1)
        return to_bytes(np.where(value > 0, image * ratio, raised))


class _Drops(NamedTuple):
    """Mean and deviation of the field, its sigma, what of it is wet, strength, whether mud."""

    mean: float
    deviation: float
    sigma: float
    least: float
    strength: float
    is_mud: bool


class Spatter(Corruption):
    """Drops on the lens: of water, which catches the light at its edges, or of mud.

    Drops are what exceeds a threshold in a smoothed field of normal noise. Water is added by how
    deep a drop is, times how near its edge is (up to 20 pixels); mud covers what is under it.
    """

    title = "Spatter"
    levels: ClassVar = (
        _Drops(0.62, 0.1, 0.7, 0.7, 0.5, is_mud=False),
        _Drops(0.65, 0.1, 0.8, 0.7, 0.5, is_mud=False),
        _Drops(0.65, 0.3, 1, 0.69, 0.5, is_mud=False),
        _Drops(0.65, 0.1, 0.7, 0.69, 0.6, is_mud=True),
        _Drops(0.65, 0.1, 0.5, 0.68, 0.6, is_mud=True),
    )

    @staticmethod
    def corrupted(pixels: Bytes, level: _Drops, rng: Generator) -> Bytes:
        import numpy as np

        image = to_floats(pixels)
        noise = rng.standard_normal(image.shape[:2], np.float32)
        field = smoothed(level.mean + level.deviation * noise, level.sigma)
        wet = field >= level.least
        color = np.array(_MUD if level.is_mud else _WATER, np.float32) / 255
        if level.is_mud:
            cover = smoothed(wet.astype(np.float32), level.strength)
            cover = np.where(cover < 0.8, 0, cover)[..., None].astype(np.float32)
            return to_bytes(image * (1 - cover) + color * cover)
        return to_bytes(image + level.strength * _light(field, wet)[..., None] * color)


def _light(field: Floats, wet: NDArray[np.bool_]) -> Floats:
    """How bright drops are, 0 to 1: ``(height, width)``."""
    import numpy as np
    from scipy.ndimage import distance_transform_edt

    depth = np.where(wet, field, 0)
    edges = np.hypot(*(np.gradient(depth, axis=axis) if depth.shape[axis] > 1 else depth * 0
                       for axis in (0, 1))) > 0.2  # fmt: skip
    far = distance_transform_edt(~edges) if edges.any() else np.full(depth.shape, 20.0)
    light = depth * (1 - np.minimum(far, 20) / 20)
    shown: Floats = (light / (light.max() or 1)).astype(np.float32)
    return shown
