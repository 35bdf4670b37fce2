"""Images that a method makes: drawn when they are first needed, and kept as files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from chef.common.digest import content_digest
from chef.common.writing import write_image
from chef.embedding.cache import cache_folder
from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.method.base import Method
from chef.types import Sample

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


def image_folder(img_dir: str | None) -> Path:
    """The folder of the images of a method: ``methods`` in ``$CHEF_CACHE`` by default."""
    return Path(img_dir).expanduser() if img_dir else cache_folder() / "methods"


def image_file(folder: Path, parts: Sequence[object]) -> Path:
    """The file of an image, named by a digest of everything that decides it."""
    return folder / f"{content_digest(*map(repr, parts))}.png"


def kept_image(path: Path, make: Callable[[], Pixels], *, lazy: bool) -> Pixels:
    """The image of a file, which is made first where it is not there, or not to be trusted."""
    if not (lazy and path.is_file()):
        hint = "set img_dir of the method, or CHEF_CACHE, to a folder that can be written"
        write_image(path, make(), hint)
    return Image(path).load()


class DrawnMethod(Method):
    """A method that makes one image for each sample; implement `draw` and `decided_by`.

    The image takes the place of the sample's own. It is a PNG file, named by a digest of everything
    that decides it, so that no setting meets the images of another one.

    Args:
        method_id: the id under which it was chosen.
        img_dir: the folder of its images; default: ``methods`` in ``$CHEF_CACHE``.
        img_size: height and width of the images, in pixels.
        lazy_mode: whether an image that is in the folder is taken as it is; otherwise it is drawn
            again by every process.
        seed: of everything that is drawn at random; each sample has a stream of its own.

    Raises:
        ConfigError: a size is less than 1.
    """

    #: Changes when the same keys give other images.
    version: ClassVar[int] = 1

    def __init__(
        self,
        method_id: str,
        *,
        img_dir: str | None = None,
        img_size: list[int] | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(method_id)
        if img_size is not None and (len(img_size) != 2 or min(img_size) < 1):
            raise ConfigError(
                f"img_size is {img_size}",
                where=f"method_cfg.{method_id}.img_size",
                hint="give height and width in pixels: [224, 224]",
            )
        self.folder = image_folder(img_dir)
        self.size = None if img_size is None else (img_size[1], img_size[0])
        self.lazy_mode, self.seed = lazy_mode, seed

    @abstractmethod
    def draw(self, sample: Sample) -> Pixels:
        """The image for a sample, RGB; it is resized to ``img_size`` where that is given."""

    @abstractmethod
    def decided_by(self, sample: Sample) -> list[Any]:
        """What decides the image besides method, size and version, as plain data."""

    def transform(self, sample: Sample) -> Sample:
        if len(sample.images) > 1:
            raise SampleError(
                f"{self.method_id} makes one image, and the sample has {len(sample.images)}",
                where=f"sample '{sample.id}'",
                hint="use the method on questions with one image, or with none",
            )
        return replace(sample, images=(self._image(sample),))

    def _image(self, sample: Sample) -> Image:
        parts = [self.method_id, self.version, self.size, *self.decided_by(sample)]
        path = image_file(self.folder, parts)
        where = {"path": str(path), "method": self.method_id}
        make = partial(self._resized, sample)
        load = partial(kept_image, path, make, lazy=self.lazy_mode)
        return Image(load, name=str(path), where=where)

    def _resized(self, sample: Sample) -> Pixels:
        image = self.draw(sample)
        return image if self.size is None else image.resize(self.size)
