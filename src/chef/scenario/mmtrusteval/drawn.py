"""Pictures of text, drawn once and kept in chef's cache."""

from __future__ import annotations

from pathlib import Path

from chef.common.digest import content_digest
from chef.common.image_file import write_image
from chef.common.text_image import FONT_SIZE, MAX_WIDTH, font_digest, text_image
from chef.embedding.cache import cache_folder

#: Increased when the same text is drawn otherwise.
_FORMAT = "1"


def drawn_picture(text: str, font: Path) -> Path:
    """The file of a picture of a text; it is named by all that it depends on.

    Args:
        text: what the picture shows.
        font: its font; where there is no such file, Pillow's own is taken.

    Raises:
        DataError: the font cannot be read.
        RunError: the picture cannot be written.
    """
    known = font if font.exists() else None
    parts = (_FORMAT, font_digest(known), FONT_SIZE, MAX_WIDTH, text)
    name = content_digest("\x1f".join(map(str, parts)))
    path = cache_folder() / "text_images" / f"{name}.png"
    if not path.is_file():
        write_image(path, text_image(text, font=known), f"make {path.parent} writable")
    return path
