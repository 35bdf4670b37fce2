"""What every corruption of an image is: a function of pixels, a level and a random stream."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

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
        where = {"method": self.method_id, "of": image.where}
        return Image(partial(self.made, sample, place), name=image.name, where=where)


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
