"""Images that are changed a little: each pixel by at most a bound."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from chef.errors import ConfigError
from chef.method.corruptions.base import EachImage
from chef.method.drawn import image_file, image_folder, kept_image
from chef.types import Sample

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Pixels


class PerturbedMethod(EachImage):
    """A method that changes the images of a sample; implement `perturb` and `decided_by`.

    Args:
        method_id: the id under which it was chosen.
        eps: the most that a channel of a pixel changes, as a share of its range: 0.0314 is 8/255.
            At least 1/255, at most 1; images have whole numbers, so it is rounded down to n/255.
        img_dir: the folder of its images; default: ``methods`` in ``$CHEF_CACHE``.
        lazy_mode: whether an image that is in the folder is taken as it is.
        seed: of everything that is drawn at random; each sample has a stream of its own.

    Raises:
        ConfigError: ``eps`` is out of range.

    Attributes:
        levels: the most that a channel changes, of 255.
    """

    #: Changes when the same keys give other images.
    version: ClassVar[int] = 1

    def __init__(
        self,
        method_id: str,
        *,
        eps: float = 8 / 255,
        img_dir: str | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(method_id, seed=seed)
        # 0.0313 is meant to be 8/255 as well, and floating-point 8/255 may be less than itself.
        self.levels = int(eps * 255 + 0.05) if 0 < eps <= 1 else 0
        if not self.levels:
            raise ConfigError(
                f"eps is {eps}",
                where=f"method_cfg.{method_id}.eps",
                hint="give a share of the range of a channel from 1/255 = 0.0039 to 1, such as "
                "0.0314 for 8/255",
            )
        self.lazy_mode = lazy_mode
        self.folder = image_folder(img_dir)

    @abstractmethod
    def perturb(self, pixels: NDArray[np.uint8], sample: Sample, place: int) -> NDArray[np.uint8]:
        """The changed image, ``(height, width, 3)``, 0 to 255; ``place`` is its number."""

    @abstractmethod
    def decided_by(self, sample: Sample) -> list[Any]:
        """What decides the image besides the method, the bound, the image and its place."""

    def made(self, sample: Sample, place: int) -> Pixels:
        """The changed image of a file, which is made first where it is not there."""
        import numpy as np
        from PIL import Image as Pillow

        given = sample.images[place]
        parts = [self.method_id, self.version, self.levels, given.digest, place]
        parts += self.decided_by(sample)
        return kept_image(
            image_file(self.folder, parts),
            lambda: Pillow.fromarray(self.perturb(np.asarray(given.view()), sample, place)),
            lazy=self.lazy_mode,
        )


class UniformNoise(PerturbedMethod):
    """Noise of one size: each channel of each pixel moves by ``eps`` up or down, evenly drawn.

    It is the yardstick of an adversarial perturbation of the same size, which moves most pixels by
    the whole of ``eps``, too.
    """

    def perturb(self, pixels: NDArray[np.uint8], sample: Sample, place: int) -> NDArray[np.uint8]:
        import numpy as np

        signs = self.stream(sample, place).integers(0, 2, pixels.shape) * 2 - 1
        moved = pixels + signs * self.levels
        changed: NDArray[np.uint8] = np.clip(moved, 0, 255).astype(np.uint8)
        return changed

    def decided_by(self, sample: Sample) -> list[Any]:
        return [self.seed, sample.id]
