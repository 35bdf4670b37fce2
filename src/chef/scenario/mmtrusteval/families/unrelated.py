"""Unrelated pictures: plain colors, nature, noise."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from chef.errors import DataError
from chef.scenario.mmtrusteval.items import Item
from chef.scenario.mmtrusteval.source import Source
from chef.scenario.mmtrusteval.table import PathKey


def unrelated_images(source: Source) -> Iterable[Item]:
    """The pictures of one kind, without a question."""
    return [Item(path.name, "", path) for path in of_kind(source, "image_dir", source.part)]


def of_kind(source: Source, key: PathKey, kind: str) -> list[Path]:
    """The pictures whose names contain a kind, in natural order.

    Raises:
        DataError: the folder is missing, or has none.
    """
    found = [path for path in source.pictures(key) if kind in path.name]
    if not found:
        raise DataError(
            f"has no pictures with '{kind}' in their names",
            where=str(source.paths[key]),
            hint=f"put them there, or set {key} in scenario_cfg",
        )
    return found
