"""Pictures in full, and small versions that are made once and kept in the run folder."""

from __future__ import annotations

import io
import os
import re
import tempfile
import weakref
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

from chef.common.writing import append
from chef.errors import RunError
from chef.guard.folder import files_in, make_folder, open_descriptor, read_bytes
from chef.image import Image

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

FOLDER = "thumbnails"
#: The longest side, in pixels, and the quality of WebP (0 to 100).
SIDE, WEBP_QUALITY = 320, 70
#: An image with no longer side loses nothing; nor does one that fits and is drawn, not a file.
_EXACT_SIDE = 96
#: The most bytes of a thumbnail; these have a tenth of it.
_LARGEST = 2**20
#: Files of many thumbnails, each after the digest of its image; earlier versions wrote one a file.
_MANY, _ONE = ".webps", ".webp"
#: The bytes of a digest, and of WebP those that tell its size.
_DIGEST, _HEAD = 16, 12
#: The names of such a file: digests in hex.
_KEY = re.compile(r"[0-9a-f]{32}")
#: So many are held in memory, as a page asks for those of a sample several times.
_HELD = 64


class Thumbnails:
    """The thumbnails of one run, by the digests of their images.

    They are in files of the run folder, so that the next page decodes no image again. Where the
    folder cannot be written, or is a link, they are in a temporary file that ends with this object.
    No link is followed: a run folder from elsewhere may have one to any file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._held: dict[str, bytes | None] = {}

    def has(self, key: str) -> bool:
        """Whether there is a thumbnail of an image."""
        return key in self._places

    def add(self, key: str, image: Image) -> None:
        """Make the thumbnail of an image; ImageError if unreadable, RunError for a full disk."""
        data = thumbnail(image)
        try:
            start = os.lseek(self._new, 0, os.SEEK_END) + _DIGEST
            append(self._new, bytes.fromhex(key) + data)
        except OSError as error:
            what = f"an image cannot be written ({error.strerror or error})"
            raise RunError(what, where=str(self._folder), hint="free disk space") from error
        self._places[key] = self._new, start, len(data)
        self._hold(key, data)

    def read(self, key: str) -> bytes | None:
        """The thumbnail of an image, as WebP; None where there is none."""
        if key not in self._held:
            self._hold(key, self._stored(key))
        return self._held[key]

    def size(self, key: str, image: Image) -> tuple[int, int]:
        """Width and height of an image with a thumbnail; ImageError if unreadable.

        One that would have to be drawn for it is not, if its thumbnail has every pixel.
        """
        data = self.read(key) if _is_drawn(image) else None
        if data is None or not is_exact(data):
            return image.size
        sides = int.from_bytes(data[21:25], "little")  # 14 bits each, and less by one
        return (sides & 0x3FFF) + 1, (sides >> 14 & 0x3FFF) + 1

    def _hold(self, key: str, data: bytes | None) -> None:
        if len(self._held) >= _HELD:
            del self._held[next(iter(self._held))]
        self._held[key] = data

    def _stored(self, key: str) -> bytes | None:
        if key not in self._places:
            return None
        if (place := self._places[key]) is not None:
            file, start, size = place
            return os.pread(file, size, start)
        try:
            data = read_bytes(self._folder / f"{key}{_ONE}", _LARGEST, below=2)
        except OSError:
            return None
        return data if 0 < _size_of(data) <= len(data) else None

    @cached_property
    def _places(self) -> dict[str, tuple[int, int, int] | None]:
        """Of each thumbnail its file, where it begins there, and its bytes; None: one of a file."""
        places: dict[str, tuple[int, int, int] | None] = {}
        with suppress(OSError):
            for name in sorted(files_in(self._folder)):
                if name.endswith(_MANY):
                    places |= _places_in(self._opened(name, os.O_RDONLY))
                elif name.endswith(_ONE) and _KEY.fullmatch(key := name.removesuffix(_ONE)):
                    places.setdefault(key)
        return places

    @cached_property
    def _new(self) -> int:
        """A file for those that are added, which no other process writes."""
        name = f"{token_hex(_DIGEST)}{_MANY}"
        try:
            make_folder(self._folder)
            return self._opened(name, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        except OSError:
            with tempfile.TemporaryFile(prefix="chef-thumbnails-") as file:
                return self._closed_with_this(os.dup(file.fileno()))

    def _opened(self, name: str, flags: int) -> int:
        return self._closed_with_this(open_descriptor(self._folder / name, flags, below=2))

    def _closed_with_this(self, descriptor: int) -> int:
        weakref.finalize(self, os.close, descriptor)
        return descriptor


def _places_in(file: int) -> dict[str, tuple[int, int, int]]:
    """The thumbnails in a file of many, as far as it is whole: a kill may have cut its end."""
    places, place, end = dict[str, tuple[int, int, int]](), 0, os.fstat(file).st_size
    while True:
        head, start = os.pread(file, _DIGEST + _HEAD, place), place + _DIGEST
        size = _size_of(head[_DIGEST:])
        if not size or start + size > end:
            return places
        places[head[:_DIGEST].hex()] = file, start, size
        place = start + size


def _size_of(data: bytes) -> int:
    """The bytes that a WebP file has by the first of them; 0 for another file, or too many."""
    if data[:4] != b"RIFF" or data[8:_HEAD] != b"WEBP":
        return 0
    size = int.from_bytes(data[4:8], "little") + 8
    return size if size <= _LARGEST else 0


def thumbnail(image: Image) -> bytes:
    """An image as WebP whose longest side has at most `SIDE` pixels; ImageError if unreadable.

    A small one, and a drawn one that fits, keeps every pixel (`is_exact`).
    """
    pixels = image.view().copy()
    longest = max(pixels.size)
    pixels.thumbnail((SIDE, SIDE))
    encoded = io.BytesIO()
    if longest <= (SIDE if _is_drawn(image) else _EXACT_SIDE):
        pixels.save(encoded, "WEBP", lossless=True, quality=0, method=0)
    else:
        pixels.save(encoded, "WEBP", quality=WEBP_QUALITY)
    return encoded.getvalue()


def _is_drawn(image: Image) -> bool:
    """Whether an image is no file of which a header could be read."""
    return not isinstance(image.source, str | Path | bytes)


def is_exact(data: bytes) -> bool:
    """Whether a thumbnail has every pixel of its image: it is WebP without loss."""
    return data[12:16] == b"VP8L"


#: A picture with more bytes is encoded anew as JPEG, of this quality (0 to 100).
LARGEST, JPEG_QUALITY = 24_000_000, 92
#: Formats that every browser shows, by Pillow's names.
_MIMES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
#: Modes in which browsers show the colours that the model saw: it was sent RGB, in which Pillow
#: drops transparency, and CMYK and 16 bits look different.
_MODES = {"RGB", "L", "1", "P"}


class Picture(NamedTuple):
    """An encoded picture: PNG, JPEG or WebP; ``is_exact``: with the very pixels that were sent."""

    mime: str
    data: bytes
    is_exact: bool = True


def full(image: Image) -> Picture:
    """The picture: the file as given where a browser shows it as the model saw it, else PNG."""
    data = image.encoded()
    mime = "" if data is None else _mime(data)
    if data is None or not mime:
        mime, data = "image/png", _saved(image.view(), "PNG", compress_level=1)
    if len(data) <= LARGEST:
        return Picture(mime, data)
    return Picture("image/jpeg", _saved(image.view(), "JPEG", quality=JPEG_QUALITY), is_exact=False)


def _mime(data: bytes) -> str:
    """The type of an encoded image that can stand in a page as it is; empty for others."""
    import PIL.Image

    with PIL.Image.open(io.BytesIO(data)) as opened:
        is_plain = opened.mode in _MODES and "transparency" not in opened.info
        is_one = getattr(opened, "n_frames", 1) == 1
        return _MIMES.get(opened.format or "", "") if is_plain and is_one else ""


def _saved(pixels: Pixels, form: str, **options: int) -> bytes:
    encoded = io.BytesIO()
    pixels.save(encoded, form, **options)
    return encoded.getvalue()
