"""What bytes are that should have been an image, told by how they begin."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FETCH = "fetch the file again: what was saved is no image"
_CONVERT = "convert it to PNG or JPEG"
#: How contents begin, after blanks, in small letters; what they are, and what to do.
_KINDS: Sequence[tuple[bytes, str, str]] = (
    (rb"version https://git-lfs", "a pointer of Git LFS, which stands for the image",
     "`git lfs pull` in the folder of the data fetches the images"),
    (rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?(?:<!doctype svg[^>]*>\s*)?<svg\b",
     "a drawing in SVG", _CONVERT),
    (rb"<!doctype html|<html|<head|<body|<script",
     "a page in HTML, as servers answer in place of a file", _FETCH),
    (rb"<\?xml|<error", "a document in XML", _FETCH),
    (rb"%pdf", "a PDF", _CONVERT),
    (rb"\x93numpy", "an array of NumPy",
     "save it as an image: PIL.Image.fromarray(array).save(FILE)"),
    (rb"pk\x03\x04|\x1f\x8b|bzh|7z\xbc\xaf|\xfd7zxz|rar!", "an archive", "unpack it"),
    (rb"....ftyp(?:hei|hev|mif1|msf1)", "an image in HEIC, which Pillow does not read", _CONVERT),
    (rb"....ftypavi[fs]", "an image in AVIF, which this Pillow does not read", _CONVERT),
    (rb"\x1aE\xdf\xa3|....ftyp|riff....avi ", "a video", "give one of its frames"),
)  # fmt: skip
_PATTERNS = [
    (re.compile(start, re.IGNORECASE | re.DOTALL), what, hint) for start, what, hint in _KINDS
]
#: So many bytes are looked at, and so many characters of a text are shown.
LOOKED_AT = 512
_SHOWN = 40


def kind_of_bytes(head: bytes) -> tuple[str, str] | None:
    """What the beginning of bytes shows them to be, and what to do; None for anything else.

    >>> kind_of_bytes(b"%PDF-1.7 ..."), kind_of_bytes(bytes([0, 255]))
    (('a PDF', 'convert it to PNG or JPEG'), None)
    """
    if not head.strip():
        return "empty" if not head else "blank", _FETCH
    for pattern, what, hint in _PATTERNS:
        if pattern.match(head.lstrip(b" \t\r\n\xef\xbb\xbf")):
            return what, hint
    try:
        text = head.decode()
    except UnicodeDecodeError:
        return None
    if not all(letter.isprintable() or letter.isspace() for letter in text):
        return None
    line = " ".join(text.split())
    shown = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
    return f"text: {shown!r}", _FETCH
