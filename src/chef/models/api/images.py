"""Images as a server takes them: the original bytes where it can see them as chef does."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from chef.common.digest import content_digest
from chef.errors import ImageError
from chef.frozen import Frozen
from chef.image import Image
from chef.types import Conversation

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

#: The formats that such servers take, by Pillow's names. A JPEG with several pictures begins with
#: an ordinary one.
MIME = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",
    "WEBP": "image/webp",
    "GIF": "image/gif",
}
PNG = "PNG"
_SENT = "they are sent as PNG"
#: The EXIF tag for how the camera was held; 1 is upright.
_ORIENTATION = 0x0112
#: Encoded images of so many signs together are kept for further requests.
KEPT = 256 * 2**20


class Encoded(Frozen):
    """An image as it is sent: data URL, Pillow's name of its format, and why not its own."""

    url: str
    format: str
    reason: str = ""


#: Each image of a conversation as it is sent, by its ``id``.
Encodings = Mapping[int, Encoded]


class ImageEncoder:
    """Encodes images for one server, each once; it may be used by several threads.

    An image is sent as PNG where its own bytes are not PNG, JPEG, WebP or GIF, where the server has
    refused the format, and where a server may see it otherwise than chef: turned photos, images
    that move, more than 8 bits a channel, colours of print (CMYK).
    """

    def __init__(self, limit: int = KEPT) -> None:
        self._limit = limit
        self._kept: OrderedDict[object, Encoded] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._busy: dict[object, threading.Lock] = {}
        self._refused: set[str] = set()
        self._notices: dict[str, None] = {}

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know of how images are sent, one sentence for each reason."""
        with self._lock:
            return tuple(self._notices)

    async def encode(
        self, conversation: Conversation, avoided: frozenset[str] = frozenset()
    ) -> Encodings:
        """All images, encoded in another thread; an ImageError if one is unreadable."""
        images = {id(image): image for turn in conversation for image in turn.images}
        if not images:
            return {}
        return await asyncio.to_thread(
            lambda: {name: self.encoded(image, avoided) for name, image in images.items()}
        )

    def encoded(self, image: Image, avoided: Iterable[str] = ()) -> Encoded:
        """The image as it is sent; an ImageError if it is unreadable."""
        avoided = self._refused | set(avoided)
        key = (_key(image), *sorted(avoided))
        if (kept := self._find(key)) is not None:
            return kept
        with self._lock:
            busy = self._busy.setdefault(key, threading.Lock())
        with busy:  # equal images in several requests at once are encoded once
            if (kept := self._find(key)) is None:
                kept = _encoded(image, avoided)
                self._keep(key, kept)
        with self._lock:
            self._busy.pop(key, None)
            if kept.reason and kept.reason not in self._notices:
                self._notices[kept.reason] = None
        return kept

    def refuse(self, formats: Iterable[str]) -> None:
        """Send no more images in formats that the server has refused; they become PNG."""
        with self._lock:
            for name in sorted(set(formats) - {PNG} - self._refused):
                self._refused.add(name)
                self._notices[f"the server refuses images of the format {name}: {_SENT}"] = None

    def _find(self, key: object) -> Encoded | None:
        with self._lock:
            if (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
            return kept

    def _keep(self, key: object, encoded: Encoded) -> None:
        with self._lock:
            self._kept[key] = encoded
            self._size += len(encoded.url)
            while self._size > self._limit and self._kept:
                self._size -= len(self._kept.popitem(last=False)[1].url)


def _key(image: Image) -> object:
    """What names the content of an image without decoding it, where that can be."""
    source = image.source
    if isinstance(source, bytes):
        return content_digest(source)
    if isinstance(source, str | Path):
        try:
            found = os.stat(source)  # noqa: PTH116 (a URL is no path, and is not made one)
        except (OSError, ValueError):
            return str(source)
        return (str(source), found.st_size, found.st_mtime_ns)
    return image.digest


def _encoded(image: Image, avoided: set[str]) -> Encoded:
    data = image.encoded()
    if data is None:
        return _as_png(image)
    known, why = _seen_otherwise(data, image.name)
    if not why and known in MIME and known not in avoided:
        return Encoded(_data_url(data, MIME[known]), known)
    if not why and known not in MIME:
        why = f"servers do not take images of the format {known}: {_SENT}"
    return _as_png(image, why)


def _seen_otherwise(data: bytes, name: str) -> tuple[str, str]:
    """The format of encoded bytes by their content, and why a server may see another image."""
    import PIL.Image

    try:
        with PIL.Image.open(io.BytesIO(data)) as opened:
            return opened.format or "?", _difference(opened)
    except Exception:  # decoding says better what is wrong
        Image(data, name).view()
        raise ImageError("cannot be read as an image", where=name) from None


def _difference(opened: Pixels) -> str:
    if opened.getexif().get(_ORIENTATION, 1) not in {0, 1}:
        return "photos that were not taken upright are turned, and sent as PNG"
    if getattr(opened, "is_animated", False) and opened.format != "MPO":
        return "of images that move, the first picture is sent, as PNG"
    if opened.mode.startswith(("I", "F")):
        return "images with more than 8 bits a channel are sent as PNG of 8 bits"
    if opened.mode in {"CMYK", "LAB"}:  # decoders differ in what red, green and blue it is
        return "images in colours of print (CMYK, LAB) are turned into RGB, and sent as PNG"
    return ""


def _as_png(image: Image, reason: str = "") -> Encoded:
    file = io.BytesIO()
    # Pixels are the same at every level; at the first one most of the time is saved.
    image.view().save(file, PNG, compress_level=1)
    return Encoded(_data_url(file.getvalue(), MIME[PNG]), PNG, reason)


def _data_url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"
