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
#: How tables begin that are no text, and how their names end.
_TABLES = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"PK\x03\x04": ".xlsx"}
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


def table_of_bytes(head: bytes) -> str | None:
    r"""How the name of a table should end that begins like this, such as ``.tsv``; None: no table.

    >>> table_of_bytes(b"id,question\n1,What?"), table_of_bytes(b"model_name: tiny")
    ('.csv', None)
    >>> table_of_bytes(bytes([255, 216, 9, 10]))  # an image
    """
    for sign, ending in _TABLES.items():
        if head.startswith(sign):
            return ending
    first, _, rest = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    try:
        first.decode()
    except UnicodeDecodeError:  # of an image, say
        return None
    if first[:1] == b"{":
        return ".jsonl" if rest.lstrip()[:1] == b"{" else ".json"
    if first[:1] == b"[":
        return ".json"
    if first[:1] == b"#" or b": " in first or first.rstrip().endswith(b":"):
        return None  # as YAML begins
    return ".tsv" if b"\t" in first else ".csv" if b"," in first else None


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
