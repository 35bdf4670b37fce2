"""Cells of the column ``image`` of a frame that name other rows, or hold several images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.errors import SampleError
from chef.scenario.tsv.images import MAX_CHAIN, MAX_REFERENCE, check_is_image, string_list


def resolved(index: str, cells: Mapping[str, Any]) -> Any:
    """What the images of a row are; of a row where that cannot be told its error.

    Args:
        index: the index of the row.
        cells: the cell ``image`` of every row by index; empty texts where there is none.

    Returns:
        An image in base64, a list of several, or a `SampleError`.
    """
    try:
        return _images(cells[index], cells, (index,))
    except SampleError as error:
        return error


def _images(cell: Any, cells: Mapping[str, Any], chain: tuple[str, ...]) -> Any:
    """The image of a cell, or a list of its images."""
    if isinstance(cell, str) and cell.lstrip().startswith("["):
        cell = string_list(cell, "image")
    if not isinstance(cell, list | tuple):
        return _followed(cell, cells, chain)
    found = [_followed(entry, cells, chain) for entry in cell]
    if any(isinstance(item, list) for item in found):
        raise SampleError("a list names a row that has several images itself")
    return found[0] if len(found) == 1 else found


def _followed(entry: Any, cells: Mapping[str, Any], chain: tuple[str, ...]) -> Any:
    """The image that an entry is, or that of the row that it names."""
    target = entry.strip() if isinstance(entry, str) else ""
    if not target or len(target) > MAX_REFERENCE:
        return entry
    if target not in cells:
        check_is_image(target)
        return entry
    if target in chain:
        circle = " -> ".join([*chain[chain.index(target) :], target])
        raise SampleError(f"image references form a circle: rows {circle}")
    if len(chain) > MAX_CHAIN:
        raise SampleError(f"there is a chain of more than {MAX_CHAIN} image references")
    if isinstance(cells[target], str) and not cells[target]:
        raise SampleError(f"refers to the image of row '{target}', which has no image")
    return _images(cells[target], cells, (*chain, target))
