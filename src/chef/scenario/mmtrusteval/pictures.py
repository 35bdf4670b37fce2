"""The pictures of a data set: files of a folder, in natural order, and those that records name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

#: The endings of files that are pictures.
ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".jfif")
_DIGITS = re.compile(r"(\d+)")


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts ``2.png`` before ``10.png``.

    >>> sorted(["10.png", "2.png", "a.png"], key=natural)
    ['2.png', '10.png', 'a.png']
    """
    parts = _DIGITS.split(name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder, in natural order of their names.

    Raises:
        OSError: it is no folder, or may not be read.
    """
    found = [path for path in folder.iterdir() if path.suffix.lower() in ENDINGS]
    return sorted(found, key=lambda path: natural(path.name))


def numbered(pictures: Sequence[Path]) -> dict[int, Path]:
    """The pictures by position, from 0, where their names tell it.

    Names that have one number each give the position, so a picture that is missing shifts no
    other; they count from 0, or from 1 where none is 0. Other names are taken in their order.
    """
    numbers = [re.fullmatch(r"\D*(\d+)\D*", path.stem) for path in pictures]
    found = {int(match[1]): path for match, path in zip(numbers, pictures, strict=True) if match}
    if len(found) < len(pictures):
        return dict(enumerate(pictures))
    first = 0 if 0 in found else 1
    return {number - first: path for number, path in found.items()}


def first_there(*candidates: Path) -> Path:
    """The first path that leads to something; the first of all where none does."""
    return next((path for path in candidates if path.exists()), candidates[0])


def with_ending(path: Path) -> Path:
    """The picture whose path lacks the ending; ``.png`` where there is none."""
    return first_there(*(path.with_name(path.name + ending) for ending in ENDINGS))
