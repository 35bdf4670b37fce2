"""Images as files, for models that are given paths.

An image that was read from a file is that file. Others are written once, under a name that is a
digest of their content, so the folder can be deleted at any time.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from chef.common.digest import content_digest
from chef.common.writing import write_image
from chef.embedding.cache import cache_folder
from chef.errors import ImageError
from chef.guard.files import case_hint, problem_of
from chef.image import Image, side_by_side

#: The endings of files, by Pillow's names of formats; other formats are written as PNG.
_ENDINGS = {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp", "GIF": ".gif", "BMP": ".bmp"}
_ADDRESSES = ("http://", "https://", "data:")


def image_path(image: Image) -> str:
    """The path of a file with the image: encoded bytes stay as they are, pixels become PNG."""
    source = image.source
    if isinstance(source, str | Path) and not str(source).startswith(_ADDRESSES):
        if problem_of(source) is not None:
            image.view()  # says what is wrong with it
        return str(source)
    data = image.encoded()
    ending = "" if data is None else _ending(data)
    if data is None or not ending:
        return _png(image)
    return _kept(f"{content_digest(data)}{ending}", data)


def joined_path(paths: Sequence[str]) -> str:
    """The path of a file that shows several images side by side."""
    row = side_by_side([Image(path).view() for path in paths])
    return _png(Image(row))


def _png(image: Image) -> str:
    name = f"{image.digest}.png"
    if (file := _folder() / name).is_file():
        return str(file)
    encoded = io.BytesIO()
    image.view().save(encoded, "PNG", compress_level=1)
    return _kept(name, encoded.getvalue())


def _ending(data: bytes) -> str:
    """The ending of a file with these bytes, by their content; empty if models may not read it."""
    import PIL.Image

    try:
        with PIL.Image.open(io.BytesIO(data)) as opened:
            return _ENDINGS.get(opened.format or "", "")
    except Exception:  # decoding, which comes next, says better what is wrong
        return ""


def _folder() -> Path:
    return cache_folder() / "images"


def _kept(name: str, data: bytes) -> str:
    """The path of a file with these bytes, which are written if it is not there."""
    path = _folder() / name
    if path.is_file():
        return str(path)
    write_image(path, data, "set CHEF_CACHE to a folder that can be written")
    return str(path)


def local_path(value: str) -> str:
    """The path of a file with an image given by path or address; else an ImageError."""
    if value.startswith(_ADDRESSES):
        return image_path(Image(value))
    if problem_of(value) is not None:
        raise ImageError(
            "image file not found", where=value, hint=case_hint(value, "check the path")
        )
    return value
