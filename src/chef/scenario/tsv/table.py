"""A table of text in VLMEvalKit's columns, whose rows name each other by their indices, and images.

The file is read once, at the start. Memory holds a few short strings for each row, however large
its images are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from chef.common.digest import checksum, content_digest, stream_digest
from chef.common.options import letters
from chef.errors import DataError, SampleError
from chef.image import Image
from chef.scenario.questions.values import (
    MAX_REFERENCE,
    decoded,
    followed,
    image_file,
    names_row,
    string_list,
)
from chef.scenario.table.columns import Columns
from chef.scenario.table.delimited import EMPTY, CellRow, Delimited
from chef.scenario.table.opening import check_beginning, check_header
from chef.scenario.table.questions import Surveyor, Wanted
from chef.scenario.table.rows import SMALL, Problem, unreadable
from chef.scenario.table.rows import Row as Cells

#: The columns whose texts stay in memory, to find the kind of question and to select rows.
LIGHT = ("answer", "split", "category", "g_index")
#: The columns of images, whose texts do not stay in memory.
IMAGES = ("image", "image_path")
#: The longest image path that stays in memory, in bytes.
_MAX_PATH = 256
_IF_TWICE = "give each row another value in the column 'index'"


class LightRow(NamedTuple):
    """What stays in memory of a row besides its id.

    Attributes:
        options: the number of its option columns that are not empty.
        light: the texts of the `LIGHT` columns; empty for an invalid row.
        has_image: False where the cells of the image columns there are are empty.
        image_path: the cell, where it is short: rows with the same one share an image.
        image_name: the cell ``image`` where it is short, and so names the row that has the image.
        image_names: the names in the cell ``image``, where it is a list of at most `SMALL` bytes.
    """

    options: int = 0
    light: Mapping[str, str] = {}
    has_image: bool = True
    image_path: str = ""
    image_name: str = ""
    image_names: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """All names in the cell ``image``."""
        return self.image_names or (self.image_name,)


class TsvTable(Delimited):
    """The rows of one file. Messages number them from 1, without the header and blank lines.

    Rows without the values of ``where`` are read all the same. ``labels`` are the option columns,
    those named by one upper-case letter; the survey has ids, rows taken, and those that cannot be
    used. DataError where no row can, or it is no TSV in UTF-8.
    """

    def __init__(self, path: Path, where: Wanted | None = None) -> None:
        self.rows: list[LightRow] = []
        self._where = where or {}
        self._texts: Sequence[tuple[int, str]] = ()
        self._images: list[int | None] = []
        self._light: list[str] = []
        super().__init__(path, b"\t")
        if not self.rows:
            hint = "add a row for each question below the header"
            raise DataError("contains only a header", where=self.path, hint=hint)
        self.survey = self._surveyor.survey(self.path)

    def where(self, position: int) -> str:
        """The place of a row, for error messages."""
        place = f"{self.path}: row {position + 1}"
        is_valid = position not in self.survey.problems
        return f"{place} (index '{self.survey.id(position)}')" if is_valid else place

    def digest(self) -> str:
        """A digest of the index, position, length and `LIGHT` cells of every row; no images."""
        places = zip(self.rows, self._offsets, self._lengths, strict=True)
        return stream_digest(
            repr((self.survey.id(position), offset, length, sorted(row.light.items())))
            for position, (row, offset, length) in enumerate(places)
        )

    def read(self, position: int) -> dict[str, str]:
        """The cells of a row by column; SampleError if invalid, DataError if the file changed."""
        if (problem := self.survey.problems.get(position)) is not None:
            raise SampleError(problem.what, where=self.where(position), hint=problem.hint)
        return dict(super().read(position))

    def scan(self, columns: Sequence[str]) -> Iterator[Cells | Problem]:
        """See `chef.scenario.table.rows.RowTable`; the other cells are not decoded."""
        for position, cells in enumerate(super().scan(columns)):
            yield self.survey.problems.get(position) or cells

    def digests(self) -> Iterator[str]:
        """Digests of the rows in order, 16 hex digits each; DataError if the file was changed.

        A digest covers the names of the columns, all cells with their images, and the rows whose
        images the row shows. It does not depend on the row's place in the file, which is read once.
        """
        own = list(super().digests())
        named = [
            tuple(self.survey.places[name] for name in row.named if name in self.survey.places)
            for row in self.rows
        ]
        for number, digest in enumerate(own):
            chain = _chain(number, named) if named[number] else ()
            yield content_digest(*(own[place] for place in chain), size=8) if chain else digest

    def shared_images(self) -> dict[str, str]:
        """The index of the row with the image, by that of each row that shares it; no lists."""
        holders: dict[str, str] = {}
        places = self.survey.places
        for name in places:
            seen, holder = set[str](), name
            while holder not in seen:
                seen.add(holder)
                image_name = self.rows[places[holder]].image_name
                holder = image_name if image_name in places else holder
            holders[name] = holder
        shown = Counter(holders.values())
        return {name: holder for name, holder in holders.items() if shown[holder] > 1}

    def _header(self, first: CellRow) -> tuple[str, ...]:
        check_beginning(first.content())
        names = super()._header(first)
        check_header(names)
        self._texts = [(place, name) for place, name in enumerate(names) if name not in IMAGES]
        self.labels = labels = option_columns(names)
        for column in self._where:
            if column not in names:
                hint = f"remove '{column}' from scenario_cfg"
                raise DataError(f"has no column '{column}'", hint=hint)
        has_answer = ("answer",) if "answer" in names else ()
        options = labels if len(labels) > 1 else ()
        columns = Columns(id=("index",), answer=has_answer, options=options)
        self._surveyor = Surveyor(columns, self._where, if_twice=_IF_TWICE)
        self._light = [name for name in LIGHT if name in names]
        self._images = [names.index(one) if one in names else None for one in IMAGES]
        return names

    def _image_names(self, row: CellRow, image: int | None) -> tuple[str, tuple[str, ...]]:
        """The cell ``image`` where it is short, and the names in it where it is a list."""
        if (
            image is None
            or len(row.cells) != len(self.columns)
            or isinstance(row.cells[image], slice)  # the image itself
        ):
            return "", ()
        cell = row.short_text(image, SMALL).strip()
        if not cell.startswith("["):
            return row.short_text(image, MAX_REFERENCE).strip() if cell else "", ()
        try:
            names = string_list(cell, "image")
        except SampleError:
            names = []
        return "", tuple(name for name in names if len(name) <= MAX_REFERENCE)

    def _note(self, row: CellRow) -> None:
        cells = self._cells(row, self._texts)
        problem = self._surveyor.add(cells)
        image, path = self._images
        name, names = self._image_names(row, image)
        if problem is not None or isinstance(cells, Problem):
            self.rows.append(LightRow(image_name=name, image_names=names))
            return
        images = [row.cells[column] for column in (image, path) if column is not None]
        self.rows.append(
            LightRow(
                len(self.labels) - [cells[label] for label in self.labels].count(""),
                {name: cells[name] for name in self._light},
                image is None or any(cell not in EMPTY for cell in images),
                "" if path is None else row.short_text(path, _MAX_PATH),
                name,
                names,
            )
        )


def option_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """The option columns among these, in alphabetical order."""
    return tuple(label for label in letters(26) if label in columns)


def check_md5(path: Path, expected: str) -> None:
    """DataError where the md5 digest of a file is not the one that its publisher states."""
    try:
        actual = checksum(path, "md5")
    except OSError as error:
        raise unreadable(path, error) from None
    if actual != expected.strip().lower():
        raise DataError(
            f"md5 is {actual}, expected {expected}",
            where=str(path),
            hint="download the file again, or correct `md5` in scenario_cfg",
        )


def _chain(start: int, named: Sequence[Sequence[int]]) -> list[int]:
    """A row and all rows whose images it shows, directly or through others."""
    places, todo = [start], [start]
    while todo:
        new = [place for place in named[todo.pop()] if place not in places]
        places += new
        todo += new
    return places


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
