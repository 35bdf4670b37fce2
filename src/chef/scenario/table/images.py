"""The images in a cell, in whatever form tables hold them."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from chef.errors import SampleError
from chef.guard.contents import LOOKED_AT, kind_of_bytes
from chef.guard.files import problem_of
from chef.image import Image
from chef.scenario.questions.values import decoded, image_file, string_list
from chef.scenario.records.values import bad_value
from chef.scenario.table.rows import Row, is_missing, value_at

#: How an image in base64 begins: PNG, JPEG, GIF, WebP, BMP, TIFF of either order.
_BASE64 = re.compile(r"(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR|Qk[0-3]|SUkqA|TU0AK)[A-Za-z0-9+/=\s]*")
#: An image in base64 has more characters than this, and the path of a file has not.
_MAX_PATH = 1024
_MIN_BASE64 = 48
#: The endings of files that are images.
ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff")
_NUMBER = re.compile(r"(?<!\d)0*([1-9]\d*)\Z")
_FORMS = "the bytes of an image, {bytes, path}, base64, the path of a file, an address, or a list"

_PIXELS_HINT = (
    "in Python give an image of Pillow: PIL.Image.fromarray(pixels), where pixels are whole "
    "numbers from 0 to 255 (dtype uint8)"
)


class RowImages:
    """Makes the images of rows; ``beside``: paths begin in the table's folder, then the root."""

    def __init__(self, root: Path, columns: Sequence[str], *, beside: bool = False) -> None:
        self.root, self._columns, self._is_beside = root, columns, beside

    def of(self, row: Row, place: tuple[str, int]) -> tuple[Image, ...]:
        """The images of a row at a (file, number), decoded when needed; SampleError for others."""
        found: list[Image] = []
        folder = Path(place[0]).parent if self._is_beside else self.root
        for column in self._columns:
            try:
                sources = self._sources(value_at(row, column), column, folder)
            except SampleError as error:
                raise SampleError(f"column '{column}': {error.what}", hint=error.hint) from None
            for source in sources:
                found.append(_image(source, place, len(found) + 1))
        return tuple(found)

    def _sources(self, value: Any, column: str, folder: Path) -> list[Any]:
        """What each image of a cell is made from."""
        if isinstance(value, bytes | bytearray | memoryview):
            return [bytes(value)] if value else []
        if is_missing(value):
            return []
        if isinstance(value, str):
            return self._of_text(value.strip(), column, folder)
        if isinstance(value, Mapping):
            return self._of_mapping(value, column, folder)
        if isinstance(value, list | tuple):
            if _are_pixels(value):
                raise SampleError("holds numbers in rows, not an image", hint=_PIXELS_HINT)
            return [source for item in value for source in self._sources(item, column, folder)]
        is_pillow = hasattr(value, "convert") and hasattr(value, "getbbox")
        file = image_named(self.root, str(value)) if isinstance(value, int) else None
        if is_pillow or file:
            return [file or value]
        raise SampleError(bad_value(column, value, "an image").what, hint=f"give {_FORMS}")

    def _of_mapping(self, value: Mapping[str, Any], column: str, folder: Path) -> list[Any]:
        """As `datasets` stores an image, or as messages of chats do."""
        for key in ("bytes", "path", "url", "image_url"):
            if value.get(key) is not None and not (key == "bytes" and not value[key]):
                return self._sources(value[key], column, folder)
        if {"bytes", "path"} & value.keys():
            return []
        keys = ", ".join(map(str, value))[:80]
        raise SampleError(f"holds a mapping with {keys}, not an image", hint=f"give {_FORMS}")

    def _of_text(self, text: str, column: str, folder: Path) -> list[Any]:
        if text.startswith("["):
            return [
                source
                for item in string_list(text, column)
                for source in self._of_text(item.strip(), column, folder)
            ]
        if text.startswith("{"):
            raise SampleError(
                "holds a mapping as text", hint="write the table as Parquet or JSON instead"
            )
        if text.startswith("data:"):
            return [decoded(text)]
        if text.startswith(("http://", "https://")):
            return [text]
        if looks_like_image(text):
            return [decoded(text)]
        return [self._file(text, folder)]

    def _file(self, name: str, folder: Path) -> Path:
        """The file of that name, in the folder of its table or in that of the images."""
        if "://" in name:
            what = f"image file not found: {name}"
            raise SampleError(what, hint="only http and https addresses are read")
        if folder != self.root and problem_of(folder / name) is None:
            return folder / name
        file = None if Path(name).suffix else image_named(self.root, name)
        if file is None and problem_of(self.root / name) and (held := _in_base64(name)):
            raise SampleError(f"holds, in base64, no image: it is {held[0]}", hint=held[1])
        return file or image_file(self.root, name, "set image_root in scenario_cfg")


def looks_like_image(text: str) -> bool:
    """Whether a text is an image in base64 by its length and its beginning, and no path."""
    is_long = len(text) > _MAX_PATH
    return is_long or (len(text) >= _MIN_BASE64 and _BASE64.fullmatch(text) is not None)


def _in_base64(text: str) -> tuple[str, str] | None:
    """What a text holds in base64 that is no image, and what to do; None for other texts, such as
    paths.
    """
    if len(text) < _MIN_BASE64 // 2 or len(text) % 4:
        return None
    try:
        return kind_of_bytes(base64.b64decode(text, validate=True)[:LOOKED_AT])
    except ValueError:
        return None


def _are_pixels(items: Sequence[Any]) -> bool:
    """Whether the first item is a row of numbers, or of lists of numbers: an array of pixels."""
    first = items[0] if items else None
    if not isinstance(first, list | tuple) or not first:
        return False
    inner = first[0]
    is_number = isinstance(inner, int | float) and not isinstance(inner, bool)
    return is_number or _are_pixels(first)


def image_named(root: Path, name: str) -> Path | None:
    """The image whose name without its ending is that, or ends with that number, as COCO's do.

    >>> image_named(Path("no/such/folder"), "42") is None
    True
    """
    by_name = _images_in(root, root.stat().st_mtime_ns if root.is_dir() else 0)
    file = by_name.get(name) or by_name.get(name.lstrip("0"))
    return root / file if file else None


@lru_cache(maxsize=8)
def _images_in(root: Path, _written: int) -> Mapping[str, str]:
    """The images of a folder by name and, where it is the only one, by the number at the end."""
    files = root.iterdir() if _written else ()
    names = sorted(file.name for file in files if file.suffix.lower() in ENDINGS)
    by_name = {name.rpartition(".")[0]: name for name in names}
    numbers = [_NUMBER.search(stem) for stem in by_name]
    twice = Counter(number[1] for number in numbers if number)
    ends = {n[1]: by_name[n.string] for n in numbers if n and twice[n[1]] == 1}
    return ends | by_name


def _image(source: Any, place: tuple[str, int], number: int) -> Image:
    if isinstance(source, str | Path):
        return Image(source)
    path, row = place
    return Image(
        source, f"{path}: row {row}, image {number}", {"path": path, "row": row, "image": number}
    )
