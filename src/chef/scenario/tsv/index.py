"""The positions of the rows of a TSV file, so that each can be read when its sample is made.

The file is read once, at the start. Memory holds a few short strings for each row, however large
its images are.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from chef.common.digest import checksum, stream_digest
from chef.common.options import letters
from chef.errors import DataError, SampleError, nearest
from chef.guard.files import open_file
from chef.scenario.tsv.formats import check_beginning, check_header
from chef.scenario.tsv.reader import Row, TsvReader

#: The columns whose texts stay in memory, to find the kind of question and to select rows.
LIGHT = ("answer", "split", "category", "g_index")
#: The longest image path that stays in memory, in bytes.
_MAX_PATH = 256
#: An image cell of at most this length names another row, unless it decodes to a tiny image.
MAX_REFERENCE = 64
#: The texts of all rows stay in memory where they have at most so many bytes together.
_MAX_TEXTS = 16 << 20
#: What stands between the cells of a row in memory; where a cell holds it, the row is read again.
_CELL_END = "\x1f"
UTF8 = "save the file as UTF-8, for example with `iconv -t utf-8`"


class Problem(NamedTuple):
    """Why a row cannot be used, and how to fix it."""

    what: str
    hint: str


class IndexedRow(NamedTuple):
    """What the index stores about a row.

    Attributes:
        id: the id of its sample, which is unique even for an invalid row.
        offset: the position of its first byte in the file.
        length: its length in bytes.
        options: the number of its option columns that are not empty.
        light: the texts of the `LIGHT` columns; empty for an invalid row.
        problem: why it cannot be used; None for a valid row.
        has_image: False where there is a column ``image`` and its cell is empty, and so is that of
            ``image_path``.
        image_path: the cell of that column, where it is short: rows with the same one share an
            image.
        image_name: the cell ``image`` where it is short, and so names the row that has the image.
        image: where the content of the cell ``image`` begins and ends, in bytes from ``offset``.
        texts: its other cells, if they are kept: the cells in order, joined, with none for images.
    """

    id: str
    offset: int
    length: int
    options: int = 0
    light: Mapping[str, str] = {}
    problem: Problem | None = None
    has_image: bool = True
    image_path: str = ""
    image_name: str = ""
    image: tuple[int, int] = (0, 0)
    texts: str = ""


@dataclass(frozen=True, slots=True)
class TsvIndex:
    """The rows of one file. Messages number them from 1, without the header and blank lines.

    Attributes:
        path: the file.
        columns: the names in its header.
        rows: the rows in the order of the file.
        positions: the position in ``rows`` of each valid row, by its index.
        state: size (bytes) and modification time (ns) of the file when it was indexed.
    """

    path: Path
    columns: tuple[str, ...]
    rows: tuple[IndexedRow, ...]
    positions: Mapping[str, int]
    state: tuple[int, int]

    @classmethod
    def build(cls, path: Path) -> TsvIndex:
        """Read the file once and note the positions of its rows.

        Raises:
            DataError: the file is missing, empty, not a TSV or not UTF-8, or no row can be used.
        """
        try:
            state = _state(path)
            with open_file(path) as file:
                reader = iter(TsvReader(file))
                columns = _header(reader)
                rows, positions = _index_rows(reader, columns)
        except OSError as error:
            raise DataError(
                f"cannot be read: {error.strerror}", where=str(path), hint=_path_hint(path)
            ) from None
        except DataError as error:
            raise DataError(error.what, where=str(path), hint=error.hint) from None
        if not positions:
            problem = rows[0].problem if rows else None
            what = (
                f"no row can be used; the first: {problem.what}"
                if problem
                else "contains only a header"
            )
            hint = problem.hint if problem else "add a row for each question below the header"
            raise DataError(what, where=str(path), hint=hint)
        return cls(path, columns, rows, positions, state)

    @property
    def labels(self) -> tuple[str, ...]:
        """The option columns: those named by one upper-case letter."""
        return option_columns(self.columns)

    def where(self, position: int) -> str:
        """The place of a row, for error messages."""
        row = self.rows[position]
        place = f"{self.path}: row {position + 1}"
        return place if row.problem else f"{place} (index '{row.id}')"

    def digest(self) -> str:
        """A digest of the index, position, length and `LIGHT` cells of every row; no images."""
        return stream_digest(
            repr((row.id, row.offset, row.length, sorted(row.light.items()))) for row in self.rows
        )

    def check_unchanged(self) -> None:
        """Check that the file is the one that was indexed.

        Raises:
            DataError: it was changed.
        """
        if _state(self.path) != self.state:
            raise DataError(
                "has changed since it was indexed",
                where=str(self.path),
                hint="start the run again; rows that have changed are asked again",
            )

    def read(self, position: int) -> dict[str, str]:
        """Read the cells of a row from the file, by column.

        Raises:
            SampleError: the row is invalid.
            DataError: the file was changed since it was indexed.
        """
        row = self.rows[position]
        if row.problem is not None:
            raise SampleError(row.problem.what, where=self.where(position), hint=row.problem.hint)
        self.check_unchanged()
        with open_file(self.path) as file:
            file.seek(row.offset)
            content = io.BytesIO(file.read(row.length))
        return dict(zip(self.columns, next(iter(TsvReader(content))).texts(), strict=True))

    def read_texts(self, positions: Iterable[int]) -> Iterator[dict[str, str] | None]:
        """Read the cells of several rows, with empty cells for ``image``; None for invalid rows.

        Raises:
            DataError: the file was changed since it was indexed.
        """
        self.check_unchanged()
        with open_file(self.path) as file:
            for row in map(self.rows.__getitem__, positions):
                if row.problem is not None:
                    yield None
                    continue
                if row.texts:
                    yield dict(zip(self.columns, row.texts.split(_CELL_END), strict=True))
                    continue
                begin, end = row.image
                file.seek(row.offset)
                content = file.read(begin)
                file.seek(row.offset + end)
                content += file.read(row.length - end)
                texts = next(iter(TsvReader(io.BytesIO(content)))).texts()
                yield dict(zip(self.columns, texts, strict=True))


def option_columns(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The option columns among these, in alphabetical order."""
    return tuple(label for label in letters(26) if label in columns)


def check_md5(path: Path, expected: str) -> None:
    """Compare the md5 digest of a file with the one that its publisher states.

    Raises:
        DataError: they differ, or the file cannot be read.
    """
    try:
        actual = checksum(path, "md5")
    except OSError as error:
        raise DataError(
            f"cannot be read: {error.strerror}", where=str(path), hint=_path_hint(path)
        ) from None
    if actual != expected.strip().lower():
        raise DataError(
            f"md5 is {actual}, expected {expected}",
            where=str(path),
            hint="download the file again, or correct `md5` in scenario_cfg",
        )


def _header(reader: Iterator[Row]) -> tuple[str, ...]:
    first = next(reader, None)
    if first is None:
        raise DataError("is empty", hint="give a TSV with a header and one row for each question")
    check_beginning(first.content())
    try:
        names = [text.strip() for text in first.texts()]
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 ({error})", hint=UTF8) from None
    check_header(names)
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise DataError(f"names the column '{twice[0]}' twice", hint="rename one of them")
    return tuple(names)


def _index_rows(
    reader: Iterator[Row], columns: tuple[str, ...]
) -> tuple[tuple[IndexedRow, ...], dict[str, int]]:
    """All rows, and the positions of the valid ones by their index."""
    options = [columns.index(label) for label in option_columns(columns)]
    image = columns.index("image") if "image" in columns else None
    path = columns.index("image_path") if "image_path" in columns else None
    rows: list[IndexedRow] = []
    positions: dict[str, int] = {}
    kept = 0
    for row in reader:
        cells, problem = _look_at(row, columns)
        index = cells.get("index", "").strip()
        if problem is None and index in positions:
            problem = Problem(
                f"row {len(rows) + 1} has the index '{index}' of row {positions[index] + 1}",
                "give each row a different index",
            )
        if problem is None:
            positions[index] = len(rows)
            filled = sum(not row.is_empty(column) for column in options)
            shown = image is None or not (
                row.is_empty(image) and (path is None or row.is_empty(path))
            )
            name = "" if path is None else _short_text(row, path, _MAX_PATH)
            refers = "" if image is None else _short_text(row, image, MAX_REFERENCE)
            texts = _joined({**cells, "image_path": name}, columns) if kept <= _MAX_TEXTS else ""
            kept += len(texts)
            rows.append(
                IndexedRow(
                    index,
                    row.offset,
                    row.length,
                    filled,
                    {name: cells[name] for name in LIGHT if name in cells},
                    has_image=shown,
                    image_path=name,
                    image_name=refers.strip(),
                    image=(0, 0) if image is None else row.span(image),
                    texts=texts,
                )
            )
        else:
            rows.append(IndexedRow(index, row.offset, row.length, problem=problem))
    named = (
        row if row.problem is None else row._replace(id=spare_id(row.id, number, positions))
        for number, row in enumerate(rows, 1)
    )
    return tuple(named), positions


def _short_text(row: Row, column: int, limit: int) -> str:
    """A cell of at most so many bytes of UTF-8, else an empty text."""
    try:
        return row.text(column) if row.size(column) <= limit else ""
    except UnicodeDecodeError:  # the row says so when it is read
        return ""


def _look_at(row: Row, columns: tuple[str, ...]) -> tuple[dict[str, str], Problem | None]:
    """The cells of a row without those of images, and the problem if it is not a valid row."""
    if len(row) != len(columns):
        return {}, Problem(
            f"{len(row)} cells, but the header names {len(columns)} columns",
            "quote the cells that hold a tab or a line break",
        )
    try:
        cells = {
            name: row.text(column)
            for column, name in enumerate(columns)
            if name not in {"image", "image_path"}
        }
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        return {}, Problem(f"not UTF-8: byte 0x{byte:02x}", UTF8)
    if not cells["index"].strip():
        return cells, Problem("the index is missing", "give the row an index")
    return cells, None


def _joined(cells: Mapping[str, str], columns: tuple[str, ...]) -> str:
    """All cells of a row as one text, with an empty one for images; empty if that is not clear."""
    texts = [cells.get(name, "") for name in columns]
    found = _CELL_END.join(texts)
    return found if found.count(_CELL_END) == len(columns) - 1 else ""


def spare_id(index: str, number: int, taken: Mapping[str, int]) -> str:
    """An id for an invalid row, the same in every run and different from all indices."""
    name = f"{index} (row {number})" if index else f"row {number}"
    while name in taken:
        name += "'"
    return name


def _state(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_size, state.st_mtime_ns


def _path_hint(path: Path) -> str:
    """How to fix a path that cannot be read; a file with a similar name is suggested."""
    if path.is_dir():
        return "give the .tsv file, not its folder"
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {folder}"
    names = [file.name for file in folder.glob("*.tsv")]
    return nearest(path.name, names) if names else f"there is no .tsv file in {folder.resolve()}"
