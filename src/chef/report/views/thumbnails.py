"""Small versions of images, made once and kept in the run folder."""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path

from chef.common.image_file import write_image
from chef.errors import RunError
from chef.files import read_bytes
from chef.image import Image

FOLDER = "thumbnails"
#: The longest side, in pixels, and the quality of WebP (0 to 100).
SIDE, QUALITY = 320, 70
#: The most bytes of a thumbnail; these have a tenth of it.
_LARGEST = 2**20
#: The names of images: their digests.
_KEY = re.compile(r"[0-9a-f]{32}")


class Thumbnails:
    """The thumbnails of one run, by the digests of their images.

    They are files of the run folder, so that the next page decodes no image again. Where the
    folder cannot be written, or is a link, they are made in a temporary folder that ends with this
    object. No link is followed: a run folder from elsewhere may have one to any file.

    Args:
        folder: the run folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._spare: tempfile.TemporaryDirectory[str] | None = None
        if self._folder.is_symlink():
            self._use_spare()

    def has(self, key: str) -> bool:
        """Whether there is a thumbnail of an image."""
        return any(file.is_file() and not file.is_symlink() for file in self._files(key))

    def add(self, key: str, image: Image) -> None:
        """Make the thumbnail of an image.

        Raises:
            ImageError: the image cannot be read.
        """
        data = thumbnail(image)
        try:
            if self._spare is None:
                write_image(self._folder / f"{key}.webp", data, "make the folder writable")
                return
        except RunError:
            self._use_spare()
        assert self._spare is not None
        write_image(Path(self._spare.name) / f"{key}.webp", data, "free disk space")

    def _use_spare(self) -> None:
        self._spare = tempfile.TemporaryDirectory(prefix="chef-thumbnails-")

    def read(self, key: str) -> bytes | None:
        """The thumbnail of an image, as WebP; None where there is none."""
        for file in self._files(key):
            if file.is_symlink():
                continue
            try:
                data = read_bytes(file, _LARGEST)
            except OSError:
                continue
            if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
                return data
        return None

    def _files(self, key: str) -> list[Path]:
        """Where a thumbnail may be; a key that is no digest is nowhere."""
        if not _KEY.fullmatch(key):
            return []
        own = [] if self._folder.is_symlink() else [self._folder]
        spare = [] if self._spare is None else [Path(self._spare.name)]
        return [folder / f"{key}.webp" for folder in (*own, *spare)]


def thumbnail(image: Image) -> bytes:
    """An image as WebP whose longest side has at most `SIDE` pixels.

    Raises:
        ImageError: the image cannot be read.
    """
    pixels = image.view().copy()
    pixels.thumbnail((SIDE, SIDE))
    encoded = io.BytesIO()
    pixels.save(encoded, "WEBP", quality=QUALITY)
    return encoded.getvalue()
