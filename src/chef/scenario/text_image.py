"""Text drawn as a picture: black on white, wrapped at words, as MMTrustEval draws it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from chef.common.digest import content_digest, file_digest
from chef.errors import DataError

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels
    from PIL.ImageFont import FreeTypeFont, ImageFont

    Font: TypeAlias = FreeTypeFont | ImageFont

FONT_SIZE, MAX_WIDTH = 90, 1024
_LINE_HEIGHT = 1.1


def text_image(
    text: str,
    *,
    font_size: int = FONT_SIZE,
    max_width: int = MAX_WIDTH,
    font: str | Path | None = None,
) -> Pixels:
    """A picture of a text in RGB, at least ``max_width`` wide.

    It has ``font_size * 1.1`` pixels a line, rounded up. Words fill a line, each with a space
    behind it; line breaks are spaces. A first word that is too wide leaves an empty line above it.
    ``font`` is a file; None is Pillow's. DataError: it cannot be read.
    """
    from PIL import Image, ImageDraw

    drawn_with = _font(font, font_size)
    lines = wrapped(text, drawn_with, max_width)
    joined = "\n".join(lines)
    width = _width(joined, drawn_with)
    size = (int(max(width, max_width)), math.ceil(font_size * len(lines) * _LINE_HEIGHT))
    image = Image.new("RGB", size, "white")
    left = math.floor((size[0] - width) / 2)
    ImageDraw.Draw(image).text((left, 0), joined, fill="black", font=drawn_with)
    return image


def font_digest(font: str | Path | None) -> str:
    """What names a font by its content, for caches of pictures. Raises DataError."""
    if font is not None:
        return file_digest(Path(font))
    import PIL

    return content_digest("Pillow", PIL.__version__)


def wrapped(text: str, font: Font, max_width: float) -> list[str]:
    """The lines of a text that is at most ``max_width`` pixels wide, apart from single words."""
    space = font.getlength(" ")
    lines, line, used = [], "", 0.0
    for word in text.split():
        wide = font.getlength(word) + space
        if used + wide > max_width:
            lines.append(line.rstrip(" "))
            line, used = "", 0.0
        line, used = f"{line}{word} ", used + wide
    return [*lines, line.rstrip(" ")]


def _width(text: str, font: Font) -> float:
    """The width of the widest line, in pixels."""
    return max(font.getlength(line) for line in text.split("\n"))


def _font(font: str | Path | None, size: int) -> Font:
    from PIL import ImageFont

    if font is None:
        return ImageFont.load_default(size)
    try:
        return ImageFont.truetype(str(font), size)
    except OSError as error:
        raise DataError(
            f"cannot be read as a font: {error}", where=str(font), hint="give a .ttf or .otf file"
        ) from None
