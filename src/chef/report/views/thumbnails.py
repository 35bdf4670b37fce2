"""Small versions of images, made once and kept in the run folder."""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path

from chef.errors import RunError
from chef.guard.folder import has_file, make_folder, read_bytes, replaced
from chef.image import Image

FOLDER = "thumbnails"
#: The longest side, in pixels, and the quality of WebP (0 to 100).
SIDE, QUALITY = 320, 70
#: An image with no longer side loses nothing; nor does one that fits and is drawn, not a file.
_EXACT_SIDE = 96
#: The most bytes of a thumbnail; these have a tenth of it.
_LARGEST = 2**20
#: The names of images: their digests.
_KEY = re.compile(r"[0-9a-f]{32}")


class Thumbnails:
    """The thumbnails of one run, by the digests of their images.

    They are files of the run folder, so that the next page decodes no image again. Where the
    folder cannot be written, or is a link, they are made in a temporary folder that ends with this
    object. No link is followed: a run folder from elsewhere may have one to any file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._spare: tempfile.TemporaryDirectory[str] | None = None

    def has(self, key: str) -> bool:
        """Whether there is a thumbnail of an image."""
        return any(has_file(file, below=2) for file in self._files(key))

    def add(self, key: str, image: Image) -> None:
        """Make the thumbnail of an image; ImageError if unreadable, RunError for a full disk."""
        data = thumbnail(image)
        if self._spare is None:
            try:
                make_folder(self._folder)
                _write(self._folder / f"{key}.webp", data)
            except OSError:
                self._spare = tempfile.TemporaryDirectory(prefix="chef-thumbnails-")
            else:
                return
        file = Path(self._spare.name) / f"{key}.webp"
        try:
            _write(file, data)
        except OSError as error:
            what = f"an image cannot be written ({error.strerror or error})"
            raise RunError(what, where=str(file), hint="free disk space") from error

    def read(self, key: str) -> bytes | None:
        """The thumbnail of an image, as WebP; None where there is none."""
        for file in self._files(key):
            try:
                data = read_bytes(file, _LARGEST, below=2)
            except OSError:
                continue
            if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
                return data
        return None

    def _files(self, key: str) -> list[Path]:
        """Where a thumbnail may be; a key that is no digest is nowhere."""
        if not _KEY.fullmatch(key):
            return []
        spare = [] if self._spare is None else [Path(self._spare.name)]
        return [folder / f"{key}.webp" for folder in (self._folder, *spare)]


def _write(file: Path, data: bytes) -> None:
    with replaced(file, below=2) as stream:
        stream.write(data)


def thumbnail(image: Image) -> bytes:
    """An image as WebP whose longest side has at most `SIDE` pixels; ImageError if unreadable.

    A small one, and a drawn one that fits, keeps every pixel (`is_exact`).
    """
    pixels = image.view().copy()
    longest = max(pixels.size)
    is_drawn = not isinstance(image.source, str | Path | bytes)
    pixels.thumbnail((SIDE, SIDE))
    encoded = io.BytesIO()
    if longest <= (SIDE if is_drawn else _EXACT_SIDE):
        pixels.save(encoded, "WEBP", lossless=True, quality=0, method=0)
    else:
        pixels.save(encoded, "WEBP", quality=QUALITY)
    return encoded.getvalue()


def is_exact(data: bytes) -> bool:
    """Whether a thumbnail has every pixel of its image: it is WebP without loss."""
    return data[12:16] == b"VP8L"
