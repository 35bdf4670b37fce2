"""Images that are decoded once, when first needed, and never re-encoded here."""

from __future__ import annotations

import base64
import hashlib
import io
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias
from urllib.parse import unquote_to_bytes

from chef.errors import ChefError, ImageError, SampleError
from chef.guard.bounds import HttpError
from chef.guard.files import case_hint, open_file

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

Source: TypeAlias = "str | Path | bytes | Pixels | Callable[[], Pixels]"

#: Images of more pixels are not decoded: a small file can expand to gigabytes.
MAX_PIXELS = 89_478_485  # where Pillow begins to warn
#: The images of one sample have no more together; decoded, that is half a gigabyte.
MAX_SAMPLE_PIXELS = 2 * MAX_PIXELS
#: Downloads of more bytes are refused.
MAX_DOWNLOAD = 64 * 2**20
DOWNLOAD_TIMEOUT = 30.0
#: The EXIF tag for how the camera was held.
_ORIENTATION = 0x0112
_PNG = b"\x89PNG\r\n\x1a\n"
#: The chunks of a PNG that may hold EXIF data or XMP: texts do in files of some programs.
_EXIF_CHUNKS = {b"eXIf", b"tEXt", b"zTXt", b"iTXt"}


class Image:
    """One image of a sample.

    Args:
        source: a path, an http(s) or data URL, encoded bytes, a PIL image, or a function that
            draws one. It is read when the pixels are first used.
        name: its name in errors; default: the path or URL, or the kind of source.
        where: where it was read from, as plain data (``path`` and ``row`` of a table, say), for the
            journal; default: its path, its URL or its name.
        of: the image that it was made of, by a method.

    The pixels are decoded once, rotated by their EXIF tag, converted to RGB and kept as long as
    this object exists. Each caller gets an image of its own, so that painting on one changes no
    later answer. Two images with the same pixels have the same `digest`, however they were stored.
    """

    __slots__ = ("_digest", "_lock", "_pixels", "name", "of", "source", "where")

    def __init__(
        self,
        source: Source,
        name: str | None = None,
        where: Mapping[str, Any] | None = None,
        of: Image | None = None,
    ) -> None:
        self.source = source
        self.name = name or _name(source)
        self.where = where or _origin(source, self.name)
        self.of = of
        self._pixels: Pixels | None = None
        self._digest: str | None = None
        self._lock = threading.Lock()

    def load(self) -> Pixels:
        """The pixels, RGB: an image of the caller's own, which may be painted on.

        Raises:
            ImageError: missing, empty, corrupt, truncated or too large.
        """
        return self._shared().copy()

    def view(self) -> Pixels:
        """The pixels, RGB, for code that only reads them: no memory is copied.

        Pillow's methods that would change the image change a copy that they make first (its flag
        ``readonly``); closing it, or changing its ``info``, concerns this view alone.

        Raises:
            ImageError: as `load` does.
        """
        shared = self._shared()
        view = shared._new(shared.im)  # noqa: SLF001 (a second image of the same memory)
        view.readonly = 1
        return view

    def _shared(self) -> Pixels:
        """The decoded image itself, which is handed to no other code."""
        with self._lock:
            if self._pixels is None:
                self._pixels = _decode(self.source, self.name)
            return self._pixels

    def encoded(self) -> bytes | None:
        """The encoded image as it was given, read anew; None for a PIL image or a drawing function.

        Raises:
            ImageError: it cannot be read.
        """
        if not isinstance(self.source, (str, Path, bytes)):
            return None
        try:
            with _encoded(self.source, self.name) as file:
                return file.read()
        except ImageError:
            raise
        except Exception as error:  # downloads fail in many ways
            what = f"cannot be read ({type(error).__name__}: {error})"
            raise ImageError(what, where=self.name, hint="check the path or the address") from None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as shown. Of an encoded image, only the header is read.

        Raises:
            ImageError: as `load` does.
        """
        if self._pixels is None and isinstance(self.source, (str, Path, bytes)):
            return _size_in_header(self.source, self.name)
        return self._shared().size

    @property
    def digest(self) -> str:
        """A digest of size and RGB values: 32 hex digits."""
        if self._digest is None:
            pixels = self._shared()
            state = hashlib.blake2b(f"{pixels.size}".encode(), digest_size=16)
            state.update(pixels.tobytes())
            self._digest = state.hexdigest()
        return self._digest

    def to_record(self) -> dict[str, Any]:
        """Where it comes from, and its digest where it has been decoded: nothing is read for this.

        >>> Image("photos/3.jpg").to_record()
        {'path': 'photos/3.jpg'}
        """
        of = {} if self.of is None else {"of": self.of.to_record()}
        digest = {} if self._pixels is None else {"digest": self.digest}
        return {**self.where, **of, **digest}

    def __repr__(self) -> str:
        return f"Image({self.name!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # The lock cannot be pickled, and a drawing function perhaps not; its pixels can.
        source = self.load() if callable(self.source) else self.source
        return (Image, (source, self.name, self.where, self.of))


def side_by_side(images: Sequence[Pixels]) -> Pixels:
    """Images in one row, aligned at the top; the space below smaller ones is black."""
    import PIL.Image

    height = max(image.height for image in images)
    row = PIL.Image.new("RGB", (sum(image.width for image in images), height))
    left = 0
    for image in images:
        row.paste(image, (left, 0))
        left += image.width
    return row


def check_pixels(images: Sequence[Image]) -> None:
    """Check by headers that a sample's images fit into memory together (`MAX_SAMPLE_PIXELS`)."""
    different = {id(image): image for image in images}.values()
    if len(different) < 2:
        return  # one image has a bound of its own
    total = sum(math.prod(image.size) for image in different)
    if total > MAX_SAMPLE_PIXELS:
        raise ImageError(
            f"the sample has {len(different)} images with {total:,} pixels together, more than the "
            f"{MAX_SAMPLE_PIXELS:,} allowed",
            hint="scale the images down before evaluating",
        )


def _size_in_header(source: str | Path | bytes, name: str) -> tuple[int, int]:
    import PIL.Image

    try:
        with _encoded(source, name) as file, PIL.Image.open(file) as opened:
            width, height = opened.size
            # Orientations 5 to 8 are turned by a quarter, or mirrored along a diagonal.
            turned = _may_be_turned(opened, file) and opened.getexif().get(_ORIENTATION, 1) >= 5
    except Exception:  # whatever is wrong, decoding says it better
        return _decode(source, name).size
    return (height, width) if turned else (width, height)


def _may_be_turned(opened: Pixels, file: BinaryIO) -> bool:
    """Whether an opened image may say how the camera was held.

    Pillow decodes a whole PNG for that if its header has no EXIF data: here its chunks are only
    stepped over.
    """
    if opened.format != "PNG" or "exif" in opened.info:
        return True
    file.seek(len(_PNG))
    while len(head := file.read(8)) == 8:
        if head[4:] in _EXIF_CHUNKS:
            return True
        file.seek(int.from_bytes(head[:4], "big") + 4, 1)  # the data and its checksum
    return False


def _name(source: Source) -> str:
    if isinstance(source, str) and source.startswith("data:"):
        return "image in a data URL"
    if isinstance(source, (str, Path)):
        return str(source)
    return f"image ({type(source).__name__})"


def _origin(source: Source, name: str) -> dict[str, Any]:
    """Its path or its URL, else its name."""
    if isinstance(source, (str, Path)) and not str(source).startswith("data:"):
        is_url = str(source).startswith(("http://", "https://"))
        return {"url" if is_url else "path": str(source)}
    return {"name": name}


def check_images(images: Any, where: str) -> None:
    """SampleError where the images of a sample are none of chef's."""
    for item in images if images.__class__ in (tuple, list) else [images]:  # called for each sample
        if not isinstance(item, Image):
            description = (
                repr(item) if isinstance(item, str) else f"an object {type(item).__name__}"
            )
            raise SampleError(
                f"images holds {description}, which is no chef.Image",
                where=where,
                hint="write images=(chef.Image(source),): of a path, an address, bytes or an image "
                "of Pillow",
            )


def _decode(source: Source, name: str) -> Pixels:
    import PIL.Image
    import PIL.ImageOps

    try:
        if isinstance(source, PIL.Image.Image):
            return _rgb(source, name)
        if callable(source):
            return _rgb(source(), name)
        with _encoded(source, name) as file:
            try:
                opened = PIL.Image.open(file)
            except PIL.UnidentifiedImageError:
                raise _no_image(file, name) from None
            with opened:
                _refuse_huge(opened.size, name)
                return _rgb(PIL.ImageOps.exif_transpose(opened), name)
    except ChefError:  # of a method that draws, say; it tells more than a new one could
        raise
    except FileNotFoundError:
        hint = "check the path and the data root"
        hint = case_hint(source, hint) if isinstance(source, str | Path) else hint
        raise ImageError("image file not found", where=name, hint=hint) from None
    except PIL.Image.DecompressionBombError as error:
        raise ImageError(str(error), where=name, hint="scale the image down") from None
    except PermissionError as error:
        what = f"the image file cannot be opened: {error.strerror}"
        raise ImageError(what, where=name, hint="check its permissions") from None
    except Exception as error:  # every decoder of Pillow raises errors of its own
        raise ImageError(
            f"cannot be opened as an image ({type(error).__name__}: {error})",
            where=name,
            hint="replace the file; it is damaged or truncated",
        ) from None


def _no_image(file: BinaryIO, name: str) -> ImageError:
    """The error for a stream that holds no image, which says what it holds instead.

    Pillow's own message contains a memory address, and journals should be repeatable.
    """
    from chef.guard.contents import LOOKED_AT, kind_of_bytes  # for errors alone

    file.seek(0)
    head = file.read(LOOKED_AT)
    what, hint = kind_of_bytes(head) or (
        f"of a format that Pillow does not know, beginning with the bytes '{head[:8].hex(' ')}'",
        "replace the file, or convert it to PNG or JPEG",
    )
    return ImageError(f"not an image: it is {what}", where=name, hint=hint)


def _rgb(image: Pixels, name: str) -> Pixels:
    """The image with 8 bits per channel; Pillow would clip deeper images, making them white."""
    import PIL.Image

    if image.mode == "F":
        raise ImageError(
            "floating-point pixels have no defined brightness",
            where=name,
            hint="save the image with 8 or 16 bits a channel",
        )
    if image.mode.startswith("I"):
        import numpy as np

        levels = np.asarray(image)
        if levels.max(initial=0) > 255:
            levels = levels.clip(0, 65535) >> 8
        image = PIL.Image.fromarray(levels.astype(np.uint8))
    return image.convert("RGB")


def _refuse_huge(size: tuple[int, int], name: str) -> None:
    """Refuse an image by the size in its header, before any pixel is decoded."""
    width, height = size
    if width * height > MAX_PIXELS:
        raise ImageError(
            f"{width} x {height} pixels, more than the {MAX_PIXELS:,} allowed",
            where=name,
            hint="scale the image down before evaluating",
        )


def _encoded(source: str | Path | bytes, name: str) -> BinaryIO:
    """The encoded image: a stream of its bytes, or its file."""
    if isinstance(source, bytes):
        return io.BytesIO(source)
    if isinstance(source, str) and source.startswith("data:"):
        return io.BytesIO(_data_of(source, name))
    if isinstance(source, str) and source.startswith(("http://", "https://")):
        return io.BytesIO(_fetched(source, name))
    return open_file(source)


def _data_of(url: str, name: str) -> bytes:
    """What a data URL holds."""
    kind, _, text = url.partition(",")
    data = unquote_to_bytes(text)
    if len(data) > 2 * MAX_DOWNLOAD:
        raise ImageError(f"larger than {MAX_DOWNLOAD:,} bytes", where=name)
    return base64.decodebytes(data) if kind.endswith(";base64") else data


def _fetched(url: str, name: str) -> bytes:
    from chef.guard.http import get  # it loads asyncio

    hint = "check the address and the network, or download the image and give its path"
    try:
        reply = get(url, seconds=DOWNLOAD_TIMEOUT, most=MAX_DOWNLOAD)
    except HttpError as error:
        remedy = error.hint or hint
        raise ImageError(f"cannot be fetched: {error.what}", where=name, hint=remedy) from None
    if reply.status != 200:
        what = f"cannot be fetched: the server answers with status {reply.status}"
        raise ImageError(what, where=name, hint=hint)
    return reply.body
