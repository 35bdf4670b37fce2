"""Images that have nothing to do with the question: one color, noise, or a photo of nature."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from chef.common.digest import file_digest
from chef.common.seeding import sample_rng
from chef.errors import DataError
from chef.image import Image
from chef.method.drawn import DrawnMethod
from chef.types import Sample

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

#: The size of images whose method names none, width and height in pixels.
USUAL_SIZE = (224, 224)
_ENDINGS = {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp"}


class _Seeded(DrawnMethod):
    """An image that is drawn at random, for each sample with a random stream of its own."""

    def decided_by(self, sample: Sample) -> list[Any]:
        return [self.seed, sample.id]

    def rng(self, sample: Sample) -> random.Random:
        """The random stream of a sample."""
        return sample_rng(self.seed, self.method_id, sample.id)


class Color(_Seeded):
    """An image of one color, whose channels are drawn evenly from 0 to 255."""

    def draw(self, sample: Sample) -> Pixels:
        from PIL import Image as Pillow

        rng = self.rng(sample)
        red, green, blue = (rng.randint(0, 255) for _ in range(3))
        return Pillow.new("RGB", self.size or USUAL_SIZE, (red, green, blue))


class Noise(_Seeded):
    """An image whose every pixel and channel is drawn evenly from 0 to 255."""

    def draw(self, sample: Sample) -> Pixels:
        from PIL import Image as Pillow

        size = self.size or USUAL_SIZE
        return Pillow.frombytes("RGB", size, self.rng(sample).randbytes(3 * size[0] * size[1]))


class Nature(_Seeded):
    """One of the images of a folder, drawn evenly.

    Args:
        method_id: the id under which it was chosen.
        nature_src_dir: the folder; default: ``data/unrelated_nature_images``.
        img_dir, img_size, lazy_mode, seed: as for `DrawnMethod`.

    Raises:
        DataError: (when it is first needed) there is no image in the folder.
    """

    paths: ClassVar[Sequence[str]] = ("nature_src_dir",)

    def __init__(
        self,
        method_id: str,
        *,
        nature_src_dir: str = "data/unrelated_nature_images",
        img_dir: str | None = None,
        img_size: list[int] | None = None,
        lazy_mode: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(
            method_id, img_dir=img_dir, img_size=img_size, lazy_mode=lazy_mode, seed=seed
        )
        self._source = Path(nature_src_dir).expanduser()

    @cached_property
    def files(self) -> list[Path]:
        """The images of the folder, in natural order."""
        found = [path for path in self._source.rglob("*") if path.suffix.lower() in _ENDINGS]
        if not found:
            raise DataError(
                "there is no image" if self._source.is_dir() else "there is no such folder",
                where=str(self._source),
                hint=f"give method_cfg.{self.method_id}.nature_src_dir, a folder with photos",
            )
        return sorted(found, key=lambda path: [*map(_part, re.split(r"(\d+)", str(path)))])

    def decided_by(self, sample: Sample) -> list[Any]:
        return [file_digest(self._file(sample))]

    def draw(self, sample: Sample) -> Pixels:
        return Image(self._file(sample)).load()

    def fingerprint(self) -> str:
        return "".join(map(file_digest, self.files))

    def _file(self, sample: Sample) -> Path:
        return self.rng(sample).choice(self.files)


def _part(text: str) -> tuple[int, str]:
    return (int(text), "") if text.isdecimal() else (-1, text)
