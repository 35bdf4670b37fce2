"""Reading and writing of the tables and results that evaluation code keeps, by the file's ending.

Nothing is evaluated as code and no pickle is read: a ``.pkl`` file of one's own evaluation holds
MessagePack, which keeps keys that are numbers.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from chef.common.writing import write_atomically
from chef.errors import DataError, DependencyError
from chef.guard.files import read_bytes, read_text

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
