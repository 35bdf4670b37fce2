"""Pictures in full: as a browser shows what the model was sent, pixel for pixel."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, NamedTuple

from chef.image import Image

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

#: A picture with more bytes is encoded anew as JPEG, of this quality (0 to 100).
LARGEST, QUALITY = 24_000_000, 92
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
    return Picture("image/jpeg", _saved(image.view(), "JPEG", quality=QUALITY), is_exact=False)


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
