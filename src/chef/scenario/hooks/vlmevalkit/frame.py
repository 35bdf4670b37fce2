"""The table of a data set as a pandas frame: read without losing texts, its references resolved."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.common.options import list_literal
from chef.errors import DataError, SampleError
from chef.guard.files import open_file, problem_of
from chef.scenario.hooks.vlmevalkit.files import pandas_module, read_table
from chef.scenario.questions.images import followed, names_row, string_list
from chef.scenario.table.rows import UTF8
from chef.scenario.tsv.formats import check_beginning
from chef.scenario.tsv.reader import TsvReader

#: A whole number as it is written: no leading zeros.
_WHOLE = re.compile(r"-?[1-9][0-9]{0,17}|0")
_QUOTE = "quote the cells that hold a tab, a quote or a line break"
_IMAGE = "image"


def read_frame(path: Path) -> Any:
    """The rows of a TSV; text columns stay text, and only empty cells are missing.

    DataError where it is no TSV in UTF-8, or a row has too many or too few cells.
    """
    if problem := problem_of(path):
        raise DataError(problem, where=str(path))
    try:
        _check_form(path)
        return read_table(path, "\t")
    except DataError as error:
        raise DataError(error.what, where=str(path), hint=error.hint) from None
    except UnicodeError as error:
        raise DataError(f"is not UTF-8 ({error})", where=str(path), hint=UTF8) from None
    except ValueError as error:  # pandas' errors are ValueErrors
        what = f"is no TSV: {str(error).strip()}"
        raise DataError(what, where=str(path), hint=_QUOTE) from None


def _check_form(path: Path) -> None:
    """Refuse what pandas would read as something else: it fills short rows, and renames columns."""
    with open_file(path) as file:
        names: list[str] = []
        for number, row in enumerate(TsvReader(file)):
            if number == 0:
                check_beginning(row.content())
                names = row.texts()
                if len(names) == 1 and "," in names[0]:
                    raise DataError("is no TSV", hint="separate the cells by tabs, not by commas")
                if twice := [name for name in names if names.count(name) > 1]:
                    raise DataError(f"names the column '{twice[0]}' twice", hint="rename one")
            elif len(row.cells) != len(names):
                what = (
                    f"row {number}: {len(row.cells)} cells, but the header names "
                    f"{len(names)} columns"
                )
                raise DataError(what, hint=_QUOTE)
    if not names:
        raise DataError("is empty", hint="give a TSV with a header and one row for each question")


def with_images(data: Any, *, skip_noimg: bool, where: str) -> Any:
    """A new frame with indices, references between rows and lists of images as data sets use them.

    Whole-number indices become numbers if all are. Cells of ``image`` that name another row become
    its image, those that are lists become lists, and the rest become texts. DataError where an
    index is missing or occurs twice.
    """
    pandas = pandas_module()
    if not isinstance(data, pandas.DataFrame):
        raise DataError(
            f"load_data returned a {type(data).__name__}, not a pandas frame", where=where,
            hint="return pandas.DataFrame(...) with the columns index, question, ...",
        )  # fmt: skip
    if "index" not in data.columns:
        columns = ", ".join(map(str, data.columns))[:200]
        hint = "give each row an index, in a column of that name"
        raise DataError(f"has no column 'index', but {columns}", where=where, hint=hint)
    if data.empty:
        hint = "add a row for each question below the header"
        raise DataError("has no rows", where=where, hint=hint)
    data = data.copy()
    if skip_noimg and _IMAGE in data.columns:
        data = data[[not is_missing(cell) for cell in data[_IMAGE]]]
        if data.empty:
            hint = "set skip_noimg: false in scenario_cfg"
            raise DataError("no row has an image", where=where, hint=hint)
    data = data.reset_index(drop=True)
    data["index"] = _indices(list(data["index"]), where)
    if _IMAGE in data.columns:
        data[_IMAGE] = pandas.Series(_images(data), dtype=object, index=data.index)
    if "image_path" in data.columns:
        paths = [_listed("" if is_missing(cell) else cell) for cell in data["image_path"]]
        data["image_path"] = pandas.Series(paths, dtype=object, index=data.index)
    return data


def _indices(given: list[Any], where: str) -> list[Any]:
    texts = [index_text(item) for item in given]
    if "" in texts:
        row = texts.index("") + 1
        raise DataError(f"row {row} has no index", where=where, hint="give each row an index")
    if len(set(texts)) < len(texts):
        twice = next(text for place, text in enumerate(texts) if text in texts[:place])
        hint = "give each row a different index"
        raise DataError(f"two rows have the index '{twice}'", where=where, hint=hint)
    return as_indices(texts)


def as_indices(texts: Sequence[str]) -> list[Any]:
    """Indices as numbers, if all of them are whole numbers; else as texts.

    >>> as_indices(["1", "-2"]), as_indices(["1", "007"])
    ([1, -2], ['1', '007'])
    """
    is_whole = all(_WHOLE.fullmatch(text) for text in texts)
    return [int(text) for text in texts] if is_whole else list(texts)


def index_text(index: Any) -> str:
    """The id of a sample, from the cell ``index``: ``3.0`` of a frame with gaps is ``3``.

    >>> index_text(3.0), index_text("007")
    ('3', '007')
    """
    if is_missing(index):
        return ""
    if isinstance(index, float) and index.is_integer():
        return str(int(index))
    return str(index).strip()


def _images(data: Any) -> list[Any]:
    """The cells of the images, resolved; a cell that cannot be is the error of its row."""
    cells = {
        index_text(index): "" if is_missing(cell) else cell
        for index, cell in zip(data["index"], data["image"], strict=True)
    }
    return [resolved(index, cells) for index in cells]


def _listed(cell: Any) -> Any:
    """A list literal as a list, one of its items alone as this item; anything else as it is."""
    found = list_literal(cell) if isinstance(cell, str) and cell.startswith("[") else None
    if found is None:
        return cell
    return found[0] if len(found) == 1 else found


def is_missing(cell: Any) -> bool:
    """Whether a cell is empty: NaN, None or an empty text. ``None`` and ``NA`` in words are not."""
    if cell is None or isinstance(cell, str):
        return not cell
    return isinstance(cell, float) and math.isnan(cell)


def resolved(index: str, cells: Mapping[str, Any]) -> Any:
    """The base64 of a row's image, a list of several, or the `SampleError` of a row where it cannot
    be told; ``cells`` are those of ``image`` by index, empty texts where there is none.
    """
    try:
        return _image_of(cells[index], cells, (index,))
    except SampleError as error:
        return error


def _image_of(cell: Any, cells: Mapping[str, Any], chain: tuple[str, ...]) -> Any:
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
    if not target or not names_row(target, cells):
        return entry
    chain = followed(target, chain, str)
    cell = cells[target]  # read once: it may be in a file
    if isinstance(cell, str) and not cell:
        raise SampleError(f"refers to the image of row '{target}', which has no image")
    return _image_of(cell, cells, chain)
