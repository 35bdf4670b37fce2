"""The images in a cell, in whatever form tables hold them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.errors import SampleError
from chef.image import Image
from chef.scenario.questions.images import decoded, image_file, string_list
from chef.scenario.records.values import bad_value
from chef.scenario.table.rows import Row, is_missing, value_at

#: How an image in base64 begins: PNG, JPEG, GIF, WebP, BMP, TIFF of either order.
_BASE64 = re.compile(r"(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR|Qk[0-3]|SUkqA|TU0AK)[A-Za-z0-9+/=\s]*")
#: An image in base64 has more characters than this, and the path of a file has not.
_MAX_PATH = 1024
_MIN_BASE64 = 48
_FORMS = "the bytes of an image, {bytes, path}, base64, the path of a file, an address, or a list"


class RowImages:
    """Makes the images of rows.

    Args:
        root: the folder that paths are relative to.
        columns: the columns with images, in order.
    """

    def __init__(self, root: Path, columns: Sequence[str]) -> None:
        self.root, self._columns = root, columns

    def of(self, row: Row, place: tuple[str, int]) -> tuple[Image, ...]:
        """The images of a row; their pixels are decoded when they are needed.

        Args:
            row: the row.
            place: its file, and its number in it.

        Raises:
            SampleError: a cell holds something else, or names a file that is not there.
        """
        found: list[Image] = []
        for column in self._columns:
            try:
                sources = self._sources(value_at(row, column), column)
            except SampleError as error:
                raise SampleError(f"column '{column}': {error.what}", hint=error.hint) from None
            for source in sources:
                found.append(_image(source, place, len(found) + 1))
        return tuple(found)

    def _sources(self, value: Any, column: str) -> list[Any]:
        """What each image of a cell is made from."""
        if isinstance(value, bytes | bytearray | memoryview):
            return [bytes(value)] if value else []
        if is_missing(value):
            return []
        if isinstance(value, str):
            return self._of_text(value.strip(), column)
        if isinstance(value, Mapping):
            return self._of_mapping(value, column)
        if isinstance(value, list | tuple):
            return [source for item in value for source in self._sources(item, column)]
        if hasattr(value, "convert") and hasattr(value, "getbbox"):  # an image of Pillow
            return [value]
        raise SampleError(bad_value(column, value, "an image").what, hint=f"give {_FORMS}")

    def _of_mapping(self, value: Mapping[str, Any], column: str) -> list[Any]:
        """As `datasets` stores an image, or as messages of chats do."""
        for key in ("bytes", "path", "url", "image_url"):
            if value.get(key) is not None and not (key == "bytes" and not value[key]):
                return self._sources(value[key], column)
        if {"bytes", "path"} & value.keys():
            return []
        keys = ", ".join(map(str, value))[:80]
        raise SampleError(f"holds a mapping with {keys}, not an image", hint=f"give {_FORMS}")

    def _of_text(self, text: str, column: str) -> list[Any]:
        if text.startswith("["):
            return [
                source
                for item in string_list(text, column)
                for source in self._of_text(item.strip(), column)
            ]
        if text.startswith("{"):
            raise SampleError(
                "holds a mapping as text", hint="write the table as Parquet or JSON instead"
            )
        if text.startswith("data:"):
            return [decoded(text)]
        if text.startswith(("http://", "https://")):
            return [text]
        if len(text) >= _MIN_BASE64 and _BASE64.match(text, 0, _MAX_PATH):
            whole = _BASE64.fullmatch(text) if len(text) <= _MAX_PATH else text
            if whole:
                return [decoded(text)]
        if len(text) > _MAX_PATH:
            return [decoded(text)]
        if "://" in text:
            what = f"image file not found: {text}"
            raise SampleError(what, hint="only http and https addresses are read")
        return [image_file(self.root, text, "set image_root in scenario_cfg")]


def _image(source: Any, place: tuple[str, int], number: int) -> Image:
    if isinstance(source, str | Path):
        return Image(source)
    path, row = place
    return Image(
        source, f"{path}: row {row}, image {number}", {"path": path, "row": row, "image": number}
    )
