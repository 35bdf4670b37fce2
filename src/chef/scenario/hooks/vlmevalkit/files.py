"""Tables and results that evaluation code keeps, by the file's ending, and a data set's as a frame.

Nothing is evaluated as code and no pickle is read: a ``.pkl`` file of one's own evaluation holds
MessagePack, which keeps keys that are numbers. Frames lose no texts, and their references between
rows are resolved.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from chef.common.options import list_literal
from chef.common.writing import write_atomically
from chef.errors import DataError, DependencyError, SampleError
from chef.guard.files import open_file, problem_of, read_bytes, read_text
from chef.scenario.questions.values import followed, names_row, string_list
from chef.scenario.table.delimited import TsvReader
from chef.scenario.table.opening import check_beginning
from chef.scenario.table.rows import UTF8

#: What a ``.pkl`` file begins with that `dump` has written.
_MARK = b"chef-msgpack\n"
#: The columns that stay text when a table is read, whatever their cells look like.
TEXTS = frozenset(
    {"question", "hint", "answer", "prediction", "image", "image_path", "category", "l2-category"}
    | {"split", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
)
#: The most characters of a cell of a workbook.
MAX_CELL = 32_767


def load(f: str | os.PathLike[str], fmt: str | None = None) -> Any:
    """The content of a file: a frame of ``.xlsx``, ``.tsv`` and ``.csv``, else plain data.

    Empty cells are missing values, and nothing else is: an option ``None`` is a text. ``fmt`` is
    the kind where the ending does not say it. DataError for other files.
    """
    path = Path(f)
    readers: dict[str, Callable[[Path], Any]] = {
        "xlsx": _xlsx,
        "tsv": lambda file: read_table(file, "\t"),
        "csv": lambda file: read_table(file, ","),
        "json": lambda file: json.loads(read_text(file)),
        "jsonl": lambda file: [json.loads(line) for line in _lines(file) if line.strip()],
        "txt": _lines,
        "pkl": _packed,
    }
    kind = (fmt or path.suffix.removeprefix(".")).lower()
    if kind not in readers:
        raise DataError(
            f"files of the kind '{kind}' are not read",
            where=str(path),
            hint=f"known: {', '.join(readers)}",
        )
    try:
        return readers[kind](path)
    except DataError:
        raise
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", where=str(path)) from error
    except (ValueError, msgspec.DecodeError) as error:
        raise DataError(f"is no {kind} file: {error}", where=str(path)) from error


def dump(data: Any, f: str | os.PathLike[str], **kwargs: Any) -> None:
    """Write data to a file in the form of its ending; the file appears when it is complete.

    ``.xlsx``, ``.tsv`` and ``.csv`` take a pandas frame (``kwargs`` go to its writer), ``.json``
    and ``.pkl`` plain data or a frame as a list of rows, ``.jsonl`` a list of rows, ``.txt`` lines.
    DataError: the ending is unknown, or the data does not fit it.
    """
    path = Path(f)
    texts: dict[str, Callable[[Any], str]] = {
        "tsv": lambda frame: str(_frame(frame).to_csv(sep="\t", index=False, **kwargs)),
        "csv": lambda frame: str(_frame(frame).to_csv(index=False, **kwargs)),
        "json": lambda item: json.dumps(item, default=_plain, indent=2, ensure_ascii=False),
        "jsonl": lambda items: "".join(
            f"{json.dumps(item, default=_plain, ensure_ascii=False)}\n" for item in _rows(items)
        ),
        "txt": lambda lines: "".join(f"{line}\n" for line in lines),
    }
    kind = path.suffix.removeprefix(".").lower()
    if kind not in {*texts, "xlsx", "pkl"}:
        raise DataError(
            f"files of the kind '{kind}' are not written",
            where=str(path),
            hint=f"known: xlsx, pkl, {', '.join(texts)}",
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        if kind in texts:
            write_atomically(path, texts[kind](data))
            return
        if kind == "xlsx":
            _to_xlsx(data, unfinished, kwargs)
        else:
            unfinished.write_bytes(_MARK + msgspec.msgpack.encode(data, enc_hook=_plain))
        unfinished.replace(path)
    except (TypeError, AttributeError, msgspec.ValidationError) as error:
        what = f"{type(data).__name__} cannot be written as {kind}: {error}"
        raise DataError(what, where=str(path)) from error
    finally:
        unfinished.unlink(missing_ok=True)


def md5(s: str | os.PathLike[str]) -> str:
    """The md5 digest of a file's content, or of a text that names no file; 32 hex digits."""
    text = os.fspath(s)
    is_file = len(text) < 4096 and "\0" not in text and Path(text).is_file()
    content = read_bytes(text) if is_file else text.encode()
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def pandas_module() -> Any:
    """The package pandas; DependencyError where it is not installed."""
    try:
        import pandas as pd
    except ImportError:
        raise DependencyError(
            "data sets written for VLMEvalKit need pandas",
            hint="pip install 'chef-eval[vlmevalkit]', or pip install pandas openpyxl",
        ) from None
    return pd


def can_write_xlsx() -> bool:
    """Whether workbooks can be written here."""
    from importlib.util import find_spec

    return find_spec("openpyxl") is not None


def read_table(path: Path, separator: str) -> Any:
    """A table of text as a frame: text columns stay text, and only empty cells are missing."""
    pandas = pandas_module()
    header = pandas.read_csv(path, sep=separator, nrows=0, encoding="utf-8-sig")
    kinds = {name: str for name in header.columns if name in TEXTS}
    return pandas.read_csv(
        path, sep=separator, dtype=kinds, keep_default_na=False, na_values=[""],
        encoding="utf-8-sig",
    )  # fmt: skip


def _xlsx(path: Path) -> Any:
    pandas = pandas_module()
    _check_xlsx(path)
    return pandas.read_excel(path, keep_default_na=False, na_values=[""])


def _lines(path: Path) -> list[str]:
    return read_text(path).splitlines()


def _packed(path: Path) -> Any:
    content = read_bytes(path)
    if not content.startswith(_MARK):
        raise DataError(
            "is a pickle, which could run any code when it is read",
            where=str(path),
            hint="delete it; files of this name that dump() writes here hold plain data",
        )
    return msgspec.msgpack.decode(content.removeprefix(_MARK), strict=False)


def _to_xlsx(frame: Any, path: Path, options: dict[str, Any]) -> None:
    _check_xlsx(path)
    table = _frame(frame)
    too_long = table.select_dtypes(exclude="number").map(lambda cell: len(str(cell)) > MAX_CELL)
    if too_long.any(axis=None):
        raise DataError(
            f"a cell has more than {MAX_CELL} characters, and a workbook would cut it off",
            where=str(path),
            hint="write a .tsv or .json file",
        )
    # By its own writer, since the unfinished file has the ending but pandas asks for an engine.
    table.to_excel(path, index=False, engine="openpyxl", **options)


def _check_xlsx(path: Path) -> None:
    if not can_write_xlsx():
        raise DependencyError(
            f"{path.name} is a workbook, and openpyxl is not installed",
            hint="pip install 'chef-eval[xlsx]', or set PRED_FORMAT=tsv",
        )


def _frame(data: Any) -> Any:
    pandas = pandas_module()
    return data if isinstance(data, pandas.DataFrame) else pandas.DataFrame(data)


def _rows(items: Any) -> Iterable[Any]:
    rows: Iterable[Any] = items.to_dict("records") if hasattr(items, "to_dict") else items
    return rows


def _plain(item: Any) -> Any:
    """What the formats cannot hold: numbers of numpy, frames, sets, paths."""
    if hasattr(item, "to_dict"):
        return item.to_dict("records") if hasattr(item, "columns") else item.to_dict()
    if hasattr(item, "tolist"):
        return item.tolist()
    if isinstance(item, set | frozenset):
        return sorted(item, key=str)
    if isinstance(item, os.PathLike):
        return os.fspath(item)
    raise TypeError(f"{type(item).__name__} is no plain data")


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
