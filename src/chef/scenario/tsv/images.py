"""The images of a TSV row: base64, references to other rows, file names, and lists of these."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from chef.errors import SampleError
from chef.image import Image
from chef.scenario.questions.images import (
    MAX_REFERENCE,
    check_is_image,
    decoded,
    image_file,
    string_list,
)
from chef.scenario.tsv.table import TsvTable

#: The longest chain of references to references.
MAX_CHAIN = 100


def row_images(
    index: TsvTable, root: Path, cells: Mapping[str, str], chain: tuple[int, ...]
) -> tuple[Image, ...]:
    """The images of a row; none if its cells are empty, else of ``image``, or ``image_path``.

    A reference to another row means all images of that row; in a list, it must have exactly one.
    ``chain`` has the positions of the rows that led here, and of this row. SampleError for a cell
    that is no image, no file, or a reference to no row or in a circle.
    """
    image = cells.get("image", "").strip()
    if image.startswith("["):
        entries = string_list(image, "image")
        return tuple(
            _entry(index, root, entry, chain, number)[0] for number, entry in enumerate(entries, 1)
        )
    if image:
        return _entry(index, root, image, chain)
    paths = cells.get("image_path", "").strip()
    names = string_list(paths, "image_path") if paths.startswith("[") else [paths] if paths else []
    return tuple(Image(image_file(root, name)) for name in names)


def _entry(
    index: TsvTable, root: Path, entry: str, chain: tuple[int, ...], number: int | None = None
) -> tuple[Image, ...]:
    """The images of an entry, or of its row: one, at ``number`` of a list (from 1)."""
    target = _target(index, entry)
    if target is None:
        row = chain[-1] + 1
        name = f"{index.path}: row {row}, image {number or 1}"
        where = {"path": str(index.path), "row": row, **({"image": number} if number else {})}
        return (Image(decoded(entry, f"the image of row {row}"), name, where),)
    if target in chain:
        rows = " -> ".join(str(row + 1) for row in (*chain[chain.index(target) :], target))
        raise SampleError(f"image references form a circle: rows {rows}")
    if len(chain) > MAX_CHAIN:
        raise SampleError(f"there is a chain of more than {MAX_CHAIN} image references")
    found = row_images(index, root, index.read(target), (*chain, target))
    if not found or (number is not None and len(found) > 1):
        count = "no image" if not found else f"{len(found)} images, not one"
        raise SampleError(f"refers to the image of row {target + 1}, which has {count}")
    return found


def _target(index: TsvTable, entry: str) -> int | None:
    """The position of the row that an entry names; None if the entry is an image."""
    if len(entry) > MAX_REFERENCE:
        return None
    if (position := index.survey.places.get(entry)) is not None:
        return position
    check_is_image(entry)
    return None
