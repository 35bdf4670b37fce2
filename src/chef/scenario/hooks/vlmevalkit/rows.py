"""The rows of a data set: of a TSV that is read row by row, or of a pandas frame."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.digest import content_digest, stream_digest
from chef.common.options import list_literal
from chef.errors import DataError, SampleError
from chef.guard.files import case_hint, problem_of
from chef.image import Image
from chef.scenario.hooks.vlmevalkit.files import as_indices, index_text, is_missing, pandas_module
from chef.scenario.hooks.vlmevalkit.prompts import choices_of
from chef.scenario.questions.values import decoded
from chef.scenario.tsv.table import TsvTable, row_images

#: The column that is not shown as text.
IMAGE = "image"


class _WithIds:
    """Rows at positions from 0, with ids, which differ, and columns."""

    def __init__(self, ids: Sequence[str], columns: Sequence[str]) -> None:
        self._ids, self.columns = ids, tuple(columns)
        self._positions = {name: position for position, name in enumerate(ids)}

    def __len__(self) -> int:
        return len(self._ids)

    def id(self, position: int) -> str:
        """The id of a row's sample: its index."""
        return self._ids[position]


class FileRows(_WithIds):
    """The rows of a TSV; memory holds a few short strings of each. Images are below ``root``."""

    def __init__(self, path: Path, root: Path, *, skip_noimg: bool) -> None:
        self._index, self._root = TsvTable(path), root
        self._places = [
            place for place, row in enumerate(self._index.rows) if row.has_image or not skip_noimg
        ]
        if not self._places:
            raise DataError(
                "no row has an image", where=str(path), hint="set skip_noimg: false in scenario_cfg"
            )
        super().__init__(
            [self._index.survey.id(place) for place in self._places], self._index.columns
        )

    def cells(self, position: int) -> dict[str, str]:
        """The cells of a row as texts, empty where they are missing, without ``image``."""
        return {name: text for name, text in self._read(position).items() if name != IMAGE}

    def light(self, position: int) -> Mapping[str, str]:
        """The cells ``answer`` and ``g_index`` of a row, where it has them; nothing is read."""
        return self._index.rows[self._places[position]].light

    def options(self, position: int) -> int:
        """How many options a row has; nothing is read."""
        return self._index.rows[self._places[position]].options

    def fingerprint(self) -> str:
        """A digest of all rows without their images, which are not read for it."""
        return content_digest(self._index.digest(), repr(self._places))

    def series(self, position: int) -> Any:
        """A row as pandas gives it to ``build_prompt``."""
        pandas = pandas_module()
        cells = dict(self._read(position))
        if "image" in cells:
            images = [image.encoded() for image in self.images(position)]
            encoded = [_base64(content) for content in images if content is not None]
            cells["image"] = encoded[0] if len(encoded) == 1 else encoded  # type: ignore[assignment]
        values: dict[str, Any] = {
            name: cell if cell != "" else float("nan") for name, cell in cells.items()
        }
        if self._is_whole:
            values["index"] = int(values["index"])
        if isinstance(paths := values.get("image_path"), str):
            values["image_path"] = list_literal(paths) or paths
        return pandas.Series(values, dtype=object, name=position)

    def images(self, position: int) -> tuple[Image, ...]:
        """The images of a row."""
        place = self._places[position]
        return row_images(self._index, self._root, self._read(position), (place,))

    def digests(self) -> dict[str, str]:
        """A digest of each row with its images, by id."""
        found = list(self._index.digests())
        return {self.id(number): found[place] for number, place in enumerate(self._places)}

    def state(self) -> str:
        """What shows whether the rows have changed since; empty: not known."""
        return self._index.state()

    def _read(self, position: int) -> Mapping[str, str]:
        place = self._places[position]
        try:
            return self._index.read(place)
        except SampleError as error:
            raise SampleError(error.what, where=self._index.where(place), hint=error.hint) from None

    @cached_property
    def _is_whole(self) -> bool:
        """Whether all indices are whole numbers."""
        return not any(isinstance(index, str) for index in as_indices(list(self._positions)))


class FrameRows(_WithIds):
    """The rows of a frame, after `with_images`, that a class has loaded or changed itself."""

    def __init__(self, frame: Any, root: Path, where: str) -> None:
        self._frame, self._root, self._where = frame, root, where
        if not len(frame):
            raise DataError("has no rows", where=where)
        ids = [index_text(index) for index in frame["index"]]
        super().__init__(ids, list(map(str, frame.columns)))
        if len(self._positions) < len(self._ids):
            twice = next(n for p, n in enumerate(ids) if self._positions[n] != p)
            raise DataError(f"two rows have the index '{twice}'", where=where)

    def cells(self, position: int) -> dict[str, str]:
        row = self._frame.iloc[position]
        return {name: cell_text(row[name]) for name in self.columns if name != IMAGE} | {
            "index": self._ids[position]
        }

    def light(self, position: int) -> Mapping[str, str]:
        return self.cells(position)

    def options(self, position: int) -> int:
        return len(choices_of(self.cells(position)))

    def fingerprint(self) -> str:
        return content_digest(*(f"{name}={value}" for name, value in self.digests().items()))

    def series(self, position: int) -> Any:
        row = self._frame.iloc[position]
        if isinstance(row.get("image"), SampleError):
            raise row["image"]
        return row

    def images(self, position: int) -> tuple[Image, ...]:
        row = self._frame.iloc[position]
        where = f"{self._where}: index '{self._ids[position]}'"
        return images_of(row, self._root, where)

    def digests(self) -> dict[str, str]:
        return self._digests

    def state(self) -> str:
        """What shows whether the rows have changed since: of rows in memory their digests."""
        return self.fingerprint()

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {
            name: stream_digest(map(str, self._frame.iloc[position]), size=8)
            for position, name in enumerate(self._ids)
        }


#: What chef needs of rows, wherever they are.
Rows: TypeAlias = FileRows | FrameRows


def images_of(row: Any, root: Path, where: str) -> tuple[Image, ...]:
    """The images of ``image``, else the files of ``image_path``; SampleError for no image."""
    cell = row.get("image")
    if isinstance(cell, SampleError):
        raise SampleError(cell.what, where=where, hint=cell.hint)
    if isinstance(cell, list | tuple) or not is_missing(cell):
        items = list(cell) if isinstance(cell, list | tuple) else [cell]
        return tuple(_embedded(item, where, number) for number, item in enumerate(items, 1))
    paths = row.get("image_path")
    if isinstance(paths, list | tuple) or not is_missing(paths):
        names = list(paths) if isinstance(paths, list | tuple) else [paths]
        return tuple(_file(str(name), root, where) for name in names)
    return ()


def _embedded(item: Any, where: str, number: int) -> Image:
    name = f"{where}, image {number}"
    if isinstance(item, bytes):
        return Image(item, name)
    try:
        return Image(decoded(str(item), "an image"), name)
    except SampleError as error:
        raise SampleError(error.what, where=where, hint=error.hint) from None


def _file(name: str, root: Path, where: str) -> Image:
    path = next((p for p in (Path(name), root / name) if p.is_file()), root / name)
    if problem := problem_of(path):
        raise SampleError(
            f"image file not found: {os.fspath(path)} ({problem})", where=where,
            hint=case_hint(path, f"paths begin at {root} or are whole"),
        )  # fmt: skip
    return Image(path)


def _base64(content: bytes) -> str:
    import base64

    return base64.b64encode(content).decode()


def cell_text(cell: Any) -> str:
    """A cell as a text; whole numbers of a column with gaps are no decimals."""
    if isinstance(cell, list | tuple | dict):
        return repr(cell)
    if is_missing(cell):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
