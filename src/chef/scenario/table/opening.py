"""Which kind of table a file or a folder is, by its name and first bytes, and what is none."""

from __future__ import annotations

import difflib
import re
from codecs import BOM_UTF8
from collections.abc import Collection, Sequence
from pathlib import Path
from shlex import quote
from typing import Literal, TypeAlias, get_args

import msgspec

from chef.errors import DataError
from chef.guard.contents import LOOKED_AT, name_of_bytes, table_of_bytes
from chef.guard.files import open_file, user_path
from chef.scenario.table.joined import JoinedRows, beside_each_other
from chef.scenario.table.rows import RowTable, unreadable

#: Files that pandas reads, and those that the scenario Records reads.
_SHEETS = (".xls", ".ods")
_TABLES = (".parquet", ".csv", ".json", ".jsonl", ".arrow")
#: What a file is that was downloaded, and no table of text, and what to do.
_NO_TABLES = {
    "html": ("a web page", "download the file itself: the address leads to a page about it"),
    "lfs": ("a pointer of Git LFS", "fetch the content with `git lfs pull`"),
    "zip": ("a workbook (.xlsx) or an archive", "save it as text, separated by tabs"),
}
_RECORDS = "read it as it is: dataset_name: Records in place of Tsv"
#: Tables of another kind begin with these.
_TABLES_OF_OTHERS = ((b"par1", "a Parquet file"), (b"{", "JSON"), (b"[", "JSON"))
#: What the column ``index`` is called elsewhere.
_IDS = ("id", "idx", "qid", "question_id", "uid")
_AS_IT_IS = "or read the table as it is: dataset_name: Records"
#: Columns of which a question needs one.
_WANTED = (("index",), ("question",), ("answer",), ("image", "image_path"))
_OPTION = re.compile(r"(?:option|choice)?[ _-]?([a-z])", re.IGNORECASE)
#: How similar a column must be to count as misspelt: ``question_id`` is not.
_SIMILAR = 0.85
#: So many columns are compared with those wanted: no benchmark has nearly as many.
_LOOKED_AT = 1_000


def check_beginning(line: bytes) -> None:
    """DataError where the first line is of another kind of file: a web page, JSON, ..."""
    if found := what_begins(line):
        what, hint = found
        raise DataError(f"is {what}, not a TSV", hint=hint)


def what_begins(content: bytes) -> tuple[str, str] | None:
    """What a file that begins like this is instead of a table of text, and what to do.

    >>> what_begins(b"<!DOCTYPE html>")[0]
    'a web page'
    """
    if other := _NO_TABLES.get(name_of_bytes(content[:LOOKED_AT]) or ""):
        return other
    start = content[:4].lower()
    names = (name for sign, name in _TABLES_OF_OTHERS if start.startswith(sign))
    return next(((name, _RECORDS) for name in names), None)


def check_header(names: Sequence[str]) -> None:
    """DataError for a header without ``index``, or with a nearly right name for another column."""
    for wanted in _WANTED:
        if not {*wanted} & {*names} and (near := _misspelt(wanted, names)):
            raise DataError(
                f"has no column '{near[1]}', but '{near[0]}'",
                hint=f"rename the column to '{near[1]}'",
            )
    if "index" not in names:
        commas = len(names) == 1 and "," in names[0]
        hint = "separate the cells by tabs, not by commas" if commas else ""
        if other := next((name for name in names if name.lower() in _IDS), ""):
            hint = f"rename the column '{other}' to 'index'; {_AS_IT_IS}"
        raise DataError(
            f"has no column 'index'; its header reads {', '.join(names)[:200]}",
            hint=hint or "name the columns in the first line, separated by tabs",
        )
    _check_options(names)


def _check_options(names: Sequence[str]) -> None:
    """Refuse option columns that are not named A, B, ...: without them nothing has options."""
    if "A" in names:
        return
    found = {match[1].upper(): name for name in names if (match := _OPTION.fullmatch(name))}
    if {"A", "B"} <= found.keys():
        raise DataError(
            f"has the option columns '{found['A']}' and '{found['B']}'",
            hint="rename the option columns to A, B, ...",
        )


def _misspelt(wanted: Collection[str], names: Sequence[str]) -> tuple[str, str] | None:
    """A column, and the one of those wanted that it is nearly called; None if there is none."""
    for given in names[:_LOOKED_AT]:
        if near := difflib.get_close_matches(given.lower(), wanted, n=1, cutoff=_SIMILAR):
            return given, near[0]
    return None


def refuse_other_formats(path: str) -> None:
    """DataError for an address, a workbook, a Parquet file or an archive, by its name."""
    name = path.rpartition("/")[2]
    if "://" in path:
        what = "is an address, and only files are read"
        raise DataError(what, where=path, hint=f"download it (curl -LO {path}), then path: {name}")
    suffix = Path(path).suffix.lower()
    if suffix in (".xlsx", *_SHEETS, *_TABLES) and user_path(path).is_file():
        stem = Path(path).with_suffix(".tsv")
        hint = (
            f"convert it: python -c \"import pandas; pandas.read_excel('{path}')"
            f".to_csv('{stem}', sep='\\t', index=False)\""
        )
        if suffix in _TABLES:
            hint = "read it as it is: dataset_name: Records in place of Tsv"
        raise DataError(f"a {suffix} file is no TSV", where=path, hint=hint)
    if suffix in {".gz", ".zip", ".zst", ".xz", ".bz2"}:
        raise DataError("is compressed, and a TSV is read as it is", where=path, hint="unpack it")


Format: TypeAlias = Literal["jsonl", "json", "csv", "tsv", "parquet", "arrow", "xlsx"]

_SUFFIXES: dict[str, Format] = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv",
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
    ".xlsx": "xlsx",
}  # fmt: skip
_PACKED = (".gz", ".zip", ".zst", ".xz", ".bz2", ".tar", ".7z")
#: What a folder has that was written by `datasets` with save_to_disk.
_SAVED = ("state.json", "dataset_dict.json")
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
#: So many bytes tell an encoding of two bytes a character, of which every other one is zero.
_PAIRS = 16
#: So much of a file is looked at.
_HEAD = 1 << 20


def is_saved(path: str) -> bool:
    """Whether a path is a folder that `datasets` wrote with save_to_disk."""
    return any((user_path(path) / name).is_file() for name in _SAVED)


def begins_a_name(folder: Path, split: str) -> bool:
    """Whether files of a folder have names that begin with a split."""
    return folder.is_dir() and any(file.name.startswith(split) for file in _tables_in(folder))


def open_table(
    path: str, kind: Format | None = None, *, within: str | None = None, split: str | None = None
) -> RowTable:
    """The table in a file, or in the files of a folder, all of one format, or images alone.

    ``kind`` None: as the names say; ``within``: a key of JSON; ``split``: how names begin.
    DataError where it is missing or no such table, DependencyError where it needs a package.
    """
    if "://" in path:
        raise DataError(
            "is an address, and only files are read",
            where=path,
            hint=f"download it (curl -LO {path}); for a data set of the hub, set source: hub",
        )
    file = user_path(path)
    if not file.exists() and file.suffix.lower() not in _SUFFIXES and _HUB_NAME.fullmatch(path):
        hint = "for a data set of the hub, set source: hub"
        raise DataError("there is no such file or folder", where=path, hint=hint)
    table = _folder(file, kind, within, split) if file.is_dir() else _file(file, kind, within)
    if not len(table):
        raise DataError("has no row", where=path, hint="give a row for each question")
    return table


def _folder(folder: Path, kind: Format | None, within: str | None, split: str | None) -> RowTable:
    files = _tables_in(folder)
    if not files and kind is None and split is None:
        from chef.scenario.table.joined import image_folder

        if (images := image_folder(folder)) is not None:
            return images
    kinds = sorted({_SUFFIXES[file.suffix.lower()] for file in files})
    if kind is not None:
        files = [file for file in files if _SUFFIXES[file.suffix.lower()] == kind]
    elif len(kinds) > 1:
        raise DataError(
            f"is a folder with files of several formats: {', '.join(kinds)}",
            where=str(folder),
            hint="give one file, or set format in scenario_cfg",
        )
    if split is not None:
        files = [file for file in files if file.name.startswith(split)]
    if not files:
        raise DataError(
            "is a folder without a table, and without images",
            where=str(folder),
            hint=f"known: {', '.join(_SUFFIXES)}",
        )
    tables = [_file(file, kind, within) for file in files]
    if len(tables) == 1:
        return tables[0]
    return beside_each_other(str(folder), tables) or JoinedRows(str(folder), tables)


def _tables_in(folder: Path) -> list[Path]:
    """The files of a folder and its folders, without those of hidden ones."""
    return sorted(
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in _SUFFIXES
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )


def _file(file: Path, kind: Format | None, within: str | None) -> RowTable:
    kind = kind or _SUFFIXES.get(file.suffix.lower())
    head = _head(file)
    if kind in (None, "jsonl", "json", "csv", "tsv"):
        _check_text(file, head, kind)
    if kind is None:
        what = f"a file of the kind '{file.suffix}' is not known"
        hint = f"set format in scenario_cfg to one of {', '.join(get_args(Format))}"
        if ending := table_of_bytes(head):
            hint = f"it looks like {ending}: set format: {ending[1:]} in scenario_cfg"
        raise DataError(what if file.suffix else "its name has no ending that tells its format",
                        where=str(file), hint=hint)  # fmt: skip
    if kind == "parquet":
        from chef.scenario.table.arrow import Parquet

        return Parquet(file)
    if kind == "xlsx":
        from chef.scenario.table.joined import workbook

        return workbook(file)
    if kind == "arrow":
        from chef.scenario.table.arrow import Arrow

        return Arrow(file)
    if kind in ("csv", "tsv"):
        from chef.scenario.table.delimited import Delimited

        return Delimited(file, b"\t" if kind == "tsv" else None)
    from chef.scenario.table.json_tables import JsonDocument, JsonLines

    return JsonLines(file) if _is_lines(kind, head) else JsonDocument(file, within)


def _head(file: Path) -> bytes:
    try:
        with open_file(file) as opened:
            return opened.read(_HEAD)
    except OSError as error:
        raise unreadable(file, error) from None


def _check_text(file: Path, head: bytes, kind: str | None) -> None:
    """DataError for what is no text in UTF-8, by its name and its first bytes."""
    suffix = file.suffix.lower()
    if suffix in _SHEETS:
        hint = (
            f"convert it: python -c \"import pandas; pandas.read_excel('{file}')"
            f".to_csv('{file.with_suffix('.csv')}', index=False)\""
        )
        raise DataError("is a workbook", where=str(file), hint=hint)
    if suffix in _PACKED:
        raise DataError("is packed, and is read as it is", where=str(file), hint="unpack it")
    if (encoding := _two_bytes(head)) is not None:
        raise DataError(
            "is UTF-16, not UTF-8",
            where=str(file),
            hint=f"save it as UTF-8: iconv -f {encoding} -t utf-8 {quote(str(file))} > NEW{suffix}",
        )
    if kind in ("csv", "tsv"):
        _check_lines(file, head.removeprefix(BOM_UTF8), kind)
    if found := what_begins(head):
        what, hint = found
        if head.startswith(b"PAR1"):
            hint = "set format: parquet in scenario_cfg"
        if what != "JSON":
            raise DataError(f"is {what}, not text", where=str(file), hint=hint)
        if kind in ("csv", "tsv"):
            raise DataError(
                f"is JSON, not {kind}", where=str(file), hint="set format: json in scenario_cfg"
            )


def _two_bytes(head: bytes) -> str | None:
    """The encoding, as iconv calls it, of a text with two bytes a character; None for others."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    start = head[:_PAIRS]
    zeros = (start[::2].count(0), start[1::2].count(0))
    without_mark = {(0, len(start) // 2): "utf-16le", (len(start) // 2, 0): "utf-16be"}
    return without_mark.get(zeros) if len(start) == _PAIRS else None


def _check_lines(file: Path, head: bytes, kind: str) -> None:
    """DataError for line ends and separators that would make one row or one column of a table."""
    first, newline, _ = head.partition(b"\n")
    old, new = quote(str(file)), f"NEW{file.suffix}"
    if not newline and b"\r" in first.rstrip(b"\r"):
        what = "ends its lines with a carriage return alone, as old programs do"
        raise DataError(what, where=str(file), hint=rf"save it anew: tr '\r' '\n' < {old} > {new}")
    if first[:4].lower() == b"sep=":
        what = f"begins with '{first.decode(errors='replace').strip()}', which only Excel reads"
        hint = f"remove the first line: tail -n +2 {old} > {new}"
        raise DataError(what, where=str(file), hint=hint)
    if kind == "tsv" and b"\t" not in first and (b"," in first or b";" in first):
        raise DataError(
            "has no tab in its first line, so that it has one column",
            where=str(file),
            hint=f"name it {quote(str(file.with_suffix('.csv')))}, or set format: csv in "
            "scenario_cfg",
        )


def _is_lines(kind: str, head: bytes) -> bool:
    """Whether a file of JSON has one object in each line."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    is_list = text.startswith(b"[")
    if kind == "jsonl" and not is_list:
        return True
    line, _, rest = text.partition(b"\n")
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return bool(rest.strip()) and (kind == "jsonl" or not is_list)
