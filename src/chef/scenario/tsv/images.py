"""The images of a TSV row: base64, references to other rows, file names, and lists of these."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from chef.common.options import list_literal
from chef.errors import SampleError
from chef.guard.files import problem_of
from chef.image import Image
from chef.scenario.questions.images import decoded, is_image
from chef.scenario.tsv.index import MAX_REFERENCE, TsvIndex

#: The longest chain of references to references.
MAX_CHAIN = 100


def row_images(
    index: TsvIndex, root: Path, cells: Mapping[str, str], chain: tuple[int, ...]
) -> tuple[Image, ...]:
    """The images of a row; none if its image cells are empty.

    The cell ``image`` takes precedence over ``image_path``. A reference to another row means all
    images of that row; in a list, the row must have exactly one.

    Args:
        index: the index of the file.
        root: the folder that image paths are relative to.
        cells: the row.
        chain: the positions of the rows whose references led here, and of this row.

    Raises:
        SampleError: a cell is not base64, a file is missing, or a reference names no row or forms a
            circle.
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
    return tuple(_file(root, name) for name in names)


def _entry(
    index: TsvIndex, root: Path, entry: str, chain: tuple[int, ...], number: int | None = None
) -> tuple[Image, ...]:
    """The images of an entry: the image in it, or those of the row that it names.

    ``number`` is its position in a list, from 1; in a list it must have exactly one image.
    """
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


def _target(index: TsvIndex, entry: str) -> int | None:
    """The position of the row that an entry names; None if the entry is an image."""
    if len(entry) > MAX_REFERENCE:
        return None
    if (position := index.positions.get(entry)) is not None:
        return position
    check_is_image(entry)
    return None


def check_is_image(entry: str) -> None:
    """Refuse an entry that is neither the index of a row nor an image in base64.

    Raises:
        SampleError: it is a short text that is no image, so an index or a name was meant.
    """
    if not is_image(entry):
        raise SampleError(
            f"refers to the image of '{entry}', but no valid row has that index",
            hint=_entry_hint(entry),
        )


def _entry_hint(entry: str) -> str:
    """What to write instead of an image cell that is neither an image nor an index."""
    if entry.startswith("data:"):
        return "the text of the image is cut off: give all of it"
    if "://" in entry:
        return "download the images, and name the files in the column image_path"
    if Path(entry).suffix or "/" in entry:
        return "names of files belong in the column image_path"
    return "give the index of a row of this file, or the image in base64"


def _file(root: Path, name: str) -> Image:
    path = root / name
    # Checked here, where the row is known, and not when the pixels are read.
    if problem := problem_of(path):
        what = f"image file not found: {path}"
        what = what if problem == "no such file" else f"{what} ({problem})"
        hint = f"paths begin at {root.resolve()}; check image_root in scenario_cfg"
        if "://" in name:
            hint = "download the images, and give the names of the files"
        raise SampleError(what, hint=hint)
    return Image(path)


def string_list(cell: str, column: str) -> list[str]:
    """The texts of a list literal of JSON or Python; it is parsed and not executed.

    >>> string_list("['a', 'b']", "image"), string_list('["a", 7]', "image")
    (['a', 'b'], ['a', '7'])

    Raises:
        SampleError: the cell is not a list of texts.
    """
    values = list_literal(cell)
    if not values or not all(type(value) in {str, int} and value != "" for value in values):
        raise SampleError(
            f"the list in column '{column}' cannot be read", hint="write a JSON list of strings"
        )
    return [str(value).strip() for value in values]
