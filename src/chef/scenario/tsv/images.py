"""The images of a TSV row: base64, references to other rows, file names, and lists of these."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from chef.errors import SampleError
from chef.image import Image
from chef.scenario.questions.images import (
    decoded,
    followed,
    image_file,
    names_row,
    string_list,
)
from chef.scenario.tsv.table import TsvTable


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
    places = index.survey.places
    if not names_row(entry, places):
        row = chain[-1] + 1
        name = f"{index.path}: row {row}, image {number or 1}"
        where = {"path": str(index.path), "row": row, **({"image": number} if number else {})}
        return (Image(decoded(entry, f"the image of row {row}"), name, where),)
    target = places[entry]
    chain = followed(target, chain, lambda row: row + 1)
    found = row_images(index, root, index.read(target), chain)
    if not found or (number is not None and len(found) > 1):
        count = "no image" if not found else f"{len(found)} images, not one"
        raise SampleError(f"refers to the image of row {target + 1}, which has {count}")
    return found
