"""What a file holds in place of what it should, told by how it begins."""

from __future__ import annotations

import re

_FETCH = "fetch the file again: what was saved is no image"
_CONVERT = "convert it to PNG or JPEG"
#: How contents begin, after blanks, in small letters, and a name for it.
_BEGINNINGS = {
    "lfs": rb"version https://git-lfs",
    "svg": rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?(?:<!doctype svg[^>]*>\s*)?<svg\b",
    "html": rb"<!doctype html|<html|<head|<body|<script",
    "xml": rb"<\?xml|<error",
    "pdf": rb"%pdf",
    "numpy": rb"\x93numpy",
    "zip": rb"pk\x03\x04",
    "packed": rb"\x1f\x8b|bzh|7z\xbc\xaf|\xfd7zxz|rar!",
    "heic": rb"....ftyp(?:hei|hev|mif1|msf1)",
    "avif": rb"....ftypavi[fs]",
    "video": rb"\x1aE\xdf\xa3|....ftyp|riff....avi ",
}
_PATTERNS = {
    name: re.compile(start, re.IGNORECASE | re.DOTALL) for name, start in _BEGINNINGS.items()
}
#: What each of them is where an image should be, and what to do.
_NO_IMAGES = {
    "lfs": ("a pointer of Git LFS, which stands for the image",
            "`git lfs pull` in the folder of the data fetches the images"),
    "svg": ("a drawing in SVG", _CONVERT),
    "html": ("a page in HTML, as servers answer in place of a file", _FETCH),
    "xml": ("a document in XML", _FETCH),
    "pdf": ("a PDF", _CONVERT),
    "numpy": ("an array of NumPy", "save it as an image: PIL.Image.fromarray(array).save(FILE)"),
    "zip": ("an archive", "unpack it"),
    "packed": ("an archive", "unpack it"),
    "heic": ("an image in HEIC, which Pillow does not read", _CONVERT),
    "avif": ("an image in AVIF, which this Pillow does not read", _CONVERT),
    "video": ("a video", "give one of its frames"),
}  # fmt: skip
#: So many bytes are looked at, and so many characters of a text are shown.
LOOKED_AT = 512
_SHOWN = 40


def name_of_bytes(head: bytes) -> str | None:
    """What the beginning of bytes shows them to be: ``html``, ``lfs``, ``zip``, ...; else None.

    >>> name_of_bytes(b"<!DOCTYPE html>"), name_of_bytes(b"id,question")
    ('html', None)
    """
    start = head.lstrip(b" \t\r\n\xef\xbb\xbf")
    return next((name for name, pattern in _PATTERNS.items() if pattern.match(start)), None)


def kind_of_bytes(head: bytes) -> tuple[str, str] | None:
    """What bytes are that should have been an image, by their beginning, and what to do; None for
    anything else.

    >>> kind_of_bytes(b"%PDF-1.7 ..."), kind_of_bytes(bytes([0, 255]))
    (('a PDF', 'convert it to PNG or JPEG'), None)
    """
    if not head.strip():
        return "empty" if not head else "blank", _FETCH
    if name := name_of_bytes(head):
        return _NO_IMAGES[name]
    try:
        text = head.decode()
    except UnicodeDecodeError:
        return None
    if not all(letter.isprintable() or letter.isspace() for letter in text):
        return None
    line = " ".join(text.split())
    shown = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
    return f"text: {shown!r}", _FETCH
